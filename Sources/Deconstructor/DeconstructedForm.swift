// Floor 4: what a type shows of itself.

/// What a type shows of itself.
public struct DeconstructedForm {
  enum Content {
    case text(String)
    case parts([(label: String?, value: Any)])
  }

  let content: Content

  /// One word or line, without parts. Line breaks are written as `\n`.
  public static func text(_ text: String) -> DeconstructedForm { DeconstructedForm(content: .text(text)) }

  /// Parts with labels, taken apart in turn.
  public static func parts(_ parts: KeyValuePairs<String, Any>) -> DeconstructedForm {
    DeconstructedForm(content: .parts(parts.map { ($0.key, $0.value) }))
  }
}
