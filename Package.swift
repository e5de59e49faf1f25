// swift-tools-version: 6.2
import PackageDescription

// One folder under Sources is one module, and a module depends only on modules of the floors below its own.
// There is no package dependency on purpose: whoever adds this package adds nothing else.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The standard library's rounding calls libm, which only an import of Glibc would link; the pure modules have none.
let mathematics: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux]))]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: mathematics)
}

func tool(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tools/\(name)", exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["FixtureSupport"], path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "swift-introspection",
  products: [
    .library(name: "Introspection", targets: ["Introspection"]),
    // Each module that stands alone is a product too, for those who want one room and not the house.
    .library(name: "MeasurementText", targets: ["MeasurementText"]),
    .library(name: "TrendAnalysis", targets: ["TrendAnalysis"]),
    .library(name: "TypeEncodings", targets: ["TypeEncodings"]),
    .library(name: "Symbolication", targets: ["Symbolication"]),
    .library(name: "ProcessMemory", targets: ["ProcessMemory"]),
    .library(name: "CallStacks", targets: ["CallStacks"]),
    .library(name: "MemoryRecording", targets: ["MemoryRecording"]),
    .library(name: "TrendReporting", targets: ["TrendReporting"]),
    .library(name: "HeapInspection", targets: ["HeapInspection"]),
    .library(name: "TypeInterfaces", targets: ["TypeInterfaces"]),
    .library(name: "PerformanceTiming", targets: ["PerformanceTiming"]),
    .library(name: "Deconstructor", targets: ["Deconstructor"]),
    .library(name: "IntrospectionTesting", targets: ["IntrospectionTesting"]),
    .executable(name: "leak-trend", targets: ["leak-trend"]),
    .executable(name: "introspect", targets: ["introspect"]),
  ],
  targets: [
    // Ground: C declarations that Swift's Glibc module does not show.
    .target(name: "CLinux"),
    // Ground: the entry points of the Swift and C++ runtimes. Headers and shims, nothing of its own.
    .target(name: "CSwiftRuntime"),
    // Ground: what a timer's hot path needs and Swift cannot say.
    .target(name: "CTimingSupport"),
    // Ground: elfutils and libunwind, opened at run time. Nothing of them is linked, and no header of theirs is needed.
    .target(name: "CElfutils"),
    .target(name: "CLibunwind"),
    // Ground: counts what the program that links it allocates. For tests and benchmarks only.
    .target(name: "CAllocationCounter"),

    // Floor 1, pure: no import but the standard library.
    module("MeasurementText"),
    module("TrendAnalysis", ["MeasurementText"]),
    module("TypeEncodings"),

    // Floor 2: what the operating system says.
    module("ProcessMemory", ["CLinux", "MeasurementText"]),
    module("Symbolication", ["CElfutils", "CSwiftRuntime", "TypeEncodings", "MeasurementText"]),

    // Floor 3: the Swift runtime's own records of types.
    module("SwiftMetadata", ["CSwiftRuntime", "ProcessMemory", "Symbolication"]),
    // Floor 3 too: time series of what floor 2 reads.
    module("MemoryRecording", ["ProcessMemory", "TrendAnalysis", "MeasurementText"]),
    // Floor 3 too: stacks of this process and of others.
    module("CallStacks", ["CLibunwind", "CLinux", "MeasurementText", "ProcessMemory", "Symbolication"]),
    // Floor 3 too: named timers.
    module("PerformanceTiming", ["CTimingSupport", "MeasurementText"]),

    // Floor 4: a process's live objects by type.
    module(
      "HeapInspection",
      [
        "CLinux", "MeasurementText", "TrendAnalysis", "ProcessMemory", "SwiftMetadata", "Symbolication", "CallStacks",
      ]),
    // Floor 4 too: the declaration of a type.
    module("TypeInterfaces", ["MeasurementText", "ProcessMemory", "SwiftMetadata", "Symbolication"]),
    // Floor 4 too: what a recording and its verdict look like.
    module(
      "TrendReporting",
      ["MemoryRecording", "ProcessMemory", "TrendAnalysis", "MeasurementText", "Symbolication"]),

    // Floor 4 too: a value taken apart.
    module("Deconstructor", ["SwiftMetadata", "MeasurementText"]),

    // Floor 5: what an application imports.
    module(
      "Introspection",
      [
        "MeasurementText", "TrendAnalysis", "TypeEncodings", "ProcessMemory", "Symbolication", "CallStacks",
        "MemoryRecording", "PerformanceTiming", "TrendReporting", "HeapInspection", "Deconstructor",
        "TypeInterfaces",
      ]),
    // Floor 5 too: what a test imports.
    module(
      "IntrospectionTesting",
      [
        "CAllocationCounter", "CLibunwind", "CLinux", "CSwiftRuntime", "MeasurementText", "ProcessMemory",
        "SwiftMetadata", "Symbolication", "CallStacks", "HeapInspection", "Deconstructor",
      ]),

    // The tools.
    .target(
      name: "ToolSupport", dependencies: ["CLinux", "MeasurementText", "ProcessMemory"], path: "Tools/tool-support",
      swiftSettings: strict),
    tool(
      "leak-trend",
      [
        "ToolSupport", "CLinux", "MeasurementText", "TrendAnalysis", "ProcessMemory", "MemoryRecording",
        "TrendReporting", "HeapInspection",
      ]),
    tool(
      "introspect",
      [
        "ToolSupport", "CLinux", "MeasurementText", "ProcessMemory", "TypeEncodings", "Symbolication", "CallStacks",
        "HeapInspection", "TypeInterfaces",
      ]),
    tool("scenario", ["ToolSupport", "CLinux", "MeasurementText", "ProcessMemory"]),
    .target(name: "BenchmarkFloors", path: "Tools/benchmark-floors"),
    tool(
      "benchmarks",
      [
        "BenchmarkFloors", "CLinux", "CAllocationCounter", "MeasurementText", "TrendAnalysis", "ProcessMemory",
        "MemoryRecording", "TypeEncodings", "PerformanceTiming", "CallStacks", "Symbolication", "HeapInspection",
        "Deconstructor", "SwiftMetadata", "IntrospectionTesting", "TypeInterfaces",
      ]),

    // The tests.
    .target(name: "FixtureSupport", path: "Tests/FixtureSupport", swiftSettings: strict),
    tests("MeasurementTextTests", ["MeasurementText"]),
    tests("TrendAnalysisTests", ["TrendAnalysis"]),
    tests("TypeEncodingsTests", ["TypeEncodings", "CAllocationCounter"]),
    tests("SymbolicationTests", ["Symbolication", "TypeEncodings"]),
    tests("CallStacksTests", ["CallStacks", "ProcessMemory", "Symbolication", "scenario", "introspect"]),
    tests("ProcessMemoryTests", ["ProcessMemory", "scenario", "introspect"]),
    tests("MemoryRecordingTests", ["MemoryRecording", "ProcessMemory", "TrendAnalysis"]),
    tests("TrendReportingTests", ["TrendReporting", "TrendAnalysis", "ProcessMemory", "MemoryRecording"]),
    tests("HeapInspectionTests", ["HeapInspection", "ProcessMemory", "introspect", "scenario"]),
    tests("TypeInterfacesTests", ["TypeInterfaces", "ProcessMemory", "SwiftMetadata", "Symbolication"]),
    tests("PerformanceTimingTests", ["PerformanceTiming"]),
    .target(name: "CFixtureTypes", path: "Tests/CFixtureTypes"),
    tests("DeconstructorTests", ["Deconstructor", "SwiftMetadata", "CAllocationCounter", "CFixtureTypes"]),
    tests(
      "IntrospectionTestingTests",
      ["IntrospectionTesting", "CAllocationCounter", "CSwiftRuntime"]),
    tests("ToolTests", ["ToolSupport", "MeasurementText", "TrendAnalysis", "leak-trend", "introspect", "scenario"]),
  ]
)
