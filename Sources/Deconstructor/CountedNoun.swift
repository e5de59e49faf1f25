// Floor 4, text: numbers of things.
import MeasurementText

/// `1 byte`, `18 200 bytes`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(NumberText.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}
