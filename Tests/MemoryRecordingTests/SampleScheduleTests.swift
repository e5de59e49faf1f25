import MemoryRecording
import Testing

@Suite struct SampleScheduleTests {
  @Test func samplesAreDueOnceAnIntervalWithJitterAndWithoutDrift() {
    var schedule = SampleSchedule(interval: 0.5, seed: 3)
    var due = 0.0
    var shifts: [Double] = []
    for tick in 1...100_000 {
      // Each sample is taken a little late, as in life: the lateness must not add up.
      due = schedule.next(after: due + 0.003)
      let shift = due - Double(tick) * 0.5
      #expect(abs(shift) <= 0.05 + 1e-9)
      shifts.append(shift)
    }
    let mean = shifts.reduce(0, +) / Double(shifts.count)
    #expect(abs(mean) < 0.001)
    // Evenly over the whole tenth: its standard deviation is 0.1 / √12.
    let deviation = (shifts.map { $0 * $0 }.reduce(0, +) / Double(shifts.count)).squareRoot()
    #expect(abs(deviation - 0.1 / 12.0.squareRoot()) < 0.001)
  }

  @Test func whatWasMissedIsNotMadeUpFor() {
    var schedule = SampleSchedule(interval: 1, seed: 3)
    _ = schedule.next(after: 0)
    let afterSleep = schedule.next(after: 3600.4)
    #expect(afterSleep > 3600.4 && afterSleep < 3602.2)
    let next = schedule.next(after: afterSleep)
    #expect(next > afterSleep && next - afterSleep < 1.3)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300])
  func absurdIntervalsGoOnForwards(interval: Double) {
    var schedule = SampleSchedule(interval: interval, seed: 1)
    var elapsed = 0.0
    for _ in 0..<100 {
      let next = schedule.next(after: elapsed)
      #expect(next > elapsed)
      elapsed = next
    }
  }
}
