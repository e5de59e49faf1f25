import MeasurementText

extension SpanTrace {
  /// The trace in Chrome's JSON form, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
  ///
  /// Each span is an asynchronous pair, `b` and `e`, with the lane as its `id`: spans that overlap on one thread, as those
  /// of tasks do, would be dropped if they were complete events. Times are microseconds with three decimals. A span that was
  /// still open ends where the trace ends, and has the argument `running`.
  ///
  /// - Parameter processName: what the process is called in the trace; `nil` for no name.
  /// - Complexity: O(*n* log *n*); about 250 bytes for each span.
  public func chromeJSON(processName: String? = nil) -> String {
    var json = JSONText()
    json.object { json in
      json.field("displayTimeUnit", "ns")
      json.key("otherData")
      json.object { $0.field("spans not kept", String(unkeptCount)) }
      json.key("traceEvents")
      json.array { json in
        if let processName { json.processName(processName, processID) }
        for event in events { json.write(event, processID) }
        json.newLine()
      }
    }
    return json.text + "\n"
  }

  /// Begins and ends in the order of time; of each lane at every moment ends of inner spans before those of outer ones.
  private var events: [ChromeEvent] {
    var events: [ChromeEvent] = []
    var open: [Entry] = []
    func close(while condition: (Entry) -> Bool) {
      while let last = open.last, condition(last) {
        events.append(ChromeEvent(entry: last, isBegin: false))
        open.removeLast()
      }
    }
    for entry in entries {
      close { $0.lane != entry.lane || ($0.end <= entry.start && $0.end < entry.end) }
      events.append(ChromeEvent(entry: entry, isBegin: true))
      open.append(entry)
    }
    close { _ in true }
    // Within a lane they are in order already, which must stay where times are equal.
    return events.enumerated().sorted {
      $0.element.moment != $1.element.moment ? $0.element.moment < $1.element.moment : $0.offset < $1.offset
    }.map(\.element)
  }
}

extension SpanTrace.Entry {
  fileprivate var end: Duration { start + duration }
}

/// One half of a span.
private struct ChromeEvent {
  let entry: SpanTrace.Entry
  let isBegin: Bool

  var moment: Duration { isBegin ? entry.start : entry.end }
}

extension JSONText {
  fileprivate mutating func write(_ event: ChromeEvent, _ processID: Int32) {
    newLine()
    object { json in
      json.field("ph", event.isBegin ? "b" : "e")
      json.field("cat", "span")
      json.field("name", event.entry.name)
      json.field("id", "0x" + String(event.entry.lane, radix: 16))
      json.field("pid", processID)
      json.field("tid", event.entry.threadID)
      json.key("ts")
      json.value(verbatim: Self.microseconds(Nanoseconds.of(event.moment)))
      if event.isBegin, event.entry.isRunning {
        json.key("args")
        json.object { $0.field("running", "yes") }
      }
    }
  }

  fileprivate mutating func processName(_ name: String, _ processID: Int32) {
    newLine()
    object { json in
      json.field("ph", "M")
      json.field("name", "process_name")
      json.field("pid", processID)
      json.field("tid", 0)
      json.key("args")
      json.object { $0.field("name", name) }
    }
  }

  /// Whole nanoseconds as microseconds, without a rounding on the way.
  private static func microseconds(_ nanoseconds: Int64) -> String {
    let fraction = String(nanoseconds % 1000)
    return "\(nanoseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
