/// Numbers as text without Foundation: a fixed count of decimals, and thousands set apart by a space.
public enum NumberText {
  /// `value` with exactly `decimals` digits after the point, rounded half away from zero: `fixed(2.25, decimals: 1)` is
  /// `"2.3"`. No exponent below 10¹⁵; beyond that, and for infinities and NaN, Swift's own description.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    let places = min(max(decimals, 0), 9)
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled.isFinite, scaled < 9e15 else { return value.description }
    let units = UInt64(scaled)
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    let whole = units / UInt64(scale)
    let fraction = String(units % UInt64(scale))
    return sign + String(whole) + "." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// `count` with its digits in groups of three: `"18 200"`.
  public static func grouped(_ count: some BinaryInteger) -> String {
    let digits = String(count.magnitude)
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(" ") }
      text.append(digit)
    }
    return text
  }
}

/// Whether a formatted quantity shows a sign when it is not negative.
public enum SignDisplay: Sendable {
  /// A minus sign where there is one, nothing otherwise.
  case negativeOnly
  /// `+` for positive values and zero too: for changes.
  case always
}

/// Text that was meant to be a quantity and is not one.
///
/// `description` is one line that says what was read, what is wrong with it, and what can be typed instead.
public struct QuantityParseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text as it was given.
  public let text: String
  /// What is wrong with it.
  public let problem: String
  /// Examples of what is understood.
  public let expected: String

  /// One line: the text, what is wrong with it, what can be typed instead.
  public var description: String { "'\(text)' \(problem); write it like \(expected)" }
}

/// A decimal number followed by a unit, cut apart: shared by every parser of this module.
struct NumberAndUnit {
  let number: Double
  let unit: Substring

  /// Reads digits, an optional point and digits from the front of `text`; the rest, without spaces around it, is the
  /// unit. `nil` where no digit leads (a sign included: no quantity typed by a user here is negative).
  init?(_ text: Substring) {
    var end = text.startIndex
    var digits = 0
    var points = 0
    while end < text.endIndex {
      let character = text[end]
      if character.isASCII, character.isNumber {
        digits += 1
      } else if character == ".", points == 0 {
        points += 1
      } else {
        break
      }
      end = text.index(after: end)
    }
    guard digits > 0, let number = Double(text[..<end]), number.isFinite else { return nil }
    self.number = number
    var unit = text[end...]
    while unit.first == " " { unit.removeFirst() }
    while unit.last == " " { unit.removeLast() }
    self.unit = unit
  }
}
