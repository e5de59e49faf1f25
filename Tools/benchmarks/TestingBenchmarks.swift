// What assertions on memory cost a test that passes.
import CAllocationCounter
import CLinux
import IntrospectionTesting
import MeasurementText

private final class Healthy {
  var next: Healthy?
  var number = 0
}

/// `benchmarks testing`
enum TestingBenchmarks {
  static func run(arguments: [String]) {
    deallocation()
    growth()
    counting()
  }

  private static func deallocation() {
    print("expectDeallocated of a healthy object, against making and freeing one, median of 9 paired rounds")
    let times = PairedTiming.run(rounds: 9) {
      for _ in 0..<20_000 { expectDeallocated { Healthy() } }
    } against: {
      for _ in 0..<20_000 { make() }
    }
    print("  the object alone: \(DurationText.format(seconds: times.1 / 20_000))")
    printFigure("one assertion", times.0 / 20_000 * 1e6, limit: 10, unit: "µs", decimals: 3)
  }

  @inline(never)
  private static func make() { withExtendedLifetime(Healthy()) {} }

  private static func growth() {
    let heap = (0..<100_000).map { _ in Healthy() }
    print(
      "expectNoGrowth with 5 rounds, 100 000 objects on the heap, against the scenario alone, median of 5 paired rounds"
    )
    let scenario = { for _ in 0..<1000 { make() } }
    let times = PairedTiming.run(rounds: 5) {
      expectNoGrowth(repeat: 5, scenario)
    } against: {
      for _ in 0..<7 { scenario() }
    }
    print("  the scenario alone, 7 times: \(DurationText.format(seconds: times.1))")
    printFigure("beyond the scenario", times.0 - times.1, limit: 1, unit: "s", decimals: 4)
    withExtendedLifetime(heap) {}
  }

  private static func counting() {
    print("an allocation and its free while they are counted, against the same uncounted, median of 9 paired rounds")
    let times = PairedTiming.run(rounds: 9) {
      let scope = cac_open(0, nil)
      for _ in 0..<100_000 { cl_deallocate(cl_allocate(48)) }
      _ = cac_close(scope)
    } against: {
      for _ in 0..<100_000 { cl_deallocate(cl_allocate(48)) }
    }
    let (counted, uncounted) = (times.0 / 100_000, times.1 / 100_000)
    print("  counted \(DurationText.format(seconds: counted)), uncounted \(DurationText.format(seconds: uncounted))")
  }
}
