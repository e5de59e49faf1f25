// Floor 3, in process: one stored field of a type.

/// Where a stored field is, what it is called, and how it holds its value.
package struct FieldPlan: Sendable {
  /// How a field refers to an object.
  package enum Ownership: UInt8, Sendable {
    case strong, weak, unowned
    /// `unowned(unsafe)`: the address may be of anything by now.
    case unmanaged
  }

  /// What the compiler has made of the declaration.
  package enum Storage: UInt8, Sendable {
    /// The field is stored as declared.
    case plain
    /// The storage of a `lazy` variable: empty until it is first read.
    case lazy
    /// The wrapper of a variable with a property wrapper.
    case wrapper
    /// Kept by the compiler or a macro for itself.
    case hidden
  }

  /// The name in the source.
  package let name: String
  /// The name of the storage: `_y` where the source has `@Clamped var y`.
  package let storageName: String
  package let storage: Storage
  package let isVariable: Bool
  package let ownership: Ownership
  /// Bytes from the start of the value or object.
  package let offset: Int
  /// `nil` where the runtime does not resolve the type.
  package let type: TypePlan?
  /// Whether the value cannot be copied, which is all that is recorded of its type.
  package let isNoncopyable: Bool
  /// The class that declares it, where that is not the class itself.
  package let owner: TypePlan?

  /// The value of the field, in a value or object at `base`, which must be of the plan's type; `nil` where it cannot be
  /// copied. A copy, and an allocation for more than three words.
  package func value(in base: UnsafeRawPointer) -> Any? {
    guard let type, type.metadata.isCopyable, ownership == .strong else { return nil }
    func load<T>(_: T.Type) -> Any { (base + offset).assumingMemoryBound(to: T.self).pointee }
    return _openExistential(type.metadata.type, do: load)
  }
}
