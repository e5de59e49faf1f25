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

  /// The innermost span on this thread's own pile, if it is the owner's; only for the thread itself, which alone changes
  /// the pile and so may look without a lock.
  @inline(__always)
  func innermost(owner: UInt64) -> Enclosing? { storage.pointee.recording.open.last(owner: owner) }

  /// The place of a name below another; only for the thread itself.
  @inline(__always)
  func place(of name: SpanName, below parent: Int32, _ core: TimerCore) -> SpanPlace {
    storage.pointee.cache.place(name.key, below: parent) ?? findPlace(name, below: parent, core)
  }

  @inline(never)
  private func findPlace(_ name: SpanName, below parent: Int32, _ core: TimerCore) -> SpanPlace {
    let id = name.id ?? core.paths.id(of: name.text)
    let place = SpanPlace(path: core.paths.path(of: id, below: parent), name: id)
    storage.pointee.cache.remember(name.key, below: parent, place)
    return place
  }

  /// The number of a name that is no literal; only for the thread itself.
  func id(of name: String, listing: Bool, _ core: TimerCore) -> NameID {
    if let known = storage.pointee.cache.ids[name] { return known }
    let id = core.paths.id(of: name, listing: listing)
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

/// Where a span lies in the tree, and the number of its name.
struct SpanPlace {
  var path: Int32 = -1
  var name = NameID.other
}

/// What a thread remembers of the shared tables.
private struct PathCache: ~Copyable {
  private struct Entry {
    var key: UInt64 = .max
    var parent: Int32 = -1
    var place = SpanPlace()
  }

  // Each key has one slot; two that want the same one take turns, at the price of asking the shared tables again.
  private static let slots = 512
  private var entries = Pile<Entry>()
  /// The numbers of names that are no literals.
  var ids: [String: NameID] = [:]

  init() {
    for _ in 0..<PathCache.slots { entries.append(Entry()) }
  }

  @inline(__always)
  private static func slot(_ key: UInt64, _ parent: Int32) -> Int {
    let mixed = (key ^ UInt64(truncatingIfNeeded: parent) &* 0x9E37_79B9) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 55)
  }

  @inline(__always)
  func place(_ key: UInt64, below parent: Int32) -> SpanPlace? {
    let slot = PathCache.slot(key, parent)
    return entries[slot].key == key && entries[slot].parent == parent ? entries[slot].place : nil
  }

  mutating func remember(_ key: UInt64, below parent: Int32, _ place: SpanPlace) {
    entries[PathCache.slot(key, parent)] = Entry(key: key, parent: parent, place: place)
  }
}
