/// The sizes of fields of types whose size does not depend on where they are used.
///
/// Source: the standard library's own layouts on 64-bit machines, checked by the tests with `MemoryLayout`.
enum FieldSize {
  private static let known: [String: UInt64] = [
    "Swift.Bool": 1, "Swift.Int8": 1, "Swift.UInt8": 1, "Swift.Int16": 2, "Swift.UInt16": 2, "Swift.Int32": 4,
    "Swift.UInt32": 4, "Swift.Float": 4, "Swift.Unicode.Scalar": 4, "Swift.Int": 8, "Swift.UInt": 8, "Swift.Int64": 8,
    "Swift.UInt64": 8, "Swift.Double": 8, "Swift.Int128": 16, "Swift.UInt128": 16, "Swift.String": 16,
    "Swift.Character": 16, "Swift.Substring": 32, "Any": 32, "Swift.AnyObject": 8, "Swift.ObjectIdentifier": 8,
    "Swift.Duration": 16, "Swift.UnsafeRawPointer": 8, "Swift.UnsafeMutableRawPointer": 8, "Swift.OpaquePointer": 8,
  ]

  /// Bytes; `nil` where they are not known.
  static func of(_ type: String, _ reference: StoredProperty.Reference?) -> UInt64? {
    if reference != nil { return 8 }
    if let size = known[type] { return size }
    if type.hasPrefix("["), type.hasSuffix("]") { return 8 }
    for name in ["Swift.Set<", "Swift.UnsafePointer<", "Swift.UnsafeMutablePointer<"]
    where type.hasPrefix(name) && type.hasSuffix(">") && !type.dropLast().contains(">") {
      return 8
    }
    guard type.hasSuffix("?") else { return nil }
    // Where all bits of a value are in use, an optional has a byte more.
    let wrapped = String(type.dropLast())
    switch wrapped {
    case "Swift.Int8", "Swift.UInt8", "Swift.Int16", "Swift.UInt16", "Swift.Int32", "Swift.UInt32", "Swift.Float",
      "Swift.Int", "Swift.UInt", "Swift.Int64", "Swift.UInt64", "Swift.Double", "Swift.Int128", "Swift.UInt128",
      "Swift.Duration":
      return known[wrapped].map { $0 + 1 }
    case "Swift.UnsafeRawPointer", "Swift.UnsafeMutableRawPointer", "Swift.OpaquePointer", "Swift.Bool", "Swift.String",
      "Swift.Character", "Swift.AnyObject":
      return known[wrapped]
    default: return wrapped.hasPrefix("[") && wrapped.hasSuffix("]") ? 8 : nil
    }
  }
}
