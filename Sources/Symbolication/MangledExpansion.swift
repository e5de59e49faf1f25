/// How long a demangled name may get, estimated before it is demangled.
///
/// A mangled name refers back to what it has spelled out, so each few bytes can double the text: 184 bytes of Swift or
/// 210 of C++ make a hundred megabytes, and nothing in the runtimes stops at that. The estimate takes every reference for
/// the longest thing there was so far. It is far too high for most names and never matters for them.
struct MangledExpansion {
  /// Names with an estimate above this are not demangled: 16 MiB. Of 183 158 symbols of the toolchain's libraries, of
  /// Debian's and of this package's own tests it stops six, all templates of many levels.
  static let limit = 1 << 24

  private let bytes: [UInt8]
  private var position = 0
  /// The longest thing that could be referred to.
  private var longest = 64
  /// What has been written since each opening that is not closed.
  private var groups: [Int] = [0]
  private var total = 0

  private init(_ name: String) { bytes = Array(name.utf8) }

  /// Whether a name stays below the limit.
  static func isBounded(_ name: String, _ language: Demangler.Language) -> Bool {
    var scan = MangledExpansion(name)
    return language == .swift ? scan.swift() : scan.cxx()
  }

  // MARK: Writing

  /// Something that is written where the position is; `false` once it is too much.
  private mutating func write(_ size: Int) -> Bool {
    let last = groups.count - 1
    groups[last] = min(Self.limit + 1, groups[last] + size)
    total = min(Self.limit + 1, total + size)
    return total <= Self.limit
  }

  /// Closes the innermost opening: all that was written in it is a thing that can be referred to.
  private mutating func close() {
    // The outermost is never closed: it is what a stray closing finds.
    let size = groups.count > 1 ? groups.removeLast() : groups[0]
    longest = max(longest, size + 64)
    let last = groups.count - 1
    groups[last] = min(Self.limit + 1, groups[last] + size)
  }

  /// Passes over a number; `nil` where there is none.
  private mutating func number() -> Int? {
    let start = position
    var value = 0
    while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
      value = min(1 << 20, value * 10 + Int(bytes[position] & 15))
      position += 1
    }
    return position > start ? value : nil
  }

  /// An identifier, whose first digit has just been passed: its length, then as many letters.
  private mutating func identifier() -> Bool {
    position -= 1
    guard let length = number() else { return true }
    position = min(bytes.count, position + length)
    return write(length + 2)
  }

  // MARK: Swift

  /// `A` and letters refer back, with a count before a letter for several at once; `y` opens a list of arguments and `G`
  /// closes it; a number begins an identifier.
  private mutating func swift() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x30...0x39:
        if !identifier() { return false }
      case UInt8(ascii: "A"):
        if !references() { return false }
      case UInt8(ascii: "y"):
        // `yt` and `yy` are `()`: lists of nothing.
        if position < bytes.count, bytes[position] == UInt8(ascii: "t") || bytes[position] == UInt8(ascii: "y") {
          continue
        }
        groups.append(0)
      case UInt8(ascii: "G"): close()
      default: if !write(16) { return false }
      }
    }
    return true
  }

  /// `AB`, `AbC`, `A3B`, `A12_`: small letters go on, a capital ends.
  private mutating func references() -> Bool {
    while position < bytes.count {
      let count = number() ?? 1
      guard position < bytes.count else { return true }
      let letter = bytes[position]
      position += 1
      if !write(min(Self.limit, min(count, 2048) * longest)) { return false }
      let isSmall = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
      if !isSmall { return true }
    }
    return true
  }

  // MARK: C++

  /// `S0_` and `T0_` refer back; `I`, `N`, `F`, `J`, `X` open and `E` closes; a number begins an identifier.
  private mutating func cxx() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x30...0x39:
        if !identifier() { return false }
      case UInt8(ascii: "S"), UInt8(ascii: "T"):
        if isReference() {
          if !write(longest) { return false }
        } else {
          // `St`, `Sa`: abbreviations, spelled out at some length.
          position = min(bytes.count, position + 1)
          if !write(64) { return false }
        }
      case UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "F"), UInt8(ascii: "J"), UInt8(ascii: "X"):
        groups.append(0)
      case UInt8(ascii: "E"): close()
      default: if !write(16) { return false }
      }
    }
    return true
  }

  /// Passes over digits, capitals and an underscore behind `S` or `T`.
  private mutating func isReference() -> Bool {
    var end = position
    while end < bytes.count, bytes[end] >= 0x30 && bytes[end] <= 0x39 || bytes[end] >= 0x41 && bytes[end] <= 0x5A {
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "_") else { return false }
    position = end + 1
    return true
  }
}
