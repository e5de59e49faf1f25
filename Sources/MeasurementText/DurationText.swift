/// Spans of time as text, and back.
public enum DurationText {
  /// `duration` for a reader, two units at the most: `"22 min 30 s"`, `"2 h"`, `"1.2 s"`, `"388 µs"`.
  public static func format(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    return format(seconds: Double(whole) + Double(attoseconds) * 1e-18)
  }

  /// `seconds` for a reader, two units at the most.
  public static func format(seconds: Double) -> String {
    guard seconds.isFinite else { return "\(seconds) s" }
    let sign = seconds < 0 ? "-" : ""
    let magnitude = seconds.magnitude
    switch magnitude {
    case 0: return "0 s"
    case ..<0.9995e-6: return sign + NumberText.fixed(magnitude * 1e9, decimals: 0) + " ns"
    case ..<0.9995e-3: return sign + threeDigits(magnitude * 1e6) + " µs"
    case ..<0.9995: return sign + threeDigits(magnitude * 1e3) + " ms"
    case ..<59.95: return sign + trimmed(NumberText.fixed(magnitude, decimals: 1)) + " s"
    case ..<1e15: return sign + wholeUnits(UInt64(magnitude.rounded()))
    default: return "\(seconds) s"
    }
  }

  /// Reads a span: `90s`, `2h`, `1h30m`, `250ms`, `1.5d`. A bare number is seconds, as for `sleep`.
  public static func parse(_ text: String) throws(QuantityParseError) -> Duration {
    let expected = "500ms, 90s, 30m, 2h or 1h30m"
    var rest = text[...]
    var seconds = 0.0
    repeat {
      // One number and its unit: up to where the next number begins.
      let unitStart = rest.firstIndex { !($0.isASCII && $0.isNumber) && $0 != "." } ?? rest.endIndex
      let next = rest[unitStart...].firstIndex { $0.isASCII && $0.isNumber } ?? rest.endIndex
      guard let part = NumberAndUnit(rest[..<next]) else {
        throw QuantityParseError(text: text, problem: "is not a span of time", expected: expected)
      }
      guard let scale = scale(ofUnit: part.unit) else {
        throw QuantityParseError(text: text, problem: "has an unknown unit '\(part.unit)'", expected: expected)
      }
      seconds += part.number * scale
      rest = rest[next...]
    } while !rest.isEmpty
    // A hundred years: far beyond any run, and still 64 bits of nanoseconds.
    guard seconds < 3_155_760_000 else {
      throw QuantityParseError(text: text, problem: "is longer than a hundred years", expected: expected)
    }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  private static func scale(ofUnit unit: Substring) -> Double? {
    switch unit {
    case "ns": 1e-9
    case "us", "µs": 1e-6
    case "ms": 1e-3
    case "", "s", "sec", "second", "seconds": 1
    case "m", "min", "minute", "minutes": 60
    case "h", "hour", "hours": 3600
    case "d", "day", "days": 86_400
    default: nil
    }
  }

  private static func threeDigits(_ value: Double) -> String {
    trimmed(NumberText.fixed(value, decimals: value < 9.995 ? 2 : value < 99.95 ? 1 : 0))
  }

  private static func trimmed(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = text
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private static func wholeUnits(_ seconds: UInt64) -> String {
    func two(_ large: UInt64, _ largeName: String, _ small: UInt64, _ smallName: String) -> String {
      small == 0 ? "\(large) \(largeName)" : "\(large) \(largeName) \(small) \(smallName)"
    }
    if seconds < 3600 { return two(seconds / 60, "min", seconds % 60, "s") }
    let minutes = (seconds + 30) / 60
    if minutes < 1440 { return two(minutes / 60, "h", minutes % 60, "min") }
    let hours = (minutes + 30) / 60
    return two(hours / 24, "d", hours % 24, "h")
  }
}
