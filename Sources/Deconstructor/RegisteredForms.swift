// Floor 4: forms for types of others.
import SwiftMetadata
import Synchronization

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
