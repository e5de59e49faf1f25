// Floor 4, text: brackets on one line.

/// A bracket that the parts of a node stand in.
struct OpenBracket: BitwiseCopyable {
  var depth: UInt32
  var closing: UInt8
}
