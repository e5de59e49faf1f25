import ProcessMemory
import ToolSupport

/// Prints what the allocator says of this process and ends: for a look at programs with another allocator.
enum AllocatorScenario: Scenario {
  static let name = "allocator"
  static let summary = "prints the allocator's own figures, and ends"

  static func run(_ pace: Pace) {
    do throws(ProcessMemoryError) {
      let figures = try AllocatorStatistics.current()
      Console.writeOutput("live \(figures.liveBytes) free \(figures.freeBytes)\n")
    } catch {
      Console.writeOutput("\(error)\n")
    }
  }
}
