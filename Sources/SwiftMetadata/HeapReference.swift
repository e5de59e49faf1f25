// Floor 3, in process: the objects that references of this process refer to.
import CSwiftRuntime

/// The address of an object on Swift's heap: an instance, a box, the context of a closure, the storage of a collection.
///
/// Holds no reference. Everything here reads the object, so it must be alive: held by what was reached before it.
package struct HeapReference: Hashable {
  package let address: UnsafeRawPointer

  package init(_ address: UnsafeRawPointer) { self.address = address }

  /// What it is, by its first word.
  package var metadata: TypeMetadata { TypeMetadata(pointer: address.load(as: UnsafeRawPointer.self)) }

  package func retain() { csr_retain(address) }
  package func release() { csr_release(address) }

  /// A strong reference to what an `unowned` one refers to, or `false` where that is gone.
  package func tryRetain() -> Bool { csr_try_retain(address) != 0 }

  /// The object of a weak reference, retained; `nil` where there is none.
  package static func loadRetained(weak reference: UnsafeRawPointer) -> HeapReference? {
    csr_weak_load_strong(reference).map(HeapReference.init)
  }

  /// Where the value inside a box of `any Error` is, and its type; `nil` for other objects.
  package var errorValue: (address: UnsafeRawPointer, type: TypeMetadata)? {
    guard metadata.kind == .errorObject else { return nil }
    var value: UnsafeRawPointer?
    var type: UnsafeRawPointer?
    csr_error_value(address, &value, &type)
    guard let value, let type else { return nil }
    return (value, TypeMetadata(pointer: type))
  }

  /// Bytes that the allocator has set aside for the object: 0 for one that is part of the program's image.
  ///
  /// The allocator is asked (`malloc_usable_size`) where the reference counts say that the object came from it. An object
  /// with `unowned` references looks like one that the compiler has put on the stack, and of those the size is worked out
  /// as glibc rounds it.
  package func byteCount(estimated: Int) -> Int {
    let counts = address.load(fromByteOffset: MetadataLayout.heapObjectReferenceCounts, as: UInt64.self)
    let low = UInt32(truncatingIfNeeded: counts)
    if counts & MetadataLayout.hasSideTable == MetadataLayout.hasSideTable { return csr_usable_size(address) }
    if low == MetadataLayout.immortalLowWord { return 0 }
    if low == MetadataLayout.plainHeapLowWord { return csr_usable_size(address) }
    // Chunks of 16 bytes, of which 8 are the allocator's own.
    return max(24, ((max(0, estimated) &+ 8 &+ 15) & ~15) &- 8)
  }
}
