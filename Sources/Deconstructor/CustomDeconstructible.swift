// Floor 4: how a type chooses its own form.
import SwiftMetadata
import Synchronization

/// A type that says itself how it is to be shown by `deconstruct`, whatever its `description` is made for.
public protocol CustomDeconstructible {
  /// What to show. Called while a value is taken apart, on the thread that asked; a call of `deconstruct` in it shows stored
  /// fields only, so that it comes to an end.
  var deconstructedForm: DeconstructedForm { get }
}

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

/// Forms for types that you don't own.
public enum RegisteredForms {
  /// Shows values of exactly this type in a form of your own from now on, in the whole process. The last registration
  /// counts; types that conform to ``CustomDeconstructible`` are overridden too.
  ///
  /// ```swift
  /// RegisteredForms.register(for: Money.self) { .text("\($0.cents / 100) \($0.currency)") }
  /// ```
  public static func register<Value>(
    for type: Value.Type, _ form: @escaping @Sendable (Value) -> DeconstructedForm
  ) {
    let box: AnyForm = { ($0 as? Value).map(form) }
    forms.withLock { $0[TypeMetadata(type)] = box }
  }

  /// Shows values of this type as they were shown before.
  public static func remove(for type: Any.Type) { forms.withLock { $0[TypeMetadata(type)] = nil } }

  typealias AnyForm = @Sendable (Any) -> DeconstructedForm?
  private static let forms = Mutex<[TypeMetadata: AnyForm]>([:])

  static func has(_ type: TypeMetadata) -> Bool { forms.withLock { $0[type] != nil } }

  /// The form of a value, by registration or its own.
  static func form(of value: Any) -> DeconstructedForm? {
    let registered = forms.withLock { $0[TypeMetadata(Swift.type(of: value))] }
    return registered?(value) ?? (value as? any CustomDeconstructible)?.deconstructedForm
  }
}
