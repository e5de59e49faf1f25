// Floor 4: what is typed in a debug session.

/// Takes a value apart and prints it: every part once, with types, reference kinds, cycles and memory.
///
/// ```
/// Order #1
///   let id: Int = 42
///   customer: Customer #2
///     weak latest: Order? = #1, a cycle
/// ```
///
/// The text is bounded by the options, and written to standard output at once when it is complete. See
/// ``Deconstruction`` for the costs and for what is safe.
///
/// - Parameters:
///   - value: any value. The fields of an actor are read without waiting for it.
///   - options: how far, and how the text looks.
/// - Returns: the value, so that a call can be put around an expression.
@discardableResult
public func deconstruct<Value>(_ value: Value, options: DeconstructionOptions = DeconstructionOptions()) -> Value {
  let deconstruction = Deconstruction(of: value, options: options)
  StandardOutput.write(deconstruction)
  return value
}

/// Takes a value apart and writes the text to a stream, long ones in pieces.
@discardableResult
public func deconstruct<Value, Stream: TextOutputStream>(
  _ value: Value, to stream: inout Stream, options: DeconstructionOptions = DeconstructionOptions()
) -> Value {
  Deconstruction(of: value, options: options).write(to: &stream)
  return value
}

/// Does what ``deconstruct(_:options:)`` does in builds for debugging (`-Onone`, as `assert` has it), and nothing in release:
/// the value is not even computed, and an optimizer leaves nothing of the call.
///
/// What counts is how the *caller* is built: the function is part of it.
@_alwaysEmitIntoClient @inlinable
public func debugDeconstruct<Value>(
  _ value: @autoclosure () -> Value, options: @autoclosure () -> DeconstructionOptions = DeconstructionOptions()
) {
  if _isDebugAssertConfiguration() { deconstruct(value(), options: options()) }
}
