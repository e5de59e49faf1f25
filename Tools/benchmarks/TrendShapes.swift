// The shapes of memory the trend study draws from: what healthy and leaking processes look like over time.
import Glibc
import MemoryRecording
import TrendAnalysis

extension SplitMix64 {
  /// Uniform in 0 to 1, without 0.
  mutating func uniform() -> Double { (Double(next() >> 11) + 1) / 9_007_199_254_740_992 }

  /// Normal with mean 0 and deviation 1 (Box and Muller 1958; the second value is not kept).
  mutating func normal() -> Double { sqrt(-2 * log(uniform())) * cos(2 * .pi * uniform()) }
}

/// One kind of process: a name, whether it leaks, and its memory over time.
struct TrendShape: Sendable {
  enum Kind {
    case healthy
    case leak
    /// Grows without bound, but ever slower: growing and inconclusive are both right. In no summary.
    case unbounded
  }

  var name: String
  var kind: Kind
  var noise: Noise
  /// In no mean of the error rates: what one run cannot tell from a leak, shown for honesty.
  var isKnownLimit = false
  /// Bytes above the base at a moment. Gets the random numbers of the run: a phase, and a source for events.
  var level: @Sendable (_ seconds: Double, _ run: inout Run) -> Double

  /// What is random in one run of a shape.
  struct Run {
    var random: SplitMix64
    /// Uniform, 0 to 1: where in its cycle the run begins.
    var phase: Double
    var duration: Double
    /// What a shape remembers from one sample to the next.
    var value = 0.0
    /// When a shape's next event is due.
    var next = 0.0
    /// Moments a shape has drawn.
    var drawn: [Double] = []
  }

  /// The noise upon a shape: white, or a first-order autoregression with coefficient `memory` from one sample to the next.
  struct Noise {
    var deviation: Double
    var memory = 0.0
  }

  /// One run of this shape: a base of 100 MiB, pages of 4 KiB.
  func samples(duration: Double, interval: Double, seed: UInt64) -> [TrendSample] {
    var random = SplitMix64(seed: seed)
    var run = Run(random: random, phase: random.uniform(), duration: duration)
    let fresh = noise.deviation * sqrt(1 - noise.memory * noise.memory)
    var drift = noise.deviation * random.normal()
    return (0..<Int(duration / interval)).map { index in
      let seconds = Double(index) * interval
      let bytes = 104_857_600 + level(seconds, &run) + drift
      drift = noise.memory * drift + fresh * random.normal()
      return TrendSample(elapsed: seconds, bytes: max(0, (bytes / 4096).rounded() * 4096))
    }
  }
}

extension TrendShape {
  /// Those the constants were tuned on.
  static let tuned = healthy + leaks + [logarithmic]
  static let all = tuned + unseen

  static let mega = 1_048_576.0
  static let usual = Noise(deviation: 0.5 * mega, memory: 0.9)
  static let quiet = Noise(deviation: 0.3 * mega, memory: 0.9)
  static let brief = Noise(deviation: 0.3 * mega, memory: 0.5)
  private static let faint = Noise(deviation: 0.1 * mega, memory: 0.5)
  private static let slowNoise = Noise(deviation: 1.5 * mega, memory: 0.995)

  /// A process that is well. Moments of events are absolute, except where the name gives a percentage.
  static let healthy: [TrendShape] = [
    TrendShape(name: "constant", kind: .healthy, noise: Noise(deviation: 0)) { _, _ in 0 },
    TrendShape(name: "white noise 0.5 MB", kind: .healthy, noise: Noise(deviation: 0.5 * mega)) { _, _ in 0 },
    TrendShape(name: "AR(1) 0.9, 1 MB", kind: .healthy, noise: Noise(deviation: mega, memory: 0.9)) { _, _ in 0 },
    TrendShape(name: "AR(1) 0.98, 1.5 MB", kind: .healthy, noise: Noise(deviation: 1.5 * mega, memory: 0.98)) { _, _ in
      0
    },
    TrendShape(name: "AR(1) 0.995, 1.5 MB", kind: .healthy, noise: slowNoise) { _, _ in 0 },
    warmUp(60), warmUp(180), warmUp(400),
    TrendShape(name: "8 arenas of 1 MB in 10 min", kind: .healthy, noise: faint) { time, _ in
      mega * min(8, floor(time / 75 + 1.0 / 3))
    },
    step("one step at 3 min", [180], 20), step("one step at 15 min", [900], 20),
    step("one step at 25.5 min", [1530], 20), step("two steps at 9, 21 min", [540, 1260], 8),
    TrendShape(name: "burst and release", kind: .healthy, noise: usual) { time, _ in
      (700..<1000).contains(time) ? 60 * mega : 0
    },
    TrendShape(name: "burst, 10 % kept", kind: .healthy, noise: usual) { time, _ in
      time < 700 ? 0 : time < 1000 ? 60 * mega : 6 * mega
    },
    TrendShape(name: "burst at the end", kind: .healthy, noise: usual) { time, run in
      time >= run.duration - 100 ? 60 * mega : 0
    },
    sawtooth("sawtooth 60 MB, 120 s", .healthy, period: 120, leak: 0),
    sawtooth("sawtooth 60 MB, 430 s", .healthy, period: 430, leak: 0),
    season("season 600 s, 5 MB", .healthy, period: 600, leak: 0),
    TrendShape(name: "falling 200 KB/min", kind: .healthy, noise: usual) { time, _ in -200 * 1024 * time / 60 },
    TrendShape(name: "spikes of 50 MB, 1 %", kind: .healthy, noise: quiet) { _, run in
      run.random.uniform() < 0.01 ? 50 * mega : 0
    },
    season("season 3600 s, 5 MB", .healthy, period: 3600, leak: 0, isKnownLimit: true),
  ]

  /// A process that leaks.
  static let leaks: [TrendShape] = [
    leak("leak 1 MB/min", perMinute: mega, Noise(deviation: 0.5 * mega)),
    leak("leak 300 KB/min, AR .9 1 MB", perMinute: 300 * 1024, Noise(deviation: mega, memory: 0.9)),
    leak("leak 100 KB/min, AR .9 1 MB", perMinute: 100 * 1024, Noise(deviation: mega, memory: 0.9)),
    leak("leak 300 KB/min, AR .995 1.5 MB", perMinute: 300 * 1024, slowNoise),
    TrendShape(name: "warm-up 180 s + 300 KB/min", kind: .leak, noise: usual) { time, _ in
      40 * mega * (1 - exp(-time / 180)) + 300 * 1024 * time / 60
    },
    staircase("staircase 300 KB/min by 1 MB", perMinute: 300 * 1024, chunk: mega),
    staircase("staircase 600 KB/min by 4 MB", perMinute: 600 * 1024, chunk: 4 * mega),
    sawtooth("sawtooth 120 s + 500 KB/min", .leak, period: 120, leak: 500 * 1024),
    sawtooth("sawtooth 430 s + 1 MB/min", .leak, period: 430, leak: mega),
    TrendShape(name: "late onset 15 min, 600 KB/min", kind: .leak, noise: usual) { time, _ in
      600 * 1024 * max(0, time - 900) / 60
    },
    TrendShape(name: "accelerating, 20 MB", kind: .leak, noise: usual) { time, run in
      20 * mega * (time / run.duration) * (time / run.duration)
    },
    TrendShape(name: "square root, 10 MB", kind: .leak, noise: quiet) { time, run in
      10 * mega * sqrt(time / run.duration)
    },
    season("season 600 s + 500 KB/min", .leak, period: 600, leak: 500 * 1024),
    TrendShape(name: "leak 500 KB/min + spikes", kind: .leak, noise: quiet) { time, run in
      500 * 1024 * time / 60 + (run.random.uniform() < 0.01 ? 50 * mega : 0)
    },
  ]

  static let logarithmic = TrendShape(name: "6 MB * ln(1 + t/30)", kind: .unbounded, noise: quiet) { time, _ in
    6 * mega * log(1 + time / 30)
  }

  // MARK: Families

  static func warmUp(_ timeConstant: Double) -> TrendShape {
    TrendShape(name: "warm-up \(Int(timeConstant)) s, 40 MB", kind: .healthy, noise: usual) {
      time, _ in 40 * mega * (1 - exp(-time / timeConstant))
    }
  }

  private static func step(_ name: String, _ moments: [Double], _ height: Double) -> TrendShape {
    TrendShape(name: name, kind: .healthy, noise: usual) { time, _ in
      Double(moments.count { time >= $0 }) * height * mega
    }
  }

  static func leak(_ name: String, perMinute: Double, _ noise: Noise) -> TrendShape {
    TrendShape(name: name, kind: .leak, noise: noise) { time, _ in perMinute * time / 60 }
  }

  private static func staircase(_ name: String, perMinute: Double, chunk: Double) -> TrendShape {
    TrendShape(name: name, kind: .leak, noise: faint) { time, run in
      floor(perMinute * time / 60 / chunk + run.phase) * chunk
    }
  }

  static func sawtooth(
    _ name: String, _ kind: Kind, period: Double, leak: Double, height: Double = 60
  ) -> TrendShape {
    TrendShape(name: name, kind: kind, noise: brief) { time, run in
      let position = time / period + run.phase
      return height * mega * (position - floor(position)) + leak * time / 60
    }
  }

  static func season(
    _ name: String, _ kind: Kind, period: Double, leak: Double, isKnownLimit: Bool = false
  ) -> TrendShape {
    TrendShape(name: name, kind: kind, noise: usual, isKnownLimit: isKnownLimit) { time, run in
      5 * mega * sin(2 * .pi * (time / period + run.phase)) + leak * time / 60
    }
  }
}
