// Floor 3, in process: the metadata of one type of this program, read where it lies.
import CSwiftRuntime

/// A type of this process, as the pointer to its metadata.
///
/// Reading is a load or two. A type of the program must have been handed over: other pointers are not checked.
package struct TypeMetadata: Hashable, @unchecked Sendable {
  // Unchecked because of the pointer. Metadata is written before the runtime hands it out and is never freed.
  package let pointer: UnsafeRawPointer

  /// A metatype is the address of its metadata: one word (docs/ABI/TypeMetadata.rst of the Swift project).
  package init(_ type: Any.Type) { pointer = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  package init(pointer: UnsafeRawPointer) { self.pointer = pointer }

  /// The type itself. Only of a type that can be copied may values be loaded with it.
  /// The way back of `init(_:)`: the pointer is metadata's, or whoever handed it over has broken the rule above.
  package var type: Any.Type { unsafeBitCast(pointer, to: Any.Type.self) }

  /// `nil` for a kind that this module does not know.
  package var kind: MetadataLayout.Kind? { MetadataLayout.Kind(rawValue: pointer.load(as: UInt64.self)) }

  // MARK: The layout of values

  private var witnesses: UnsafeRawPointer {
    pointer.load(fromByteOffset: MetadataLayout.valueWitnessTable, as: UnsafeRawPointer.self)
  }

  /// Bytes of a value, without padding behind it.
  package var size: Int { witnesses.load(fromByteOffset: MetadataLayout.witnessSize, as: Int.self) }
  /// Bytes from one value to the next in an array.
  package var stride: Int { witnesses.load(fromByteOffset: MetadataLayout.witnessStride, as: Int.self) }
  /// The alignment, less one.
  package var alignmentMask: Int { Int(layoutFlags & MetadataLayout.witnessAlignmentMask) }
  /// Whether values can be copied.
  package var isCopyable: Bool { layoutFlags & MetadataLayout.witnessIsNonCopyable == 0 }
  /// Whether values are nothing but bits: no references, and nothing to be done when one is copied or goes.
  package var isTrivial: Bool { layoutFlags & MetadataLayout.witnessIsNonPOD == 0 }
  /// Whether a value may fill the three words of an existential container.
  package var isStoredInline: Bool { layoutFlags & MetadataLayout.witnessIsNonInline == 0 }

  private var layoutFlags: UInt32 { witnesses.load(fromByteOffset: MetadataLayout.witnessFlags, as: UInt32.self) }

  /// Bytes of an instance of a class; 0 for other types.
  package var instanceSize: Int {
    kind == .class ? Int(pointer.load(fromByteOffset: MetadataLayout.classInstanceSize, as: UInt32.self)) : 0
  }

  // MARK: Records of the compiler

  /// The context descriptor of a struct, class or enum.
  package var descriptor: UnsafeRawPointer? {
    switch kind {
    case .class: pointer.load(fromByteOffset: MetadataLayout.classDescription, as: UnsafeRawPointer?.self)
    case .struct, .enum, .optional:
      pointer.load(fromByteOffset: MetadataLayout.valueDescription, as: UnsafeRawPointer?.self)
    default: nil
    }
  }

  /// The class above a class.
  package var superclass: TypeMetadata? {
    guard kind == .class else { return nil }
    return pointer.load(fromByteOffset: MetadataLayout.classSuperclass, as: UnsafeRawPointer?.self)
      .map(TypeMetadata.init(pointer:))
  }

  /// A type that this type's metadata names at an offset.
  package func type(at offset: Int) -> TypeMetadata? {
    pointer.load(fromByteOffset: offset, as: UnsafeRawPointer?.self).map(TypeMetadata.init(pointer:))
  }

  // MARK: Enums

  /// The number of the case of a value of an enum: those with payloads count first.
  package func caseNumber(of value: UnsafeRawPointer) -> Int { Int(csr_enum_tag(pointer, value)) }

  /// Turns a copy of an enum's bytes into its payload.
  package func projectPayload(_ bytes: UnsafeMutableRawPointer) { csr_project_enum_data(pointer, bytes) }
}
