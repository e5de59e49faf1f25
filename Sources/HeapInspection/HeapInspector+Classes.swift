import ProcessMemory
import SwiftMetadata

/// The live objects of one class, by its metadata: for those who ask for a class and not for a name.
package struct LiveClass: Sendable {
  /// The address of the class's metadata in the process.
  package let metadata: UInt64
  /// How many objects there are, without those whose `deinit` has run.
  package let instances: UInt64
  /// The address of one of them, at the time of the walk.
  package let sample: HeapAddress
}

extension HeapInspector {
  /// Walks the heap once and counts objects by class, without naming anything. Generic classes have one row for each set
  /// of arguments; superclasses do not include their subclasses.
  ///
  /// - Throws: ``HeapInspectionError``; also where the allocator's own heap cannot be walked, since freed objects could not
  ///   be told from live ones.
  package func liveClasses() throws(HeapInspectionError) -> [LiveClass] {
    var count = try take(try chooseMethod())
    // Where other threads change the heap, a walk may lose its way for a while and miss objects.
    var attempts = WalkAttempts()
    while attempts.another(afterLosses: count.totals.resynchronizations) { count = try take(try chooseMethod()) }
    guard count.method == .walk else {
      throw .noKnownHeap(processID: processID, found: "its live objects cannot be told from freed ones")
    }
    try makeSureItIsKnown(count)
    return count.tallies.filter { ($0.form == .object || $0.form == .actor) && $0.instances > 0 }
      .map { LiveClass(metadata: $0.word, instances: $0.instances, sample: $0.sample) }
  }

  /// The name that a census gives to a class, without the number of classes of one name.
  package func name(of type: LiveClass) -> String? {
    TypeNameReader(MetadataReader(memory)).name(ofType: type.metadata)
  }

  /// Whether a class is the one with this metadata, or below it. Read by way of the reader: what a walk takes for a class may be none, and
  /// then leads anywhere.
  package func isSubclass(_ type: LiveClass, of metadata: UInt64) -> Bool {
    var next = type.metadata
    // No class is so far from its root; what seems to be, is none.
    for _ in 0..<100 where next != metadata {
      guard let superclass: UInt64 = memory.load(next &+ UInt64(MetadataLayout.classSuperclass)), superclass != 0 else {
        return false
      }
      next = superclass
    }
    return next == metadata
  }
}
