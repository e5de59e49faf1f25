// Floor 5, growth: types that any test makes.
import HeapInspection

/// Tells types of the tested program from those that every program makes.
///
/// Where other tests run at the same time, strings and arrays come and go with them, and prove nothing about the scenario. A type
/// of the program itself does, as long as the tests that use it do not run at the same time.
enum SharedTypes {
  private static let toolchain: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "Dispatch", "Observation", "Runtime",
    "Testing", "XCTest", "Glibc",
  ]

  /// Whether a type, or every module in its name, is the toolchain's; so are closures and captured variables of any program.
  static func contains(_ name: String, _ kind: LiveType.Kind?) -> Bool {
    switch kind {
    case .class, .actor, .error: break
    case .closure, .box, .task, .cxx, nil: return true
    }
    // The first part of each dotted name.
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    let modules = words.compactMap { word in word.contains(".") ? word.split(separator: ".").first : nil }
    return modules.allSatisfy { toolchain.contains(String($0)) }
  }
}
