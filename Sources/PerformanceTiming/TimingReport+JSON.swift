import MeasurementText

extension TimingReport {
  /// The report as JSON; every duration in whole nanoseconds, its key ending in `_ns`. `JSONDecoder` reads it back.
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.field("elapsed_ns", Nanoseconds.of(elapsed))
      json.field("name_limit", nameLimit)
      json.field("other_count", otherCount)
      json.list("spans", roots) { $0.write($1) }
      json.list("running", running) { json, span in
        json.object {
          $0.field("name", span.name)
          $0.field("elapsed_ns", Nanoseconds.of(span.elapsed))
        }
      }
      json.list("abandoned", abandoned) { $0.write($1) }
      json.list("unmatched_stops", unmatchedStops) { $0.write($1) }
      json.newLine()
    }
    return json.text + "\n"
  }
}

extension JSONText {
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONText, Element) -> Void
  ) {
    newLine()
    key(name)
    array { json in for element in elements { write(&json, element) } }
  }

  fileprivate mutating func write(_ node: TimingReport.Node) {
    newLine()
    object { json in
      json.field("name", node.name)
      json.field("count", node.count)
      for (key, duration) in node.durations { json.field(key.rawValue, Nanoseconds.of(duration)) }
      if let time = node.threadCPU { json.write("thread_cpu", time) }
      if let time = node.processCPU { json.write("process_cpu", time) }
      json.key("children")
      json.array { json in for child in node.children { json.write(child) } }
    }
  }

  private mutating func write(_ name: String, _ time: TimingReport.ProcessorTotal) {
    key(name)
    object {
      $0.field("count", time.count)
      $0.field("total_ns", Nanoseconds.of(time.total))
    }
  }

  fileprivate mutating func write(_ entry: TimingReport.NameCount) {
    object {
      $0.field("name", entry.name)
      $0.field("count", entry.count)
    }
  }
}
