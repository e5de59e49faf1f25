// benchmarks: every figure is a ratio against a peer or a floor, or an error rate, measured in this one run.
// Here: the groups. Each has a file of its own.

import Glibc

private let groups: [(name: String, summary: String, run: ([String]) -> Void)] = [
  ("sampling", "one sample against bare reads in C; leak-trend's cost and size", SamplingBenchmarks.run),
  ("heap", "a census against a bare copy; its memory; what it costs the process: [ROUNDS]", HeapBenchmarks.run),
  ("timing", "a span against bare reads of the clock, on one thread and on all; memory", TimingBenchmarks.run),
  ("locks", "a lock, an atomic or a once-token under contention: an example of the harness", LockComparison.run),
  ("trend", "error rates of the verdict on made-up series: [--runs N] [--seed S] [--short] [--speed]", TrendStudy.run),
  ("deconstruct", "values taken apart, against dump; a list of a million nodes; one field", DeconstructBenchmarks.run),
  (
    "decode", "encodings to declarations: time and allocations a string, linearity: [ENCODINGS.TSV]",
    DecodeBenchmarks.run
  ),
  (
    "interfaces", "the declarations of a library against its demangled names; one; memory: [LIBRARY]",
    InterfaceBenchmarks.run
  ),
  ("stacks", "a stack captured, given names, taken of another process; C++ throws beside us", StackBenchmarks.run),
  ("testing", "assertions on memory that pass: an object, five rounds, counted allocations", TestingBenchmarks.run),
]

let arguments = Array(CommandLine.arguments.dropFirst())
if let name = arguments.first, let group = groups.first(where: { $0.name == name }) {
  group.run(Array(arguments.dropFirst()))
} else if arguments.isEmpty {
  for group in groups {
    print("== \(group.name): \(group.summary)")
    group.run([])
    fflush(nil)
  }
} else {
  print("benchmarks [GROUP [options]]; without a group, all of them")
  for group in groups { print("  \(group.name): \(group.summary)") }
  exit(arguments.first == "--help" ? 0 : 64)
}
