import Foundation

/// A strict reader of Chrome's trace format, written from its rules ("Trace Event Format", section "Async Events"), and
/// from what Perfetto's importer drops.
struct ChromeTrace {
  struct Slice: Equatable {
    let name: String
    let id: String
    /// In nanoseconds.
    let start: Int
    let end: Int
    let depth: Int
    let isRunning: Bool
  }

  struct Violation: Error { let text: String }

  let slices: [Slice]
  let processNames: [String]

  init(_ json: String) throws {
    // Foundation reads a comma too many; others do not.
    guard !json.contains(/,\s*[\]}]/) else { throw Violation(text: "a comma too many") }
    guard let top = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else {
      throw Violation(text: "not an object")
    }
    guard let unit = top["displayTimeUnit"] as? String, ["ns", "ms"].contains(unit) else {
      throw Violation(text: "displayTimeUnit")
    }
    guard let events = top["traceEvents"] as? [[String: Any]] else { throw Violation(text: "traceEvents") }
    var open: [String: [(name: String, start: Int, isRunning: Bool)]] = [:]
    var slices: [Slice] = []
    var names: [String] = []
    var before = 0
    for event in events {
      guard let phase = event["ph"] as? String, let name = event["name"] as? String else {
        throw Violation(text: "an event without phase or name")
      }
      guard event["pid"] is Int, event["tid"] is Int else { throw Violation(text: "pid and tid must be integers") }
      if phase == "M" {
        guard let arguments = event["args"] as? [String: Any], let value = arguments["name"] as? String else {
          throw Violation(text: "metadata without a name")
        }
        names.append(value)
        continue
      }
      guard ["b", "e"].contains(phase) else { throw Violation(text: "phase \(phase)") }
      guard let category = event["cat"] as? String, let id = event["id"] as? String, id.hasPrefix("0x") else {
        throw Violation(text: "an asynchronous event without category or id")
      }
      guard let number = event["ts"] as? NSNumber else { throw Violation(text: "no time") }
      // Microseconds with three decimals; a double holds them exactly enough for 100 days.
      let time = Int((number.doubleValue * 1000).rounded())
      guard time >= before else { throw Violation(text: "time goes back at \(time)") }
      before = time
      let key = category + id
      if phase == "b" {
        let isRunning = (event["args"] as? [String: Any])?["running"] != nil
        open[key, default: []].append((name, time, isRunning))
      } else {
        // Ends close the innermost open slice of their category and id, which must be the one they name.
        guard let last = open[key]?.popLast() else { throw Violation(text: "an end without a begin: \(name)") }
        guard last.name == name else { throw Violation(text: "\(name) ends inside of \(last.name)") }
        slices.append(
          Slice(
            name: name, id: id, start: last.start, end: time, depth: open[key]?.count ?? 0, isRunning: last.isRunning))
      }
    }
    guard open.values.allSatisfy(\.isEmpty) else { throw Violation(text: "a begin without an end") }
    self.slices = slices
    processNames = names
  }
}
