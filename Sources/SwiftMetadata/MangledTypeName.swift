// Floor 3, in process: the mangled type names that lie in reflection records.
import CSwiftRuntime

/// A mangled type name in memory: characters, and references to descriptors by address, up to a NUL.
///
/// Source: `docs/ABI/Mangling.rst` of the Swift project, symbolic references.
package struct MangledTypeName: @unchecked Sendable {
  // Unchecked because of the pointer: records of the compiler are constants of a loaded image.
  private let start: UnsafeRawPointer
  private let length: Int

  /// The name that the relative pointer at `reference` points to; `nil` where it points nowhere.
  package init?(at reference: UnsafeRawPointer) {
    let offset = Int(reference.loadUnaligned(as: Int32.self))
    guard offset != 0 else { return nil }
    start = reference + offset
    length = Self.length(of: start)
  }

  /// A bound no real name comes near.
  private static let maximumLength = 1 << 20

  private static func length(of start: UnsafeRawPointer) -> Int {
    var index = 0
    while index < maximumLength {
      switch start.load(fromByteOffset: index, as: UInt8.self) {
      case 0: return index
      case 0x01...0x17: index += 5
      case 0x18...0x1F: index += 9
      default: index += 1
      }
    }
    return 0
  }

  /// How a field with this type holds its object: the mangling of its type ends in it.
  package var ownership: FieldPlan.Ownership {
    guard length > 2, byte(length - 2) == UInt8(ascii: "X") else {
      return .strong
    }
    switch byte(length - 1) {
    case UInt8(ascii: "w"): return .weak
    case UInt8(ascii: "o"): return .unowned
    case UInt8(ascii: "u"): return .unmanaged
    default: return .strong
    }
  }

  /// Whether it is the empty tuple, which is also what the runtime answers for a type it cannot show.
  package var isVoid: Bool { hasText("yt") }

  /// Whether it is a function that is to be asked for the type. The compiler writes one for types that cannot be copied,
  /// which answers with an empty tuple: readers of today would copy the value (`lib/IRGen/GenReflection.cpp`).
  package var isAccessor: Bool { length > 0 && byte(0) == 0x09 }

  /// Whether it is a function as the compiler lowers it, or an optional of one, which no metadata describes: `…Ieg_`,
  /// `…Ieg_Sg`.
  package var isLoweredFunction: Bool {
    var end = length
    while end > 2, byte(end - 2) == UInt8(ascii: "S"), byte(end - 1) == UInt8(ascii: "g") { end -= 2 }
    guard end > 3, byte(end - 1) == UInt8(ascii: "_") else { return false }
    return (0..<end - 1).contains { byte($0) == UInt8(ascii: "I") }
  }

  /// Whether it is a generic class, whatever its arguments: a reference to its descriptor, the arguments, `G`. Values are then
  /// one pointer, and the object tells its own class.
  package var isGenericClass: Bool {
    guard length > 5, byte(length - 1) == UInt8(ascii: "G"), byte(0) == 0x01 || byte(0) == 0x02 else { return false }
    var descriptor = start + 1 + Int((start + 1).loadUnaligned(as: Int32.self))
    // 2: the address of the descriptor's address, for one in another image.
    if byte(0) == 0x02 {
      guard let found = descriptor.loadUnaligned(as: UnsafeRawPointer?.self) else { return false }
      descriptor = found
    }
    let kind = descriptor.loadUnaligned(as: UInt32.self) & MetadataLayout.contextKindMask
    return kind == MetadataLayout.ContextKind.class.rawValue
  }

  private func byte(_ index: Int) -> UInt8 { start.load(fromByteOffset: index, as: UInt8.self) }

  /// Whether values are known by the address of a box on the heap: a captured variable, `…XX` and `…_XX`.
  package var isBox: Bool {
    hasText("Bo")
      || length > 2 && byte(length - 2) == UInt8(ascii: "X")
        && "xXb".utf8.contains(byte(length - 1))
  }

  private func hasText(_ text: StaticString) -> Bool {
    guard length == text.utf8CodeUnitCount else { return false }
    return (0..<length).allSatisfy { byte($0) == text.utf8Start[$0] }
  }

  /// The type, in the generic context of the record it was found in; `nil` where the runtime does not resolve it.
  package func resolved(
    context: UnsafeRawPointer? = nil, arguments: UnsafeRawPointer? = nil
  ) -> TypeMetadata? {
    csr_type_by_mangled_name(
      start.assumingMemoryBound(to: CChar.self), length, context,
      arguments?.assumingMemoryBound(to: Optional<UnsafeRawPointer>.self)
    ).map(TypeMetadata.init(pointer:))
  }
}
