/// The fields or cases of a type.
package struct DescribedFields: Sendable {
  package var fields: [DescribedField] = []
  /// How many the type has by its own descriptor, which is there even where the records are not.
  package var declaredCount = 0
  /// Whether there is a record for each.
  package var isComplete: Bool { fields.count >= declaredCount }
}
