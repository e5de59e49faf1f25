/// The generic parameters of a type and what is asked of them.
package struct GenericSignature: Hashable, Sendable {
  /// The parameters as the demangler calls them, those of the types around it included: `A`, `B`, `A1`.
  package var parameters: [String] = []
  package var requirements: [GenericRequirement] = []
  /// Whether all of it could be read.
  package var isComplete = true
}
