/// A stored property or an enum case, as its record in the reflection sections has it.
package struct DescribedField: Hashable, Sendable {
  package var name: String
  /// With modules, as the demangler writes it; `nil` for a case without a payload, and where it cannot be read.
  package var type: String?
  package var isVariable: Bool
  package var isIndirect: Bool
  /// Whether the compiler made it: the storage of a property wrapper, of a default actor.
  package var isArtificial: Bool
}
