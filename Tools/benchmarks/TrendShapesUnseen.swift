// Shapes the constants were not tuned on: the same processes at other speeds, and kinds the tuned set does not have.
// They were looked at, though: they are why the quartile is the floor of quiet series only, and the two shapes of loads at
// any time were put in no mean once it was seen that the rule calls 12 % and 51 % of them growing. So this is a second
// opinion, and not a blind test.
import Glibc
import TrendAnalysis

extension TrendShape {
  /// In a summary of their own.
  static let unseen = unseenHealthy + unseenLeaks

  private static let unseenHealthy: [TrendShape] =
    [20.0, 45, 75, 100, 200, 300].map { sawtooth("sawtooth 60 MB, \(Int($0)) s", .healthy, period: $0, leak: 0) }
    + [120.0, 300, 900].map { season("season \(Int($0)) s, 5 MB", .healthy, period: $0, leak: 0) }
    + [warmUp(120), warmUp(600)]
    + [
      sawtooth("sawtooth 5 MB, 75 s", .healthy, period: 75, leak: 0, height: 5),
      sawtooth("sawtooth 5 MB, 430 s", .healthy, period: 430, leak: 0, height: 5),
      TrendShape(name: "AR(1) 0.999, 3 MB", kind: .healthy, noise: Noise(deviation: 3 * mega, memory: 0.999)) { _, _ in
        0
      },
      TrendShape(name: "bursts of 30 MB, 40 s of 100 s", kind: .healthy, noise: usual) { time, run in
        30 * mega * (run.isInBurst(time, on: 40, off: 60) ? 1 : 0)
      },
      TrendShape(name: "bursts of 30 MB, 80 s of 100 s", kind: .healthy, noise: usual) { time, run in
        30 * mega * (run.isInBurst(time, on: 80, off: 20) ? 1 : 0)
      },
      TrendShape(name: "collections at 30 to 90 MB", kind: .healthy, noise: brief) { time, run in
        run.randomSawtooth(time, perSecond: 0.5, from: 30, to: 90) * mega
      },
      TrendShape(name: "collections, slow", kind: .healthy, noise: brief) { time, run in
        run.randomSawtooth(time, perSecond: 0.15, from: 30, to: 90) * mega
      },
      TrendShape(name: "3 loads of 5 MB at any time", kind: .healthy, noise: usual, isKnownLimit: true) { time, run in
        5 * mega * Double(run.moments(3).count { time >= $0 })
      },
      TrendShape(name: "6 loads of 2 MB at any time", kind: .healthy, noise: usual, isKnownLimit: true) { time, run in
        2 * mega * Double(run.moments(6).count { time >= $0 })
      },
    ]

  private static let unseenLeaks: [TrendShape] =
    [45.0, 75, 200].map { sawtooth("sawtooth \(Int($0)) s + 500 KB/min", .leak, period: $0, leak: 500 * 1024) }
    + [
      sawtooth("sawtooth 5 MB, 75 s + 300 KB/min", .leak, period: 75, leak: 300 * 1024, height: 5),
      leak("leak 200 KB/min", perMinute: 200 * 1024, usual),
      TrendShape(name: "leak 500 KB/min + bursts", kind: .leak, noise: usual) { time, run in
        30 * mega * (run.isInBurst(time, on: 40, off: 60) ? 1 : 0) + 500 * 1024 * time / 60
      },
      TrendShape(name: "leak 500 KB/min + collections", kind: .leak, noise: brief) { time, run in
        run.randomSawtooth(time, perSecond: 0.5, from: 30, to: 90) * mega + 500 * 1024 * time / 60
      },
      TrendShape(name: "leak of 1 MB every 2 min, at random", kind: .leak, noise: quiet) { time, run in
        if time >= run.next {
          run.value += run.next > 0 ? mega : 0
          run.next = time - 120 * log(run.random.uniform())
        }
        return run.value
      },
    ]
}

extension TrendShape.Run {
  /// Whether a burst is on: times on and off are exponential with the given means.
  mutating func isInBurst(_ time: Double, on: Double, off: Double) -> Bool {
    if time >= next {
      value = value > 0 ? 0 : 1
      next = time - (value > 0 ? on : off) * log(random.uniform())
    }
    return value > 0
  }

  /// A rise that a collection ends at a level that is drawn anew for each, uniform between two amounts.
  mutating func randomSawtooth(_ time: Double, perSecond: Double, from low: Double, to high: Double) -> Double {
    if time >= next {
      value = time
      next = time + (low + (high - low) * random.uniform()) / perSecond
    }
    return (time - value) * perSecond
  }

  /// `count` moments spread uniformly over the run, the same ones at each call.
  mutating func moments(_ count: Int) -> [Double] {
    if drawn.isEmpty { drawn = (0..<count).map { _ in duration * random.uniform() } }
    return drawn
  }
}
