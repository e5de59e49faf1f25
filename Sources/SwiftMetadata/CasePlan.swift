// Floor 3, in process: one case of an enum.

/// A case of an enum; its place in the plan is its number.
package struct CasePlan: Sendable {
  /// What a case carries.
  package enum Payload: Sendable {
    case none
    case value(TypePlan)
    /// There is one, of a type that the runtime does not resolve.
    case unresolved
  }

  package let name: String
  package let payload: Payload
  /// Whether the payload lies in a box on the heap.
  package let isIndirect: Bool
}
