// From addresses to frames: names for all, lines while there is time.

import ProcessMemory
import Symbolication

/// An address of a stack, and what unwinding knows of it.
struct StackAddress {
  var address: UInt64
  var isReturnAddress: Bool
  var isGuessed = false
  var isAwaiting = false
  var isExecutor = false
}

/// Gives frames their names, with one budget for the lines of all.
struct Symbolicator {
  private let includesLines: Bool
  private let deadline: ContinuousClock.Instant
  private(set) var framesWithoutTime = 0

  init(_ options: SymbolicationOptions) {
    includesLines = options.includesLines
    deadline = .now + options.lineBudget
  }

  /// The frames of a stack of a process. What follows the trampolines of signal handlers must be marked already:
  /// ``ProcessSymbols/withTrampolines(_:)`` where unwinding has not done that.
  mutating func frames(of addresses: [StackAddress], in symbols: ProcessSymbols) -> [StackFrame] {
    var found: [StackFrame] = []
    found.reserveCapacity(addresses.count)
    for address in addresses {
      guard let index = symbols.images.index(containing: address.address) else {
        append(address, offset: address.address, module: nil, nil, to: &found)
        continue
      }
      let image = symbols.images.images[index]
      append(
        address, offset: image.fileAddress(address.address), module: image.name, symbols.symbols(ofImageAt: index),
        to: &found)
    }
    return found
  }

  /// The frames of one address: functions inlined there, and the one that has the frame.
  mutating func append(
    _ address: StackAddress, offset: UInt64, module: String?, _ known: ImageSymbols?, to frames: inout [StackFrame]
  ) {
    // A call that never returns may be a function's last instruction: what is looked up is the call, not the place after it.
    let lookedUp = address.isReturnAddress ? offset &- 1 : offset
    var frame = Self.frame(address, module: module, offset: offset, known?.function(at: lookedUp))
    guard let lines = lines(known, at: lookedUp), let physical = lines.last else { return frames.append(frame) }
    for inlined in lines.dropLast() {
      var inner = frame
      if let symbol = inlined.symbol { inner.setName(FunctionNames.shared.name(of: symbol)) }
      inner.isInlined = true
      inner.isAsync = inlined.symbol.flatMap { known?.table?.isAsyncFunction($0) } ?? false
      (inner.file, inner.line) = (inlined.file, inlined.line)
      frames.append(inner)
    }
    (frame.file, frame.line) = (physical.file, physical.line)
    if frame.symbol == nil, let symbol = physical.symbol { frame.setName(FunctionNames.shared.name(of: symbol)) }
    frames.append(frame)
  }

  private mutating func lines(_ known: ImageSymbols?, at address: UInt64) -> [SourceFrame]? {
    guard includesLines, let lines = known?.lines else { return nil }
    switch lines.frames(at: address, deadline: deadline) {
    case .found(let frames): return frames
    case .unknown: return nil
    case .outOfTime:
      framesWithoutTime += 1
      return nil
    }
  }

  private static func frame(
    _ address: StackAddress, module: String?, offset: UInt64, _ function: ImageSymbols.Function?
  ) -> StackFrame {
    var frame = StackFrame(
      address: address.address, module: module, offset: offset, isInlined: false, isAsync: function?.isAsync ?? false,
      isAwaiting: address.isAwaiting, kind: address.isExecutor ? .executor : .function, isGuessed: address.isGuessed)
    if let function { frame.setName(function.name) }
    return frame
  }
}

extension ProcessSymbols {
  /// The addresses, with those corrected that follow the trampoline of a signal handler: what was interrupted has not called
  /// anything.
  func withTrampolines(_ addresses: [StackAddress]) -> [StackAddress] {
    var addresses = addresses
    for index in addresses.indices where addresses[index].isReturnAddress && isTrampoline(addresses[index].address) {
      addresses[index].isReturnAddress = false
      if index + 1 < addresses.count { addresses[index + 1].isReturnAddress = false }
    }
    return addresses
  }

  /// Whether an address is where a signal handler returns to: `mov $15, %rax; syscall`, by which the kernel, GDB and libunwind
  /// know it too. Only asked where no symbol tells, since it takes a read of memory.
  private func isTrampoline(_ address: UInt64) -> Bool {
    guard let index = images.index(containing: address),
      !symbols(ofImageAt: index).hasSymbol(at: images.images[index].fileAddress(address) &- 1)
    else { return false }
    return load(address, as: UInt64.self) == 0x0F00_0000_0FC0_C748 && load(address &+ 8, as: UInt8.self) == 0x05
  }
}

extension StackFrame {
  fileprivate mutating func setName(_ name: FunctionName) {
    (function, fullFunction, symbol) = (name.short, name.full, name.symbol)
    guard kind != .executor else { return }
    switch name.role {
    case .function: kind = .function
    case .thunk: kind = .thunk
    case .runtime: kind = .runtime
    }
  }
}
