/// Amounts of memory as text, and back.
///
/// Written with binary units and one decimal (`"41.2 MiB"`), because memory is handed out in powers of two; read in the
/// units people type, binary (`MiB`) and decimal (`MB`) told apart.
public enum ByteText {
  private static let units: [(name: String, bytes: Double)] = [
    ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("TiB", 1_099_511_627_776),
  ]

  /// `bytes` for a reader: exact below 1 KiB (`"688 bytes"`), one decimal from there on (`"1.3 KiB"`, `"41.2 MiB"`).
  public static func format(_ bytes: some BinaryInteger, sign: SignDisplay = .negativeOnly) -> String {
    format(Double(bytes), sign: sign)
  }

  /// `bytes` for a reader; a fraction of a byte is rounded away.
  public static func format(_ bytes: Double, sign: SignDisplay = .negativeOnly) -> String {
    guard bytes.isFinite else { return "\(bytes) bytes" }
    let magnitude = bytes.magnitude
    let prefix = bytes <= -0.5 ? "-" : sign == .always ? "+" : ""
    if magnitude < 1023.5 {
      let count = UInt64(magnitude.rounded())
      return prefix + String(count) + (count == 1 ? " byte" : " bytes")
    }
    // The unit is chosen on the rounded figure, so that 1 048 575 bytes read "1.0 MiB" and never "1024.0 KiB".
    let unit = units.first { magnitude < $0.bytes * 1023.95 } ?? units[units.count - 1]
    return prefix + NumberText.fixed(magnitude / unit.bytes, decimals: 1) + " " + unit.name
  }

  /// A rate for a reader: an hour below 1 GiB/h, a minute below 1 GiB/min, a second from there on: `"+110.0 MiB/h"`.
  public static func formatRate(bytesPerHour: Double, sign: SignDisplay = .always) -> String {
    let time = timeUnit(bytesPerHour: bytesPerHour)
    return format(bytesPerHour / time.perHour, sign: sign) + "/" + time.name
  }

  /// A rate and an interval around it, all in the unit of the rate: `"+110.0 MiB/h"` and `"101.2 to 118.0"`.
  public static func formatRate(
    bytesPerHour: Double, between low: Double, and high: Double
  ) -> (rate: String, interval: String) {
    let rate = formatRate(bytesPerHour: bytesPerHour)
    let unit = units.last { rate.contains(" " + $0.name + "/") }?.bytes ?? 1
    let perHour = timeUnit(bytesPerHour: bytesPerHour).perHour
    let ends = [low, high].map { NumberText.fixed($0 / perHour / unit, decimals: unit == 1 ? 0 : 1) }
    return (rate, ends[0] + " to " + ends[1])
  }

  private static func timeUnit(bytesPerHour: Double) -> (name: String, perHour: Double) {
    let gibibyte = 1_073_741_824.0
    if bytesPerHour.magnitude < gibibyte { return ("h", 1) }
    return bytesPerHour.magnitude < 60 * gibibyte ? ("min", 60) : ("s", 3600)
  }

  /// Reads an amount: `4096`, `1MiB`, `1.5 GiB`, `500kB`. A bare number is bytes; `K`, `M`, `G`, `T` alone are binary,
  /// as in `ulimit`, `dd` and `free`; upper and lower case are the same, except that nothing here is bits.
  public static func parse(_ text: String) throws(QuantityParseError) -> UInt64 {
    let expected = "512KiB, 1MiB, 1.5GiB or 500kB"
    guard let parts = NumberAndUnit(text[...]) else {
      throw QuantityParseError(text: text, problem: "is not an amount of memory", expected: expected)
    }
    guard let scale = scale(ofUnit: parts.unit) else {
      throw QuantityParseError(text: text, problem: "has an unknown unit '\(parts.unit)'", expected: expected)
    }
    let bytes = (parts.number * scale).rounded()
    // 2⁶³ is the bound, and not 2⁶⁴, so that every amount read can also stand as a signed change.
    guard bytes < 9.2e18 else {
      throw QuantityParseError(text: text, problem: "is more memory than can be addressed", expected: expected)
    }
    return UInt64(bytes)
  }

  /// Reads an amount per time: `1MiB/min`, `300kB/s`, `2GiB/h`. The result is bytes per second.
  public static func parseRate(_ text: String) throws(QuantityParseError) -> Double {
    let expected = "1MiB/min, 300kB/s or 2GiB/h"
    guard let slash = text.lastIndex(of: "/") else {
      throw QuantityParseError(text: text, problem: "names no time", expected: expected)
    }
    let bytes = try parse(String(text[..<slash]))
    switch text[text.index(after: slash)...] {
    case "s", "sec", "second": return Double(bytes)
    case "m", "min", "minute": return Double(bytes) / 60
    case "h", "hour": return Double(bytes) / 3600
    case let unit: throw QuantityParseError(text: text, problem: "has an unknown time '\(unit)'", expected: expected)
    }
  }

  private static func scale(ofUnit unit: Substring) -> Double? {
    switch unit.lowercased() {
    case "", "b", "byte", "bytes": 1
    case "k", "ki", "kib": 1024
    case "m", "mi", "mib": 1_048_576
    case "g", "gi", "gib": 1_073_741_824
    case "t", "ti", "tib": 1_099_511_627_776
    case "kb": 1e3
    case "mb": 1e6
    case "gb": 1e9
    case "tb": 1e12
    default: nil
    }
  }
}
