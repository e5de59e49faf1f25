import Synchronization

/// A name as a span is begun with it: of a literal its address, or the number of a name that is known already.
struct SpanName {
  /// What tells two names apart in a thread's cache. Of a literal its address and length: literals stay where they are for
  /// as long as the program runs. Of any other name its `NameID`, with the top bit set, which no address has.
  let key: UInt64
  private let literal: UnsafeBufferPointer<UInt8>

  @inline(__always)
  init(_ name: StaticString) {
    // A literal made of a single scalar need not have an address; `utf8Start` would trap.
    guard name.hasPointerRepresentation else {
      self = SpanName(.ofUnlisted(String(describing: name)))
      return
    }
    let address = UInt64(UInt(bitPattern: name.utf8Start))
    self.init(
      key: (address ^ UInt64(truncatingIfNeeded: name.utf8CodeUnitCount) << 48) & ~SpanName.identified,
      literal: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  @inline(__always)
  init(_ id: NameID) {
    self.init(key: id.value | SpanName.identified, literal: UnsafeBufferPointer(start: nil, count: 0))
  }

  private init(key: UInt64, literal: UnsafeBufferPointer<UInt8>) {
    self.key = key
    self.literal = literal
  }

  /// The name's number, where it came with one.
  var id: NameID? { key & SpanName.identified == 0 ? nil : NameID(value: key & ~SpanName.identified) }
  /// The text of a literal.
  var text: String { String(decoding: literal, as: UTF8.self) }

  private static let identified: UInt64 = 1 << 63
}

/// The number of a name: its place in the table, or a hash of 62 bits for a name that the full table did not take.
struct NameID: Hashable {
  let value: UInt64

  static let other = NameID(value: 0)
  private static let hashed: UInt64 = 1 << 62

  /// The number of a name outside the table, by FNV-1a (Fowler, Noll, Vo): starts and stops of it still find each other.
  static func ofUnlisted(_ name: String) -> NameID {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return NameID(value: hash & (hashed - 1) | hashed)
  }

  /// The place in the table; nil outside of it.
  var index: Int? { value & NameID.hashed == 0 ? Int(truncatingIfNeeded: value) : nil }
}

/// A place in the tree of names: which spans enclose which.
struct SpanPath {
  let parent: Int32
  let name: Int32
  let depth: Int32
}

/// The names and places a timer has met, shared by all threads. Each thread asks once for each place and then remembers.
final class SpanPaths: Sendable {
  /// The place above all others, which is no span.
  static let root: Int32 = 0
  /// The place of everything beyond the limits.
  static let other: Int32 = 1

  fileprivate struct Place: Hashable {
    let parent: Int32
    let name: Int32
  }

  struct Tables {
    var names = ["(other)"]
    fileprivate var nameNumbers: [String: UInt64] = [:]
    var paths = [SpanPath(parent: -1, name: -1, depth: 0), SpanPath(parent: 0, name: 0, depth: 1)]
    fileprivate var pathNumbers: [Place: Int32] = [Place(parent: 0, name: 0): 1]

    func name(ofPath path: Int32) -> String {
      let name = Int(paths[Int(path)].name)
      return names.indices.contains(name) ? names[name] : ""
    }
  }

  private let tables = Mutex(Tables())
  private let options: TimerOptions

  init(_ options: TimerOptions) { self.options = options }

  /// The number of a name; a name that is new is listed where there is room and the caller wishes it.
  func id(of name: String, listing: Bool = true) -> NameID {
    tables.withLock { tables in
      if let known = tables.nameNumbers[name] { return NameID(value: known) }
      guard listing, tables.names.count <= options.nameLimit else { return .ofUnlisted(name) }
      let number = UInt64(tables.names.count)
      tables.names.append(name)
      tables.nameNumbers[name] = number
      return NameID(value: number)
    }
  }

  /// The place of a name below another place; a place that is new is made where the limits allow it.
  func path(of id: NameID, below parent: Int32) -> Int32 {
    tables.withLock { tables in
      let place = Place(parent: parent, name: Int32(id.index ?? 0))
      if let known = tables.pathNumbers[place] { return known }
      let depth = tables.paths[Int(parent)].depth + 1
      guard parent != SpanPaths.other, depth <= options.depthLimit, tables.paths.count < options.pathLimit + 2 else {
        return SpanPaths.other
      }
      let number = Int32(tables.paths.count)
      tables.paths.append(SpanPath(parent: parent, name: place.name, depth: depth))
      tables.pathNumbers[place] = number
      return number
    }
  }

  /// All names and places of this moment.
  var snapshot: Tables { tables.withLock { $0 } }
}
