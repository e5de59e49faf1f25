import MemoryRecording
import TrendAnalysis

/// What a chart of a run shows, whatever it is drawn with: the line, the judged part, the floors.
///
/// A picture has far fewer columns than a run has samples: a column shows the range of all samples that fall into it, so
/// that no spike is lost and no line is invented.
public struct ChartSeries: Sendable {
  /// The points, oldest first; elapsed in seconds, the rest in bytes.
  public let points: [SampleHistory.Point]
  /// Seconds at which the warm-up ends and the judged part begins; `nil` where nothing was judged.
  public let warmUpEnd: Double?
  /// The floors that were compared.
  public let floors: [TrendFloor]
  /// Seconds the picture ends at: at least the last point.
  public let end: Double

  /// What a chart shows.
  ///
  /// - Parameters:
  ///   - points: the series.
  ///   - assessment: where the warm-up and the floors come from; `nil` while there is no verdict yet.
  ///   - end: seconds the time axis reaches to, for a run that goes on.
  public init(points: some Sequence<SampleHistory.Point>, assessment: TrendAssessment?, end: Double = 0) {
    self.points = points.filter { $0.elapsed.isFinite && $0.low.isFinite && $0.high.isFinite }
    warmUpEnd = assessment.flatMap { $0.evidence == nil ? nil : $0.window.warmUpEnd }
    floors = assessment?.evidence?.floors ?? assessment?.epochs ?? []
    self.end = max(end, self.points.last?.elapsed ?? 0)
  }

  /// Seconds the picture begins at.
  public var start: Double { min(points.first?.elapsed ?? 0, end) }

  /// The range of bytes that the picture covers: a little more than what was seen, so that a flat line has air around it.
  public var byteRange: ClosedRange<Double> {
    let low = points.map(\.low).min() ?? 0
    let high = points.map(\.high).max() ?? 0
    let room = max((high - low) * 0.04, high * 0.005, 65_536)
    return max(low - room, 0)...(high + room)
  }

  /// The range of the samples in each of `count` columns of equal time; `nil` where a column has none.
  public func columns(_ count: Int) -> [(low: Double, high: Double)?] {
    var columns: [(low: Double, high: Double)?] = Array(repeating: nil, count: max(count, 1))
    let span = max(end - start, .leastNormalMagnitude)
    for point in points {
      let place = min(max((point.elapsed - start) / span, 0), 1) * Double(columns.count)
      let index = min(Int(place), columns.count - 1)
      let column = columns[index]
      columns[index] = (min(column?.low ?? point.low, point.low), max(column?.high ?? point.high, point.high))
    }
    return columns
  }
}
