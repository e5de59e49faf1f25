// The one line that shows a run while it goes on, redrawn in place. Nothing of it is left when the report comes.

import Glibc
import MeasurementText
import MemoryRecording
import ProcessMemory
import ToolSupport

/// The line of progress on a terminal; nothing elsewhere.
struct ProgressLine {
  private let isShown = Console.errorIsTerminal
  private let duration: Double
  private var lastDrawn = -Double.infinity

  init(duration: Double) { self.duration = duration }

  /// Redraws the line, at most ten times a second.
  mutating func draw(elapsed: Double, first: RecordedSample?, last: RecordedSample?) {
    guard isShown, elapsed - lastDrawn >= 0.1 else { return }
    redraw(elapsed: elapsed, first: first, last: last)
  }

  /// Redraws the line whatever the time: the terminal has changed.
  mutating func redraw(elapsed: Double, first: RecordedSample?, last: RecordedSample?) {
    guard isShown else { return }
    lastDrawn = elapsed
    // Carriage return, the text, erase to the end of the line: no blank in between, so no flicker.
    Console.writeError("\r" + text(elapsed, first, last, columns: Console.errorColumns) + "\u{1B}[K")
  }

  /// Takes the line away.
  func clear() {
    guard isShown else { return }
    Console.writeError("\r\u{1B}[K")
  }

  private func text(_ elapsed: Double, _ first: RecordedSample?, _ last: RecordedSample?, columns: Int) -> String {
    var parts = [
      DurationText.format(seconds: elapsed.rounded(.down)) + " of " + DurationText.format(seconds: duration)
    ]
    if let first = first?.usage, let last = last?.usage {
      parts.append("resident " + ByteText.format(last.residentBytes))
      parts.append("footprint " + ByteText.format(last.footprintBytes))
      let change = Double(last.footprintBytes) - Double(first.footprintBytes)
      parts.append(ByteText.format(change, sign: .always) + " since start")
    } else {
      parts.append("nothing read yet")
    }
    // One column stays free: a full last column makes some terminals wrap.
    return String(parts.joined(separator: "   ").prefix(max(columns - 1, 10)))
  }
}
