// Floor 4: how a type chooses its own form.

/// A type that says itself how it is to be shown by `deconstruct`, whatever its `description` is made for.
public protocol CustomDeconstructible {
  /// What to show. Called while a value is taken apart, on the thread that asked; a call of `deconstruct` in it shows stored
  /// fields only, so that it comes to an end.
  var deconstructedForm: DeconstructedForm { get }
}
