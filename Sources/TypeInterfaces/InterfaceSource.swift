// Where declarations are read from: a file, or an image in the memory of a process.

import ProcessMemory
import SwiftMetadata
import Symbolication

/// The types of one file, in itself or as it is loaded into a process.
///
/// Opening reads the file's symbols and lists its types; each type's members are demangled when they are asked for. Not to be
/// shared between threads.
///
/// ```swift
/// let source = try InterfaceSource(ofFileAt: "/usr/bin/shop")
/// for type in source.types where type.name == "Order" { print(source.interface(of: type).text()) }
/// ```
public final class InterfaceSource {
  /// Where the file is.
  public let path: String
  /// The types, by name; those that the file only extends come last.
  public private(set) lazy var types: [ListedType] = listedTypes()

  let image: ElfImage
  let names: TypeNameReader
  /// What is added to an address of the file to have one in memory; 0 for the file itself.
  let bias: UInt64
  /// Whether sizes that a program works out are there to be read.
  let isLive: Bool
  private(set) lazy var subjects: [InterfaceSubject] = SubjectFinder(self).find()
  private(set) lazy var foreign: [InterfaceSubject] = ForeignSubjects(self).find()
  private(set) lazy var prefixes = NestedPrefixes(subjects)
  private(set) lazy var conformances = ConformanceTable(self)
  private(set) lazy var spelling = TypeSpelling(protocols: knownProtocols())
  private(set) lazy var requirements = WitnessedRequirements(self)

  var reader: MetadataReader { names.reader }
  var symbols: SymbolList { image.symbols }

  /// The types of a file.
  ///
  /// - Throws: ``TypeInterfaceError``: the file cannot be read, or has no Swift types.
  public convenience init(ofFileAt path: String) throws(TypeInterfaceError) {
    let image: ElfImage
    do throws(SymbolError) { image = try ElfImage(ofFileAt: path) } catch { throw .file(error) }
    try self.init(image, memory: image.memory, bias: 0, isLive: false)
  }

  /// The types of an image of a process: what the program has worked out by now is known too.
  ///
  /// - Parameters:
  ///   - loaded: the image, as ``ImageMap`` has it.
  ///   - processID: the process.
  /// - Throws: ``TypeInterfaceError``.
  public convenience init(_ loaded: LoadedImage, of processID: Int32) throws(TypeInterfaceError) {
    let memory: ProcessMemoryReader
    do throws(ProcessMemoryError) { memory = try ProcessMemoryReader(processID) } catch { throw .process(error) }
    let image: ElfImage
    do throws(SymbolError) { image = try Self.open(loaded, of: processID) } catch { throw .file(error) }
    try self.init(image, memory: memory, bias: loaded.loadBias, isLive: true, path: loaded.path)
  }

  /// Tries the ways there are to a loaded image's file; the first one's problem is the one to tell.
  private static func open(_ loaded: LoadedImage, of processID: Int32) throws(SymbolError) -> ElfImage {
    var problem: SymbolError?
    for path in loaded.openablePaths(of: processID) {
      do throws(SymbolError) {
        return try ElfImage(ofFileAt: path, loadedAs: loaded.path, buildID: loaded.buildID)
      } catch {
        problem = problem ?? error
      }
    }
    throw problem ?? .notELF(path: loaded.path, detail: "it is in memory only")
  }

  init(
    _ image: ElfImage, memory: any MemoryReader, bias: UInt64, isLive: Bool, path: String? = nil
  ) throws(TypeInterfaceError) {
    guard image.sections["swift5_type_metadata"] != nil || image.sections["swift5_protocols"] != nil else {
      throw .noSwiftTypes(path: path ?? image.path)
    }
    (self.image, self.bias, self.isLive, self.path) = (image, bias, isLive, path ?? image.path)
    names = TypeNameReader(MetadataReader(memory))
  }

  /// The types of a name, with or without the module and the types around it. Cheaper than ``types``: what the file only
  /// extends is looked for where it declares none of that name.
  public func types(named name: String) -> [ListedType] {
    func matches(_ subject: InterfaceSubject) -> Bool {
      let full = subject.module + "." + subject.localName
      return full == name || full.hasSuffix("." + name)
    }
    let own = subjects.indices.filter { matches(subjects[$0]) }.map { listed($0, subjects[$0]) }
    guard own.isEmpty else { return own.sorted { $0.qualifiedName < $1.qualifiedName } }
    return foreign.indices.filter { matches(foreign[$0]) }.map { listed($0 + subjects.count, foreign[$0]) }
  }

  private func listed(_ index: Int, _ subject: InterfaceSubject) -> ListedType {
    ListedType(module: subject.module, name: subject.localName, kind: subject.kind, index: index)
  }

  /// The declaration of a type of ``types``.
  public func interface(of type: ListedType, options: InterfaceOptions = InterfaceOptions()) -> TypeInterface {
    let all = type.index < subjects.count ? subjects : foreign
    let index = type.index < subjects.count ? type.index : type.index - subjects.count
    guard all.indices.contains(index) else {
      return TypeInterface(module: type.module, name: type.name, kind: type.kind)
    }
    return InterfaceBuilder(self, options).build(all[index])
  }

  func section(_ name: String) -> Range<UInt64> {
    guard let range = image.sections[name] else { return 0..<0 }
    let (start, end) = (range.lowerBound &+ bias, range.upperBound &+ bias)
    return start <= end ? start..<end : 0..<0
  }

  private func listedTypes() -> [ListedType] {
    let all = subjects + foreign
    let own = subjects.indices.sorted { subjects[$0].name < subjects[$1].name }
    let others = foreign.indices.sorted { foreign[$0].name < foreign[$1].name }.map { $0 + subjects.count }
    return (own + others).map { listed($0, all[$0]) }
  }

  /// The protocols that the file has or mentions, and those of the standard library that nearly every text mentions.
  private func knownProtocols() -> Set<String> {
    var found = Set(subjects.filter { $0.kind == .protocol }.map(\.name))
    for name in symbols.needed where name.hasSuffix("Mp") {
      guard let text = Demangler.demangled(name), text.hasPrefix("protocol descriptor for ") else { continue }
      found.insert(PrivateNames.removed(from: String(text.dropFirst("protocol descriptor for ".count))))
    }
    for name in [
      "Error", "Encoder", "Decoder", "CodingKey", "Hashable", "Equatable", "Comparable", "Encodable", "Decodable",
      "Sequence", "Collection", "Sendable", "CustomStringConvertible", "RandomNumberGenerator", "TextOutputStream",
      "SingleValueEncodingContainer", "SingleValueDecodingContainer", "UnkeyedEncodingContainer",
      "UnkeyedDecodingContainer", "IteratorProtocol", "CVarArg", "Executor", "SerialExecutor", "Actor",
    ] { found.insert("Swift." + name) }
    return found
  }
}
