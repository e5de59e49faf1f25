/// Whose compiler wrote an encoding. Few strings tell; those that differ mean different types.
public enum EncodingDialect: String, Sendable, Codable, CaseIterable {
  /// clang for Darwin: `r^i` is `const int *`, a bit-field is `b` and its width.
  case apple
  /// clang for GNUstep's libobjc2 (and for the GCC runtime): `r` as Apple has it, bit-fields as `b8i4`.
  case gnustep2
  /// GNU cc1obj: `r` belongs to what follows it (`r^i` is `int *const`), bit-fields as `b8i4`, vectors as `![16,16f]`.
  case gcc
}

/// What the bytes of an encoding prove about its dialect.
struct DialectEvidence {
  /// An `r` where clang never writes one: behind a pointer, inside an array or a record, twice in a row.
  var hasInnerConst = false
  /// `![16,16f]`: only cc1obj encodes vectors.
  var hasVector = false
  /// `b8i4`.
  var hasPositionedBits = false
  /// `b4`.
  var hasPlainBits = false

  /// The dialect that is proven, `nil` where the string would be the same in all of them.
  var proven: EncodingDialect? {
    if hasInnerConst || hasVector { return .gcc }
    if hasPositionedBits { return .gnustep2 }
    return hasPlainBits ? .apple : nil
  }

  /// The dialect to read with: the one that is proven, before the one that was asked for.
  func resolved(asked: EncodingDialect) -> EncodingDialect {
    switch proven {
    case .gcc: .gcc
    // GCC writes positioned bit-fields too; they rule out Apple and nothing else.
    case .gnustep2: asked == .apple ? .gnustep2 : asked
    case .apple: .apple
    case nil: asked
    }
  }
}
