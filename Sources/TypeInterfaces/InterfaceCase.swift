/// A case of an enum.
public struct InterfaceCase: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The types it carries, with labels: `(radius: Double)`; `nil` for a case without a payload.
  public var payload: String?
  /// Whether it was declared `indirect`, or its enum was.
  public var isIndirect: Bool

  /// The declaration: `indirect case nested(Shape)`.
  public var declaration: String {
    (isIndirect ? "indirect " : "") + "case " + SourceName.quoted(name) + (payload ?? "")
  }
}
