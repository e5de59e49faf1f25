// Floor 3, in process: what reading values of a type takes, made once for each type.
import Synchronization

/// How values of one type are taken apart.
///
/// Plans are shared by the whole process and never go away: there are as many as types that were looked at.
package final class TypePlan: Sendable {
  /// What values of a type consist of.
  package enum Shape: Sendable {
    case structure([FieldPlan])
    /// A class: its own fields first, then those of each class above it.
    case object([FieldPlan])
    case tuple([FieldPlan])
    case enumeration([CasePlan])
    case optional(TypePlan)
    /// `count` values, one behind the other.
    case fixedArray(count: Int, element: TypePlan)
    case existential(ExistentialKind)
    /// A type of which only one value exists (`nil`: the value says which class).
    case metatype(TypePlan?)
    case existentialMetatype
    case function
    /// Imported from C without a record of its fields.
    case foreign
    /// The module was built without the records that this needs.
    case stripped
    /// Nothing of it can be read.
    case opaque
  }

  /// How the value of a protocol type is kept.
  package enum ExistentialKind: Sendable {
    /// Three words for the value or its box, then its type.
    case opaque
    case object
    case error
  }

  package let metadata: TypeMetadata
  /// The name with its modules.
  package let qualifiedName: String
  /// The name as a programmer writes it.
  package let name: String

  private final class MadeShape: Sendable {
    let shape: Shape
    init(_ shape: Shape) { self.shape = shape }
  }
  private let made = AtomicLazyReference<MadeShape>()

  private init(_ metadata: TypeMetadata) {
    self.metadata = metadata
    qualifiedName = RuntimeTypeName.qualified(metadata.type)
    name = Self.name(of: metadata, qualifiedName)
  }

  /// The name as a programmer writes it. The runtime writes protocol types without `any`, so names of standard types are put
  /// together from those of their arguments.
  private static func name(of metadata: TypeMetadata, _ qualified: String) -> String {
    func argument(_ index: Int) -> String? {
      metadata.type(at: MetadataLayout.valueHeaderSize + index * MetadataLayout.wordSize).map { TypePlan.of($0).name }
    }
    switch metadata.kind {
    case .existential, .extendedExistential:
      let name = RuntimeTypeName.readable(qualified)
      return name == "Any" || name == "AnyObject" || name.hasPrefix("any ") ? name : "any " + name
    case .optional:
      guard let wrapped = argument(0) else { break }
      let isCompound = wrapped.hasPrefix("any ") || wrapped.contains(" -> ") && !wrapped.hasPrefix("[")
      return isCompound ? "(\(wrapped))?" : wrapped + "?"
    case .struct where qualified.hasPrefix("Swift.Array<") && qualified.hasSuffix(">"):
      if let element = argument(0) { return "[\(element)]" }
    case .struct where qualified.hasPrefix("Swift.Dictionary<") && qualified.hasSuffix(">"):
      if let key = argument(0), let value = argument(1) { return "[\(key): \(value)]" }
    default: break
    }
    return RuntimeTypeName.readable(qualified)
  }

  /// What values consist of. Made at the first call, since types may contain themselves.
  package var shape: Shape {
    if let made = made.load() { return made.shape }
    return made.storeIfNil(MadeShape(makeShape())).shape
  }

  /// The module that declares it, for a struct, class or enum.
  package var module: Substring { qualifiedName.prefix { $0 != "." && $0 != "<" && $0 != "(" } }

  // MARK: The cache

  private static let plans = Mutex<[TypeMetadata: TypePlan]>([:])

  /// The plan of a type.
  package static func of(_ type: Any.Type) -> TypePlan { of(TypeMetadata(type)) }

  package static func of(_ metadata: TypeMetadata) -> TypePlan {
    if let known = plans.withLock({ $0[metadata] }) { return known }
    // Made outside the lock: names are made by the runtime, which has locks of its own.
    let plan = TypePlan(metadata)
    return plans.withLock { plans in
      if let known = plans[metadata] { return known }
      plans[metadata] = plan
      return plan
    }
  }
}
