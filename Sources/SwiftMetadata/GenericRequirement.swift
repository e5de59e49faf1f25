/// What is asked of a generic parameter: `A: Swift.Hashable`, `A.Element == Swift.Int`.
package struct GenericRequirement: Hashable, Sendable {
  /// The parameter, or what belongs to it: `A.Element`.
  package var parameter: String
  /// `:` or `==`.
  package var relation: String
  /// The protocol, the class or the type.
  package var subject: String

  package init(_ parameter: String, _ relation: String, _ subject: String) {
    (self.parameter, self.relation, self.subject) = (parameter, relation, subject)
  }

  package var text: String { parameter + (relation == ":" ? ": " : " \(relation) ") + subject }
}
