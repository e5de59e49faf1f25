// Floor 4, walk: Foundation's dates, without Foundation.

/// Points in time as text, in UTC: the same on every machine.
enum DateText {
  /// `2026-11-30 10:00:00 UTC`, with a fraction where there is one.
  static func format(secondsSince2001 seconds: Double) -> String {
    guard seconds.magnitude < 1e13 else { return "\(seconds) s since 2001" }
    let milliseconds = Int((seconds * 1000).rounded(.down))
    let (wholeSeconds, fraction) = milliseconds.flooredDivision(by: 1000)
    let (day, second) = wholeSeconds.flooredDivision(by: 86_400)
    // 2001-01-01 is 11 323 days after 1970-01-01.
    let date = civil(daysSince1970: day + 11_323)
    var text = "\(date.year)-\(two(date.month))-\(two(date.day)) \(two(second / 3600)):\(two(second / 60 % 60)):"
    text += two(second % 60)
    if fraction > 0 {
      text += "." + String(repeating: "0", count: fraction < 10 ? 2 : fraction < 100 ? 1 : 0) + "\(fraction)"
    }
    return text + " UTC"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The Gregorian date of a day: Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int {
  fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
