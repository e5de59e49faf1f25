// Every figure printed here is a ratio against a peer or a floor, or an error rate, measured in this one run.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "trend" {
  TrendStudy.run(arguments: Array(arguments.dropFirst()))
} else if arguments.first == "decode" {
  DecodeBenchmarks.run(arguments: Array(arguments.dropFirst()))
} else {
  print("usage: benchmarks trend [--runs N] [--seed S] [--short] [--speed] | benchmarks decode [ENCODINGS.TSV]")
}
