// Floor 5: what is said where others may have had a part.

/// Says that other tests ran meanwhile, and what to do about it.
enum MeanwhileText {
  private static let cures =
    "a suite that is .serialized and filtered alone, or an exit test, has the process to itself"

  static func growth(_ otherAssertions: Int) -> String {
    "other threads were allocating meanwhile\(assertions(otherAssertions)): "
      + "counts of types that other tests use too may be theirs;\n" + cures
  }

  static func figures(_ subject: String, _ otherAssertions: Int) -> String {
    "other threads were allocating meanwhile\(assertions(otherAssertions)): "
      + "their memory is part of \(subject);\n" + cures
  }

  private static func assertions(_ count: Int) -> String {
    switch count {
    case 0: ""
    case 1: " (1 other memory assertion ran)"
    default: " (\(count) other memory assertions ran)"
    }
  }
}
