/// How often the rule called healthy series growing, at one run length.
public struct FalseAlarmRate: Codable, Sendable, Equatable {
  /// The length of the runs it was measured on, in seconds.
  public var runLength: Double
  /// The share over all healthy shapes, 0 to 1.
  public var mean: Double
  /// The share on the shape that fares worst, 0 to 1.
  public var worst: Double
  /// Which shape that is.
  public var worstShape: String

  /// The rates at every length measured, the shortest first.
  public static let measured: [FalseAlarmRate] = []

  /// The rate of the longest measured length that is not longer than `duration` seconds: never a better rate than was measured.
  public static func forRun(of duration: Double) -> FalseAlarmRate? {
    measured.last { $0.runLength <= duration * 1.01 }
  }
}
