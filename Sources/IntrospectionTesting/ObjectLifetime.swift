// Floor 5: objects that a test watches without keeping them.
import CSwiftRuntime
import HeapInspection
import SwiftMetadata

/// Objects that are watched, and not kept alive: made by ``track(_:)``, judged by ``expectDeallocated(_:within:ignoring:fileID:filePath:line:column:)``.
public final class ObjectLifetime: Sendable {
  /// A weak reference in memory of its own. The runtime's, and not a `weak var`: what it loads has one reference more, and
  /// never an optimizer's or two.
  private struct Watched: @unchecked Sendable {
    // The word is written once, before anyone else knows it, and loaded by the runtime's atomic call.
    let word: UnsafeMutableRawPointer
    let type: AnyClass
  }

  private let watched: [Watched]

  init(_ objects: [AnyObject]) {
    watched = objects.map(Self.watch)
  }

  init(_ object: AnyObject) {
    watched = [Self.watch(object)]
  }

  private static func watch(_ object: AnyObject) -> Watched {
    let word = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    csr_weak_init(word, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    return Watched(word: word, type: type(of: object))
  }

  deinit {
    for entry in watched {
      csr_weak_destroy(entry.word)
      entry.word.deallocate()
    }
  }

  /// How many of the objects are still there.
  public var liveCount: Int { survivors(.none).count }

  /// What is known of an object that is still there.
  struct Survivor {
    let type: String
    /// References that others hold.
    let references: Int
    /// A way from the object over strong references back to itself.
    let cycle: String?
    /// Who holds it, where no cycle does.
    let holder: HolderWay.Answer
  }

  func hasSurvivors(_ ignored: IgnoredTypes) -> Bool {
    watched.contains { entry in
      guard let object = csr_weak_load_strong(entry.word) else { return false }
      csr_release(object)
      return ignored.entries.isEmpty || !ignored.matches(RuntimeTypeName.qualified(entry.type))
    }
  }

  func survivors(_ ignored: IgnoredTypes, looksForHolders: Bool = false) -> [Survivor] {
    let end = ContinuousClock.now + HolderWay.patience
    return watched.compactMap { entry in
      let type = RuntimeTypeName.qualified(entry.type)
      guard !ignored.matches(type), let object = csr_weak_load_strong(entry.word) else { return nil }
      // Before anything else here takes a reference. One is what the load has taken.
      let references = max(0, Int(clamping: csr_retain_count(object)) - 1)
      let reference = Unmanaged<AnyObject>.fromOpaque(object)
      defer { reference.release() }
      guard looksForHolders else {
        return Survivor(type: type, references: references, cycle: nil, holder: .notLookedFor)
      }
      if let cycle = StrongCycle.path(from: reference.takeUnretainedValue()) {
        return Survivor(type: type, references: references, cycle: cycle, holder: .notLookedFor)
      }
      let holder = HolderWay.find(HeapAddress(UInt64(UInt(bitPattern: object))), named: type, until: end)
      return Survivor(type: type, references: references, cycle: nil, holder: holder)
    }
  }
}

/// Watches objects without keeping them alive.
///
/// ```swift
/// var session: Session? = Session()
/// let lifetime = track(session!)
/// session = nil
/// expectDeallocated(lifetime)
/// ```
public func track(_ objects: AnyObject...) -> ObjectLifetime { ObjectLifetime(objects) }
