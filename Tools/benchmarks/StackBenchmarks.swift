// What a stack costs: captured, given names, and taken of another process.
import CallStacks
import Foundation
import Glibc
import MeasurementText
import ProcessMemory
import Runtime
import Symbolication

/// `benchmarks stacks`: run from the package's folder; eu-stack and gdb are peers where they are installed.
enum StackBenchmarks {
  static func run(arguments: [String]) {
    capture()
    names()
    otherProcess()
    throwing()
  }

  // MARK: Capture

  private typealias Unwind = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32

  private static func capture() {
    guard let library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(library, "unw_backtrace")
    else {
      return print("libunwind.so.8 is not installed")
    }
    let unwind = unsafeBitCast(symbol, to: Unwind.self)
    print("CallStack.capture() against a bare unw_backtrace on the same stack, median of 21 paired rounds")
    for depth in [20, 56] {
      descend(to: depth) {
        let buffer = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 300)
        defer { buffer.deallocate() }
        let count = (try? CallStack.capture())?.addresses.count ?? 0
        let times = PairedTiming.run(rounds: 21) {
          for _ in 0..<20_000 { blackHole((try? CallStack.capture())?.addresses.count ?? 0) }
        } against: {
          for _ in 0..<20_000 { blackHole(Int(unwind(buffer, 300))) }
        }
        print(
          "  \(count) frames: \(nanoseconds(times.0 / 20_000)), bare \(nanoseconds(times.1 / 20_000))")
        printFigure("  of the bare call's time", times.ratio, limit: 2, unit: "×")
        let runtime = PairedTiming.run(rounds: 7) {
          for _ in 0..<100 { blackHole((try? Backtrace.capture()).map { $0.frames.underestimatedCount } ?? 0) }
        } against: {
          for _ in 0..<100 { blackHole((try? CallStack.capture())?.addresses.count ?? 0) }
        }
        print("    Runtime.Backtrace.capture(): \(nanoseconds(runtime.0 / 100))")
        printFigure("  of its time", 1 / runtime.ratio, limit: 0.01, unit: "×", decimals: 4)
      }
    }
  }

  /// Calls itself until the stack has so many frames.
  @inline(never)
  private static func descend(to depth: Int, _ body: () -> Void) {
    // The closure and this function's last call come on top.
    let frames = (try? CallStack.capture(limit: 1000))?.addresses.count ?? depth
    if frames + 1 >= depth { body() } else { descend(to: depth, body) }
    blackHole(frames)
  }

  @inline(never)
  private static func blackHole(_ value: Int) { if value == .min { print("never") } }

  // MARK: Names

  private static func names() {
    let addresses = sampleAddresses()
    guard !addresses.isEmpty else { return print("no symbols to look up: is libdw1 installed?") }
    let options = SymbolicationOptions(includesLines: false)
    var named = 0
    func pass() {
      named = 0
      for start in stride(from: 0, to: addresses.count, by: 50) {
        let stack = CallStack(addresses: Array(addresses[start..<min(start + 50, addresses.count)]))
        named += stack.symbolicated(options: options).frames.count { $0.function != nil }
      }
    }
    let cold = PairedTiming.time(pass)
    let warm = PairedTiming.median((0..<7).map { _ in PairedTiming.time(pass) })
    let count = Double(addresses.count)
    print(
      "\(NumberText.grouped(addresses.count)) addresses in 2 000 functions, as stacks of 50 frames; \(named) have names"
    )
    print("  the first time, symbol tables and demangling included: \(nanoseconds(cold / count)) an address")
    printFigure("warm, an address", warm / count * 1e6, limit: 2, unit: "µs")
  }

  /// 50 addresses in each of 2 000 functions of the largest images, in an order of no meaning.
  private static func sampleAddresses() -> [UInt] {
    guard let symbols = try? ProcessSymbols.current() else { return [] }
    var starts: [(UInt64, UInt64)] = []
    for image in symbols.images.images
    where image.name.hasPrefix("libswiftCore") || image.name.hasPrefix("libFoundation") {
      guard let table = try? SymbolTable(ofFileAt: image.path) else { continue }
      for index in 0..<table.count {
        let symbol = table.symbol(atIndex: index)
        if symbol.kind == .function, symbol.size > 64 { starts.append((symbol.address &+ image.loadBias, symbol.size)) }
      }
    }
    guard starts.count >= 2000 else { return [] }
    let step = starts.count / 2000
    var state: UInt64 = 1
    var found: [UInt] = []
    for _ in 0..<50 {
      for index in 0..<2000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let (start, size) = starts[index * step]
        found.append(UInt(start + 1 + (state >> 33) % (size - 1)))
      }
    }
    return found
  }

  // MARK: Another process

  private struct Dump: Decodable {
    struct Thread: Decodable {
      var stopped_ns: Double
    }
    var threads: [Thread]
  }

  private static func otherProcess() {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let target = Process()
    target.executableURL = URL(fileURLWithPath: folder + "/scenario")
    target.arguments = ["threads", "--threads", "49"]
    target.standardOutput = Pipe()
    guard (try? target.run()) != nil else { return print("scenario is not built: Tools/bench builds it") }
    defer { target.terminate() }
    usleep(500_000)
    let processID = "\(target.processIdentifier)"
    print("a process of 50 threads, each below 20 calls; median of 9 runs, in turn")
    let peers: [(name: String, command: [String])] = [
      ("introspect stack", [folder + "/introspect", "stack", "--json", processID]),
      ("introspect stack --no-lines", [folder + "/introspect", "stack", "--json", "--no-lines", processID]),
      ("eu-stack", ["eu-stack", "-p", processID]),
      ("gdb -batch", ["gdb", "-batch", "-nx", "-p", processID, "-ex", "thread apply all bt"]),
    ]
    var times = peers.map { _ in [Double]() }
    var stops: [Double] = []
    for round in 0..<9 {
      for (index, peer) in peers.enumerated() where round < 3 || index < 3 {
        let start = PairedTiming.now()
        guard let output = output(of: peer.command) else { continue }
        times[index].append(PairedTiming.now() - start)
        if index == 0, let dump = try? JSONDecoder().decode(Dump.self, from: output) {
          stops += dump.threads.map { $0.stopped_ns }
        }
      }
    }
    for (index, peer) in peers.enumerated() {
      guard !times[index].isEmpty else {
        print("  \(peer.name): not installed")
        continue
      }
      let time = PairedTiming.median(times[index])
      print("  \(peer.name): \(DurationText.format(seconds: time))")
      if index == 0 { printFigure("  the whole command, names and lines", time, limit: 1, unit: "s") }
    }
    let sorted = stops.sorted()
    guard !sorted.isEmpty else { return }
    printFigure(
      "a thread stopped, median of \(sorted.count)", sorted[sorted.count / 2] / 1e6, limit: 1, unit: "ms", decimals: 3)
    print("    99th percentile \(DurationText.format(seconds: sorted[sorted.count * 99 / 100] / 1e9))")
  }

  private static func output(of command: [String]) -> Data? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }

  // MARK: C++ exceptions

  private static func throwing() {
    print(
      "a C++ throw in a package that depends on this one, against the same without; a million each, median of 9 paired runs"
    )
    for (name, flags) in [("plain build", [String]()), ("-static-stdlib", ["--static-swift-stdlib"])] {
      let scratch = ".build/fixture-packages/throws" + (flags.isEmpty ? "" : "-static")
      let build = [
        "swift", "build", "-c", "release", "--package-path", "Tests/Fixtures/packages/throws", "--scratch-path",
        scratch,
      ]
      guard output(of: build + flags) != nil else {
        print("  \(name): the package does not build; run this from the package's folder")
        continue
      }
      var ratios: [Double] = []
      var costs: [Double] = []
      for _ in 0..<9 {
        let pair = ["with-stacks", "plain"].compactMap { perThrow(scratch + "/release/" + $0) }
        guard pair.count == 2 else { continue }
        ratios.append(pair[0] / pair[1])
        costs.append(pair[1])
      }
      print("  \(name): \(nanoseconds(PairedTiming.median(costs))) without us")
      printFigure("  of that, with us", PairedTiming.median(ratios), limit: 1.1, unit: "×")
    }
  }

  /// Seconds a throw, from `1000000 caught, 1.3e-06 seconds each, through …`.
  private static func perThrow(_ program: String) -> Double? {
    guard let data = output(of: [program]) else { return nil }
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    return words.count > 2 ? Double(words[2]) : nil
  }

  private static func nanoseconds(_ seconds: Double) -> String { DurationText.format(seconds: seconds) }
}
