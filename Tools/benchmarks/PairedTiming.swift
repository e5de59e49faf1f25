import Glibc
import MeasurementText

/// Times two pieces of work in turn, A B A B, so that a machine that slows down slows both.
enum PairedTiming {
  /// The median time of each over the rounds, in seconds, and the median of the ratios round by round.
  static func run(rounds: Int, _ first: () -> Void, against second: () -> Void) -> (Double, Double, ratio: Double) {
    first()
    second()
    var firsts: [Double] = []
    var seconds: [Double] = []
    for _ in 0..<rounds {
      firsts.append(time(first))
      seconds.append(time(second))
    }
    return (median(firsts), median(seconds), median(zip(firsts, seconds).map { $0 / $1 }))
  }

  static func time(_ work: () -> Void) -> Double {
    let start = now()
    work()
    return now() - start
  }

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }
}

/// A figure, what it must not exceed, and whether it does.
func printFigure(_ name: String, _ value: Double, limit: Double, unit: String, decimals: Int = 2) {
  let mark = value <= limit ? "ok" : "MISSED"
  print(
    "  \(name): \(NumberText.fixed(value, decimals: decimals)) \(unit)"
      + "   (at most \(NumberText.fixed(limit, decimals: decimals)): \(mark))")
}
