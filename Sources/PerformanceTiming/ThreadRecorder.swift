import CTimingSupport
import Synchronization

/// What one thread has measured for one timer.
///
/// Only its thread writes, so nothing on the way of a span is shared with another thread. Reports come as visitors.
final class ThreadRecorder: @unchecked Sendable {
  // Unchecked because of the three pointers. They are set once and what is behind them lives as long as this object.
  // `recorded` is touched only inside `asOwner` and `asVisitor`, which exclude each other (CTimingSupport.h says why);
  // `cache` only by the thread the recorder belongs to, which finds it in its own thread-local variable.
  let core: TimerCore
  /// The number of this recorder: no two in a process have the same, so it tells threads apart where the kernel's numbers,
  /// which are used again, would not.
  let number: UInt64
  private let lock: UnsafeMutablePointer<cts_owner_lock>
  private let recorded: UnsafeMutablePointer<ThreadRecording>
  private let cache: UnsafeMutablePointer<PathCache>
  private let visitors = Mutex<Void>(())

  private static let numbers = Atomic<UInt64>(1)

  init(_ core: TimerCore) {
    self.core = core
    number = ThreadRecorder.numbers.add(1, ordering: .relaxed).oldValue
    lock = .allocate(capacity: 1)
    lock.initialize(to: cts_owner_lock(owner_is_in: 0, visitor_waits: 0))
    recorded = .allocate(capacity: 1)
    recorded.initialize(to: ThreadRecording(threadID: cts_thread_id()))
    cache = .allocate(capacity: 1)
    cache.initialize(to: PathCache())
  }

  deinit {
    cache.deinitialize(count: 1)
    cache.deallocate()
    recorded.deinitialize(count: 1)
    recorded.deallocate()
    lock.deallocate()
  }

  /// Works on the recording as the thread it belongs to. The body must not call out: it may hold a report up.
  @inline(__always)
  func asOwner<R>(_ body: (inout ThreadRecording) -> R) -> R {
    guard cts_owner_enter(lock) else {
      cts_owner_leave(lock)
      return visitors.withLock { _ in body(&recorded.pointee) }
    }
    let result = body(&recorded.pointee)
    cts_owner_leave(lock)
    return result
  }

  /// Works on the recording from another thread, while its own is kept out.
  func asVisitor<R>(_ body: (inout ThreadRecording) -> R) -> R {
    visitors.withLock { _ in
      cts_visit_begin(lock)
      defer { cts_visit_end(lock) }
      return body(&recorded.pointee)
    }
  }

  /// The place of a name below another; only for the thread itself.
  @inline(__always)
  func path(of name: SpanName, below parent: Int32) -> Int32 {
    if let path = cache.pointee.path(name.key, below: parent) { return path }
    return findPath(name, below: parent)
  }

  @inline(never)
  private func findPath(_ name: SpanName, below parent: Int32) -> Int32 {
    let path = core.paths.path(of: id(of: name), below: parent)
    cache.pointee.remember(name.key, below: parent, path: path)
    return path
  }

  /// The number of a name; only for the thread itself.
  @inline(__always)
  func id(of name: SpanName) -> NameID { name.id ?? cache.pointee.id(name.key) ?? findID(name) }

  @inline(never)
  private func findID(_ name: SpanName) -> NameID {
    let id = core.paths.id(of: name.text)
    cache.pointee.remember(name.key, id: id)
    return id
  }

  /// The number of a name that is no literal; only for the thread itself.
  func id(of name: String) -> NameID {
    if let known = cache.pointee.ids[name] { return known }
    let id = core.paths.id(of: name)
    // Only listed names are remembered, of which there is a bounded number.
    if id.index != nil { cache.pointee.ids[name] = id }
    return id
  }
}

/// What a thread remembers of the shared tables.
private struct PathCache {
  private struct PathEntry {
    var key: UInt64 = .max
    var parent: Int32 = -1
    var path: Int32 = -1
  }

  private struct NameEntry {
    var key: UInt64 = .max
    var id = NameID.other
  }

  // Each key has one slot; two that want the same one take turns, at the price of asking the shared tables again.
  private static let slots = 512
  private var paths = Array(repeating: PathEntry(), count: PathCache.slots)
  private var names = Array(repeating: NameEntry(), count: PathCache.slots)
  var ids: [String: NameID] = [:]

  @inline(__always)
  private static func slot(_ key: UInt64, _ parent: Int32) -> Int {
    let mixed = (key ^ UInt64(truncatingIfNeeded: parent) &* 0x9E37_79B9) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 55)
  }

  @inline(__always)
  func path(_ key: UInt64, below parent: Int32) -> Int32? {
    let entry = paths[PathCache.slot(key, parent)]
    return entry.key == key && entry.parent == parent ? entry.path : nil
  }

  mutating func remember(_ key: UInt64, below parent: Int32, path: Int32) {
    paths[PathCache.slot(key, parent)] = PathEntry(key: key, parent: parent, path: path)
  }

  @inline(__always)
  func id(_ key: UInt64) -> NameID? {
    let entry = names[PathCache.slot(key, 0)]
    return entry.key == key ? entry.id : nil
  }

  mutating func remember(_ key: UInt64, id: NameID) {
    names[PathCache.slot(key, 0)] = NameEntry(key: key, id: id)
  }
}
