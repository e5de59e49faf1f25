// Floor 5, allocations: places in the program.
import CallStacks
import Symbolication

/// Where allocations came from: stacks with names, those of one place taken together.
struct AllocationSites {
  /// One place.
  struct Site {
    /// The innermost function that is the program's own, or else the innermost of all.
    var function: String
    /// `Parser.swift:31`; empty without debug information.
    var place: String
    /// What the function called that allocated, where that is not the allocator itself.
    var callee: String
    var count = 0
    /// Of them, those that came when the limit had been reached.
    var surplus = 0
    var bytes: UInt64 = 0
  }

  /// Places by the number of allocations beyond the limit, then by all.
  private(set) var sites: [Site] = []
  /// Allocations left out because a pattern matches one of their functions.
  private(set) var ignored = 0

  /// - Parameters:
  ///   - limit: how many of the allocations are allowed: those after them are surplus.
  ///   - ignored: allocations with a function of a matching name in their stack are left out, and use up nothing of the limit.
  init(_ allocations: [RecordedStacks.Allocation], limit: UInt64, ignoring patterns: IgnoredFunctions) {
    let names = FrameNames(allocations)
    var places: [String: Int] = [:]
    // Most allocations share their stack with others: each is looked at once. `nil` for those that are ignored.
    var known: [CallStack: Int?] = [:]
    var counted: UInt64 = 0
    for allocation in allocations {
      let place: Int?
      if let found = known[allocation.stack] {
        place = found
      } else {
        place = add(names.frames(allocation), patterns, &places)
        known[allocation.stack] = .some(place)
      }
      guard let place else {
        ignored += 1
        continue
      }
      counted += 1
      sites[place].count += 1
      sites[place].bytes &+= allocation.byteCount
      if counted > limit { sites[place].surplus += 1 }
    }
    sites.sort { ($0.surplus, $0.count, $1.place, $1.function) > ($1.surplus, $1.count, $0.place, $0.function) }
  }

  /// The number of the place that a stack leads to, which may be a new one; `nil` where it is ignored.
  private mutating func add(
    _ frames: [StackFrame], _ patterns: IgnoredFunctions, _ places: inout [String: Int]
  ) -> Int? {
    let isIgnored = frames.contains { ($0.fullFunction ?? $0.symbol).map(patterns.matches) ?? false }
    if isIgnored { return nil }
    let site = Self.site(frames)
    let key = "\(site.function)\n\(site.place)\n\(site.callee)"
    if let known = places[key] { return known }
    places[key] = sites.count
    sites.append(site)
    return sites.count - 1
  }

  private static func site(_ frames: [StackFrame]) -> Site {
    let own = frames.firstIndex { isOwn($0) } ?? frames.firstIndex { $0.kind == .function } ?? 0
    guard own < frames.count else { return Site(function: "a place without a name", place: "", callee: "") }
    let frame = frames[own]
    let file = frame.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    let callee = frames[..<own].last { $0.kind == .function && $0.module?.hasPrefix("libc.so") == false }
    return Site(
      function: frame.function ?? frame.placeInModule,
      place: file.map { file in file + (frame.line.map { ":\($0)" } ?? "") } ?? "", callee: callee?.function ?? "")
  }

  /// Whether a frame is of the program, and not of the toolchain's or the system's libraries.
  private static func isOwn(_ frame: StackFrame) -> Bool {
    guard frame.kind == .function, let module = frame.module else { return false }
    let libraries = [
      "libswift", "lib_", "libc.", "libc-", "libstdc++", "libFoundation", "libdispatch", "libBlocksRuntime",
      "libTesting", "libXCTest", "ld-linux", "libm.", "libpthread",
    ]
    guard !libraries.contains(where: { module.hasPrefix($0) }) else { return false }
    guard let symbol = frame.symbol ?? frame.function else { return false }
    // Generic code of the standard library that was compiled into the program is not the program's own: its symbols begin with the
    // letter of a known type, where those of all other modules have the length of the module's name. Nor are the compiler's pieces.
    if symbol.hasPrefix("$s") { return symbol.dropFirst(2).first?.isNumber == true }
    return !symbol.hasPrefix("swift_") && !symbol.hasPrefix("__swift_")
  }
}

/// Names of frames, each address looked up once.
private struct FrameNames {
  /// The first look at a large program's debug information takes its time; a failed test can wait.
  private static let lineBudget = Duration.seconds(10)

  private let known: [UInt: [StackFrame]]

  init(_ allocations: [RecordedStacks.Allocation]) {
    let addresses = Set(allocations.lazy.flatMap(\.stack.addresses)).sorted()
    let options = SymbolicationOptions(lineBudget: Self.lineBudget)
    let frames = CallStack(addresses: addresses).symbolicated(options: options).frames
    known = Dictionary(grouping: frames) { UInt($0.address) }
  }

  func frames(_ allocation: RecordedStacks.Allocation) -> [StackFrame] {
    allocation.stack.addresses.flatMap { known[$0] ?? [] }
  }
}
