// What a run looks like while it goes on: a chart that stays at the bottom of a terminal, or plain lines elsewhere.

import MeasurementText
import MemoryRecording
import ProcessMemory
import ToolSupport
import TrendAnalysis
import TrendReporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Shows a run while it goes on.
///
/// On a terminal the lowest lines are set apart by a scrolling region (DECSTBM), as package managers do for their
/// progress: what the watched command prints scrolls above them and stays in the terminal's memory. Each picture is one
/// write, so that it neither flickers nor mixes with the command's output. Elsewhere there is a plain line now and then.
final class LiveView {
  private enum Style {
    case pinned
    case lines
    case none
  }

  private let title: String
  private let duration: Double
  private let trend: TrendOptions
  private let interval: Double
  private let style: Style
  private var size = (columns: 0, lines: 0)
  private var isOpen = false
  private var lastDrawn = -Double.infinity
  private var leaning: (at: Double, text: String) = (-.infinity, "")

  init(title: String, options: WatchOptions) {
    self.title = title
    duration = options.recording.duration
    interval = options.recording.interval
    trend = options.judge.trend
    style =
      options.judge.isQuiet ? .none : Console.errorIsTerminal && Console.errorLines >= 8 ? .pinned : .lines
  }

  /// Shows a sample; on a terminal at most four times a second, elsewhere ten times a run.
  func show(_ sample: RecordedSample, _ recorder: borrowing MemoryRecorder) {
    switch style {
    case .none: return
    case .lines: showLine(sample, recorder)
    case .pinned:
      guard sample.elapsed - lastDrawn >= 0.25 else { return }
      draw(sample.elapsed, recorder)
    }
  }

  /// Shows the run again, because the terminal has changed.
  func refresh(_ recorder: borrowing MemoryRecorder) {
    guard style == .pinned else { return }
    draw(recorder.last?.elapsed ?? 0, recorder)
  }

  /// Gives the terminal back as it was.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // The whole screen scrolls again; the picture goes; the cursor is where the command left it.
    Console.writeError("\u{1B}7\u{1B}[r\u{1B}[\(size.lines - height + 1);1H\u{1B}[J\u{1B}8")
    lastDrawn = -.infinity
  }

  // MARK: - Plain lines

  private func showLine(_ sample: RecordedSample, _ recorder: borrowing MemoryRecorder) {
    guard sample.elapsed - max(lastDrawn, 0) >= max(60, duration / 10) else { return }
    lastDrawn = sample.elapsed
    Console.writeError("leak-trend: " + figures(sample.elapsed, recorder).joined(separator: "   ") + "\n")
  }

  private func figures(_ elapsed: Double, _ recorder: borrowing MemoryRecorder) -> [String] {
    var parts = [
      DurationText.format(seconds: elapsed.rounded(.down)) + " of " + DurationText.format(seconds: duration)
    ]
    guard let first = recorder.first?.reading, let last = recorder.last?.reading else {
      return parts + ["nothing read yet"]
    }
    parts.append("footprint " + ByteText.format(last.footprintBytes))
    let change = Double(last.footprintBytes) - Double(first.footprintBytes)
    parts.append(ByteText.format(change, sign: .always) + " since start")
    if last.isStopped { parts.append("STOPPED") }
    return parts
  }

  // MARK: - The picture

  /// Lines that are set apart: a title, the figures, the chart with its axis, and a hint.
  private var height: Int { min(max(size.lines / 2, 6), 16) }

  private func draw(_ elapsed: Double, _ recorder: borrowing MemoryRecorder) {
    lastDrawn = elapsed
    let now = (columns: Console.errorColumns, lines: Console.errorLines)
    var text = ""
    if !isOpen || now != size {
      text += isOpen ? forget(now) : ""
      size = now
      text += setApart()
      isOpen = true
    }
    let top = size.lines - height + 1
    text += "\u{1B}7"
    for (index, line) in picture(elapsed, recorder).prefix(height).enumerated() {
      text += "\u{1B}[\(top + index);1H" + line + "\u{1B}[K"
    }
    Console.writeError(text + "\u{1B}8")
  }

  /// Makes room: scrolls what is on the screen up by the height, and keeps the cursor above the picture.
  private func setApart() -> String {
    let top = size.lines - height + 1
    // Line feeds scroll only at the bottom of the screen; the way back up stops at the right line either way.
    return String(repeating: "\n", count: height) + "\u{1B}[\(height)A" + "\u{1B}7\u{1B}[1;\(top - 1)r\u{1B}8"
  }

  /// The terminal has another size: wherever the old picture is now, it is wiped.
  private func forget(_ now: (columns: Int, lines: Int)) -> String {
    let oldTop = min(size.lines - height + 1, now.lines)
    let line = max(min(oldTop, now.lines - min(max(now.lines / 2, 6), 16)) - 1, 1)
    return "\u{1B}[r\u{1B}[\(min(oldTop, line + 1));1H\u{1B}[J\u{1B}[\(line);1H"
  }

  private func picture(_ elapsed: Double, _ recorder: borrowing MemoryRecorder) -> [String] {
    // One column stays free: a full last column makes some terminals wrap.
    let columns = max(size.columns - 1, 24)
    let left = DurationText.format(seconds: max(duration - elapsed, 0).rounded()) + " left"
    let name = String(title.prefix(max(columns - left.count - 16, 8)))
    let heading = "── leak-trend  " + name + "  " + left + " "
    let dashes = String(repeating: "─", count: max(columns - heading.count, 0))
    updateLeaning(elapsed, recorder)
    let chart = BrailleChart(width: columns, height: height - 4).lines(
      ChartSeries(points: recorder.history.points, assessment: nil, end: elapsed))
    let resident = recorder.last?.usage.map { "resident " + ByteText.format($0.residentBytes) } ?? ""
    let figures = (figures(elapsed, recorder) + [leaning.text, resident]).joined(separator: "   ")
    return [String((heading + dashes).prefix(columns)), String(figures.prefix(columns))] + chart
      + ["Ctrl-C ends the run and prints the verdict"].map { String($0.prefix(columns)) }
  }

  /// Asks now and then where the samples point: a look, not a verdict, which is given once, at the end.
  private func updateLeaning(_ elapsed: Double, _ recorder: borrowing MemoryRecorder) {
    guard elapsed - leaning.at >= max(2, duration / 200) else { return }
    let samples = recorder.history.points.map { TrendSample(elapsed: $0.elapsed, bytes: $0.bytes) }
    let assessment = TrendAnalyzer(options: trend).assess(
      samples, interval: interval * Double(recorder.history.stride))
    leaning = (elapsed, assessment.evidence == nil ? "leaning: too early" : "leaning: \(assessment.leaning.rawValue)")
  }
}
