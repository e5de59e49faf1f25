// What declarations cost: all of a library's against the bare names of its symbols, one of them, and the memory for it.
import Glibc
import MeasurementText
import TypeInterfaces

/// `benchmarks interfaces`: over the toolchain's own libFoundation.so; nm and swift demangle are the peer.
enum InterfaceBenchmarks {
  static func run(arguments: [String]) {
    guard let library = arguments.first ?? foundation() else {
      return print("  libFoundation.so of the toolchain is not found; name a library")
    }
    print("\(library), the whole commands, median of 9 paired runs")
    let peer = "nm --defined-only '\(library)' | awk '$3 ~ /^\\$s/ { print $3 }' | swift demangle > /dev/null"
    var peak = 0.0
    let times = PairedTiming.run(rounds: 9) {
      peak = max(peak, peakBytes(["interface", library]))
    } against: {
      _ = LaunchedProgram(shell: peer)?.finish()
    }
    print(
      "  introspect interface: \(DurationText.format(seconds: times.0)), nm and swift demangle: "
        + DurationText.format(seconds: times.1))
    printFigure("of the bare names' time", times.ratio, limit: 3, unit: "×")
    printFigure("memory at its peak", peak / 1_048_576, limit: 300, unit: "MiB", decimals: 1)
    let one = PairedTiming.median(
      (0..<9).map { _ in PairedTiming.time { _ = peakBytes(["interface", library, "Bundle"]) } })
    inProcess()
    printFigure("one type, the whole command", one, limit: 1, unit: "s", decimals: 3)
  }

  private static func inProcess() {
    let own = PairedTiming.median(
      (0..<9).map { _ in PairedTiming.time { _ = try? TypeInterface(of: TypeInterface.self) } })
    print("  TypeInterface(of:), this program's symbols read anew: \(DurationText.format(seconds: own))")
  }

  /// Runs introspect to its end; the most memory that it had.
  private static func peakBytes(_ arguments: [String]) -> Double {
    guard let program = LaunchedProgram("introspect", arguments) else { return 0 }
    return Double(program.finish().ru_maxrss) * 1024
  }

  private static func foundation() -> String? {
    guard let program = LaunchedProgram(shell: "readlink -f \"$(command -v swift)\""), let path = program.readLine()
    else {
      return nil
    }
    let folder = path.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let library = folder + "/lib/swift/linux/libFoundation.so"
    return access(library, R_OK) == 0 ? library : nil
  }
}
