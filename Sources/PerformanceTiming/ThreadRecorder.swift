import CTimingSupport
import Synchronization

/// What one thread has measured for one timer.
///
/// Only its thread writes, so nothing on the way of a span is shared with another thread. Reports come as visitors.
final class ThreadRecorder: @unchecked Sendable {
  // Unchecked because of the pointer in `local`. It is set once, and what is behind it lives as long as this object.
  let core: TimerCore
  let local: LocalRecorder

  private static let numbers = Atomic<UInt64>(1)

  init(_ core: TimerCore) {
    self.core = core
    local = LocalRecorder(number: ThreadRecorder.numbers.add(1, ordering: .relaxed).oldValue)
  }

  deinit { local.destroy() }

  /// Works on the recording from another thread, while its own is kept out.
  func asVisitor<R>(_ body: (inout ThreadRecording) -> R) -> R { local.asVisitor(body) }
}

/// A recorder as its own thread sees it: a bare pointer, so that no span pays for counting references.
///
/// The recording is touched only inside `asOwner` and `asVisitor`, which exclude each other (CTimingSupport.h says why);
/// the cache only by the thread the recorder belongs to, which finds it in its thread-local variable and holds it.
struct LocalRecorder {
  private let storage: UnsafeMutablePointer<RecorderStorage>

  init(number: UInt64) {
    let memory = OwnLine.allocate(RecorderStorage.self)
    storage = memory.bindMemory(to: RecorderStorage.self, capacity: 1)
    storage.initialize(to: RecorderStorage(number: number))
  }

  @inline(__always)
  init(_ opaque: UnsafeMutableRawPointer) { storage = opaque.assumingMemoryBound(to: RecorderStorage.self) }

  var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(storage) }

  func destroy() {
    storage.deinitialize(count: 1)
    opaque.deallocate()
  }

  /// The number of this recorder: no two in a process have the same, so it tells threads apart where the kernel's numbers,
  /// which are used again, would not.
  @inline(__always)
  var number: UInt64 { storage.pointee.number }

  /// Works on the recording as the thread it belongs to. The body must not call out: it may hold a report up.
  @inline(__always)
  func asOwner<R>(_ body: (inout ThreadRecording) -> R) -> R {
    guard cts_owner_enter(storage.pointee.lock) else { return afterVisitor(body) }
    let result = body(&storage.pointee.recording)
    cts_owner_leave(storage.pointee.lock)
    return result
  }

  @inline(never)
  private func afterVisitor<R>(_ body: (inout ThreadRecording) -> R) -> R {
    cts_owner_leave(storage.pointee.lock)
    storage.pointee.visitors.acquire()
    defer { storage.pointee.visitors.release() }
    return body(&storage.pointee.recording)
  }

  fileprivate func asVisitor<R>(_ body: (inout ThreadRecording) -> R) -> R {
    storage.pointee.visitors.acquire()
    cts_visit_begin(storage.pointee.lock)
    defer {
      cts_visit_end(storage.pointee.lock)
      storage.pointee.visitors.release()
    }
    return body(&storage.pointee.recording)
  }

  /// The place of a name below another; only for the thread itself.
  @inline(__always)
  func path(of name: SpanName, below parent: Int32, _ core: TimerCore) -> Int32 {
    if let path = storage.pointee.cache.path(name.key, below: parent) { return path }
    return findPath(name, below: parent, core)
  }

  @inline(never)
  private func findPath(_ name: SpanName, below parent: Int32, _ core: TimerCore) -> Int32 {
    let path = core.paths.path(of: id(of: name, core), below: parent)
    storage.pointee.cache.remember(name.key, below: parent, path: path)
    return path
  }

  /// The number of a name; only for the thread itself.
  @inline(__always)
  func id(of name: SpanName, _ core: TimerCore) -> NameID {
    name.id ?? storage.pointee.cache.id(name.key) ?? findID(name, core)
  }

  @inline(never)
  private func findID(_ name: SpanName, _ core: TimerCore) -> NameID {
    let id = core.paths.id(of: name.text)
    storage.pointee.cache.remember(name.key, id: id)
    return id
  }

  /// The number of the name of a stop, which lists no name: only a start does.
  func idOfStop(_ name: SpanName, _ core: TimerCore) -> NameID {
    name.id ?? storage.pointee.cache.id(name.key) ?? core.paths.id(of: name.text, listing: false)
  }

  /// The number of a name that is no literal; only for the thread itself.
  func id(of name: String, _ core: TimerCore) -> NameID {
    if let known = storage.pointee.cache.ids[name] { return known }
    let id = core.paths.id(of: name)
    // Only listed names are remembered, of which there is a bounded number.
    if id.index != nil { storage.pointee.cache.ids[name] = id }
    return id
  }
}

/// What is behind a recorder.
private struct RecorderStorage: ~Copyable {
  let number: UInt64
  /// A piece of memory of its own, because C is given its address.
  let lock: UnsafeMutablePointer<cts_owner_lock>
  /// Excludes visitors from each other, and the owner while one is there.
  let visitors = BriefLock()
  var recording = ThreadRecording(threadID: cts_thread_id())
  var cache = PathCache()

  init(number: UInt64) {
    self.number = number
    lock = OwnLine.allocate(cts_owner_lock.self).bindMemory(to: cts_owner_lock.self, capacity: 1)
    lock.initialize(to: cts_owner_lock(owner_is_in: 0, visitor_waits: 0))
  }

  deinit { UnsafeMutableRawPointer(lock).deallocate() }
}

/// What a thread remembers of the shared tables.
private struct PathCache: ~Copyable {
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
  private var paths = Pile<PathEntry>()
  private var names = Pile<NameEntry>()
  var ids: [String: NameID] = [:]

  init() {
    for _ in 0..<PathCache.slots {
      paths.append(PathEntry())
      names.append(NameEntry())
    }
  }

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
