import PerformanceTiming
import Testing

@Suite struct StartStopTests {
}
