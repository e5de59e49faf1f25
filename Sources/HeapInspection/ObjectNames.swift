import ProcessMemory
import SwiftMetadata
import Symbolication

/// Names what a walk has counted. Names are kept: a second census of the same process makes only new ones.
final class ObjectNames {
  private let types: TypeNameReader
  private var names: [UInt64: String] = [:]

  init(_ memory: any MemoryReader) { types = TypeNameReader(MetadataReader(memory)) }

  /// The name of the objects counted under a tally.
  func name(of tally: TypeTally) -> String {
    if let known = names[tally.word] { return known }
    let name = make(tally)
    names[tally.word] = name
    return name
  }

  private func make(_ tally: TypeTally) -> String {
    switch tally.form {
    case .object, .actor: types.name(ofType: tally.word) ?? "a class without a readable name"
    case .error: types.name(ofType: tally.word & ~1) ?? "an error without a readable name"
    case .closure: closureName(tally.word)
    case .box: boxName(tally.word)
    case .task: "Swift.Task"
    case .job: "a job of Swift's concurrency"
    case .cxx: cxxName(tally.word) ?? "a class of C++ without a readable name"
    case .none, .unknown, .anyError: "unknown"
    }
  }

  /// What a closure has captured, or the type of the one variable that it shares.
  private func closureName(_ metadata: UInt64) -> String {
    guard let captures = captures(of: metadata) else { return "closure" }
    return captures.isEmpty ? "closure" : "closure capturing " + captures.joined(separator: ", ")
  }

  /// The captured types, in order; `nil` where the program has no description of them.
  private func captures(of metadata: UInt64) -> [String]? {
    let reader = types.reader
    guard let descriptor = reader.word(metadata, MetadataLayout.closureCaptureDescriptor), descriptor != 0,
      let count = reader.half(descriptor, MetadataLayout.captureTypeCount), count <= 256
    else { return nil }
    return (0..<Int(count)).map { index in
      let field = MetadataLayout.captureDescriptorHeaderSize + index * 4
      let name = reader.relative(descriptor, field).flatMap(types.name(ofMangling:))
      return name.map(CaptureText.simplified) ?? "_"
    }
  }

  private func boxName(_ metadata: UInt64) -> String {
    let type = types.reader.word(metadata, MetadataLayout.boxedType).flatMap(types.name(ofType:))
    return type.map { "captured variable of \(ModuleNames.removed(from: $0))" } ?? "captured variable"
  }

  /// The name in the record of a class of C++ (Itanium C++ ABI, 2.9.5): there in stripped programs too.
  private func cxxName(_ table: UInt64) -> String? {
    let reader = types.reader
    guard let record = reader.word(table, -8), let address = reader.word(record, 8), var name = reader.name(address)
    else { return nil }
    // A star marks types that are one file's own.
    if name.hasPrefix("*") { name.removeFirst() }
    let prefix = "typeinfo for "
    guard let text = Demangler.demangled("_ZTI" + name), text.hasPrefix(prefix) else { return nil }
    return String(text.dropFirst(prefix.count))
  }
}
