/// The sizes of a type, in bytes.
public struct InterfaceLayout: Codable, Hashable, Sendable {
  /// Of a value; of a reference, for a class.
  public var size: UInt64
  /// From one value to the next in an array.
  public var stride: UInt64
  /// What addresses of values are multiples of; of objects, for a class.
  public var alignment: UInt64
  /// Of an object, its header of 16 bytes included; for classes and actors.
  public var instanceSize: UInt64?
}
