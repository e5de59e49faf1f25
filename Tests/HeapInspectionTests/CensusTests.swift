import FixtureSupport
import Foundation
import HeapInspection
import ProcessMemory
import Testing

/// A program that makes objects of every kind, and what it says it has made.
final class TruthfulProgram {
  let child: ChildProcess
  /// How many of each type are alive.
  let counts: [String: Int]

  init(_ flags: [String] = [], strips: Bool = false, arguments: [String] = []) throws {
    child = try ChildProcess(
      [CompiledProgram.swift("HeapTruth", as: "HeapTruth", module: "HeapTruth", flags: flags, strips: strips)]
        + arguments)
    let line = try #require(child.readLine())
    counts = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Int])
  }
}

/// The ways a program may have been built: the counts are the same in all of them.
enum Build: String, CaseIterable, CustomTestStringConvertible {
  case debug, release, strippedRelease, strippedStatic

  var testDescription: String { rawValue }

  func start(_ arguments: String...) throws -> TruthfulProgram {
    switch self {
    case .debug: try TruthfulProgram(arguments: arguments)
    case .release: try TruthfulProgram(["-O"], arguments: arguments)
    case .strippedRelease: try TruthfulProgram(["-O"], strips: true, arguments: arguments)
    case .strippedStatic: try TruthfulProgram(["-O", "-static-stdlib"], strips: true, arguments: arguments)
    }
  }
}

@Suite struct CensusTests {
  @Test(arguments: Build.allCases)
  func everyTypeIsCountedExactly(build: Build) throws {
    let program = try build.start()
    let census = try HeapSnapshot.take(of: .process(program.child.processID)).census
    #expect(program.counts.count > 20)
    for (type, count) in program.counts {
      #expect(Int(census[type]?.instances ?? 0) == count, "\(type)")
    }
    #expect(census.method == .walk)
    #expect(census.coverage == 1)
    #expect(census.totals.resynchronizations == 0)
    #expect(census["HeapTruth.Account"]?.kind == .actor)
    #expect(census["HeapTruth.Failure"]?.kind == .error)
    #expect(census["closure capturing Plain, Int"]?.kind == .closure)
    #expect(census["Swift.Task"]?.instances ?? 0 >= 5)
    #expect(census["HeapTruth.Zombie"]?.deinitialized == 2)
    #expect(census["HeapTruth.Plain"]?.deinitialized == 0)
  }

  @Test func bytesAreWhatMallocGives() throws {
    let program = try Build.debug.start()
    let census = try HeapSnapshot.take(of: .process(program.child.processID)).census
    // Two words and the header are 32 bytes, which glibc serves from blocks of 40; ten and the header from 104.
    #expect((40...42).contains(census["HeapTruth.Plain"].map { $0.bytes / $0.instances } ?? 0))
    #expect((104...110).contains(census["HeapTruth.Wide"].map { $0.bytes / $0.instances } ?? 0))
    let doubles = try #require(census["Swift._ContiguousArrayStorage<Swift.Double>"])
    #expect(doubles.bytes / doubles.instances >= 8_000_032)
    #expect(doubles.storage?.elements == 3_000_000)
    let dictionaries = try #require(census["Swift._DictionaryStorage<Swift.String, HeapTruth.Plain>"])
    #expect(dictionaries.storage?.elements == 200)
    #expect(dictionaries.storage?.capacity == 512)
    // The blocks that the program has from malloc itself are plain memory.
    #expect(census.untyped.reduce(0) { $0 + $1.blocks } >= 100)
  }

  @Test func aChurningProcessIsCountedConsistently() throws {
    let program = try Build.release.start("churn")
    let inspector = try HeapInspector(program.child.processID)
    for _ in 0..<5 {
      usleep(100_000)
      let census = try inspector.snapshot().census
      // Never touched meanwhile, so exact.
      #expect(census["HeapTruth.Plain"]?.instances == 1001)
      let left = Double(census["HeapTruth.Left"]?.instances ?? 0)
      let right = Double(census["HeapTruth.Right"]?.instances ?? 0)
      #expect(left > 1000)
      #expect(abs(left - right) <= max(0.01 * left, 60), "\(left) \(right)")
      #expect(census.coverage > 0.97, "\(census.totals)")
    }
  }

  @Test func stoppedItIsOfOneMoment() throws {
    let program = try Build.release.start("churn")
    let inspector = try HeapInspector(program.child.processID)
    for _ in 0..<5 {
      usleep(50_000)
      let census = try inspector.snapshot(stopping: true).census
      // Each of the three threads may be between the making of the one and of the other.
      let left = Int(census["HeapTruth.Left"]?.instances ?? 0)
      let right = Int(census["HeapTruth.Right"]?.instances ?? 0)
      #expect(left > 1000 && abs(left - right) <= 3, "\(left) \(right)")
      // A thread that was stopped inside malloc may have one block half made.
      #expect(census.coverage > 0.999 && census.totals.resynchronizations <= 3, "\(census.totals)")
      #expect(census.stoppedSeconds > 0)
    }
    // It runs on.
    let before = try MemoryUsage.of(program.child.processID).minorFaults
    usleep(200_000)
    let state = try String(contentsOfFile: "/proc/\(program.child.processID)/stat", encoding: .utf8)
    #expect(!state.contains(") t ") && !state.contains(") T "))
    #expect(try MemoryUsage.of(program.child.processID).minorFaults >= before)
    #expect(throws: HeapInspectionError.self) { try HeapSnapshot.take(of: .current, stopping: true) }
  }

  @Test func twoCensusesOfAQuietProcessAreTheSame() throws {
    let program = try Build.release.start()
    let inspector = try HeapInspector(program.child.processID)
    // A thread that the runtime keeps ready ends after a while: only two censuses with nothing between them are compared.
    for _ in 0..<20 {
      #expect(program.child.waitUntilQuiet())
      let before = program.child.schedulerRecord
      let first = try inspector.snapshot().census
      let second = try inspector.snapshot().census
      guard program.child.schedulerRecord == before else { continue }
      #expect(first.types == second.types)
      #expect(first.totals == second.totals)
      #expect(first.untyped == second.untyped)
      return
    }
    Issue.record("the program is never quiet")
  }

  @Test func theCensusSurvivesJSON() throws {
    let program = try Build.debug.start()
    let census = try HeapSnapshot.take(of: .process(program.child.processID)).census
    let decoded = try JSONDecoder().decode(HeapCensus.self, from: JSONEncoder().encode(census))
    #expect(decoded == census)
  }
}
