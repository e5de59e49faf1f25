// Floor 4, walk: types whose values are one readable word.
import SwiftMetadata

/// Which types are leaves, and how each is read.
enum LeafTypes {
  private static let inPlace: [TypeMetadata: Form.Handling] = {
    let types: [(Any.Type, Form.Handling)] = [
      (Int.self, .int64), (Int8.self, .int8), (Int16.self, .int16), (Int32.self, .int32), (Int64.self, .int64),
      (UInt.self, .uint64), (UInt8.self, .uint8), (UInt16.self, .uint16), (UInt32.self, .uint32),
      (UInt64.self, .uint64), (Float.self, .float), (Double.self, .double), (Bool.self, .bool),
      (String.self, .string), (Substring.self, .substring), (Character.self, .character),
      (OpaquePointer.self, .pointer), (UnsafeRawPointer.self, .pointer), (UnsafeMutableRawPointer.self, .pointer),
      (ObjectIdentifier.self, .pointer), (UnsafeRawBufferPointer.self, .bufferPointer),
      (UnsafeMutableRawBufferPointer.self, .bufferPointer),
    ]
    return Dictionary(types.map { (TypeMetadata($0), $1) }, uniquingKeysWith: { first, _ in first })
  }()

  private static let genericPointers = [
    ("Swift.Task<", Form.Handling.task), ("Swift.UnsafePointer<", Form.Handling.pointer),
    ("Swift.UnsafeMutablePointer<", .pointer),
    ("Swift.AutoreleasingUnsafeMutablePointer<", .pointer), ("Swift.Unmanaged<", .pointer),
    ("Swift.UnsafeBufferPointer<", .bufferPointer), ("Swift.UnsafeMutableBufferPointer<", .bufferPointer),
  ]

  /// Modules of the toolchain: their descriptions neither dump themselves nor change what they describe.
  private static let toolchain: Set<Substring> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
    "Synchronization", "Dispatch", "_Concurrency", "Observation", "_StringProcessing", "RegexBuilder", "SystemPackage",
    "System",
  ]

  static func isOfToolchain(_ plan: TypePlan) -> Bool { toolchain.contains(plan.module) }

  /// How a leaf is read; `nil` for types that have parts.
  static func handling(of plan: TypePlan, isRaw: Bool) -> Form.Handling? {
    if let known = inPlace[plan.metadata] { return known }
    switch plan.metadata.kind {
    case .class: return isRaw ? nil : classHandling(plan)
    case .struct, .enum: break
    default: return nil
    }
    guard toolchain.contains(plan.module) else { return nil }
    let name = plan.qualifiedName
    if let pointer = genericPointers.first(where: { name.hasPrefix($0.0) }) { return pointer.1 }
    // Leaves of the standard library whose stored fields are the compiler's own say nothing even to a raw view.
    if isRaw, !builtinLeaves.contains(name) { return nil }
    if name == "Foundation.Date" || name == "FoundationEssentials.Date" { return .date }
    guard isDescribed(plan), !hasForeignArguments(name) else { return nil }
    return .described
  }

  private static let builtinLeaves: Set<String> = [
    "Swift.Float16", "Swift.Float80", "Swift.Int128", "Swift.UInt128", "Swift.StaticString", "Swift.Unicode.Scalar",
  ]

  private static func isDescribed(_ plan: TypePlan) -> Bool {
    let type = plan.metadata.type
    return type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
  }

  /// Whether a generic type has arguments whose own descriptions would be asked.
  private static func hasForeignArguments(_ name: String) -> Bool {
    guard let start = name.firstIndex(of: "<") else { return false }
    var rest = name[name.index(after: start)...]
    while !rest.isEmpty {
      // A member of a generic type, behind its arguments, begins with a dot.
      let isMember = rest.hasPrefix(".")
      let path = rest.drop { $0 == "." }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if !isMember, let first = path.first, first.isLetter || first == "_",
        !toolchain.contains(path.prefix { $0 != "." })
      {
        return true
      }
      rest = rest[path.endIndex...]
      if path.isEmpty { rest = rest.dropFirst() }
    }
    return false
  }

  /// Classes that stand for values.
  private static func classHandling(_ plan: TypePlan) -> Form.Handling? {
    let type = plan.metadata.type
    if type is AnyKeyPath.Type { return .describedObject }
    guard plan.module == "Foundation" || plan.module == "FoundationEssentials" else { return nil }
    return foundationValues.contains(plan.name) ? .describedObject : nil
  }

  private static let foundationValues: Set<String> = [
    "NSString", "NSMutableString", "NSNumber", "NSDecimalNumber", "NSURL", "NSUUID", "NSDate", "NSData",
    "NSMutableData", "NSNull", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet",
    "NSMutableSet", "NSOrderedSet", "NSIndexSet", "NSIndexPath", "NSLocale", "NSTimeZone", "NSError",
  ]
}
