// Floor 5: what keeps an object alive from outside.
import CallStacks
import HeapInspection
import MeasurementText
import ProcessMemory
import SwiftMetadata
import Symbolication

/// Looks for who holds an object, over all references in this process's memory.
enum HolderWay {
  /// What a search has come to.
  enum Answer: Sendable, Equatable {
    /// From a variable to the object, `static Vault.shared -> Vault.items -> [Event] -> Event`; or the last step alone, where no variable
    /// was reached.
    case way(String)
    /// The same over something that may be left from before, or a number.
    case perhaps(String)
    /// No object and no variable is seen to refer to it.
    case nobody
    /// There was no search.
    case notLookedFor
  }

  /// A failure waits no longer than this for its explanation. Nearly all of them take some 0.1 s.
  static let patience = Duration.seconds(5)

  /// Who holds the object at an address.
  ///
  /// - Parameter name: the object's class, with its module.
  static func find(_ object: HeapAddress, named name: String, until end: ContinuousClock.Instant) -> Answer {
    guard CensusSupport.problem == nil, ContinuousClock.now < end, let inspector = try? CensusSupport.inspector(),
      let way = try? inspector.way(to: object, until: end, strength: strength)
    else { return .notLookedFor }
    guard !way.isEmpty else { return .nobody }
    let text = (way.map(label) + [typeLabel(name)]).joined(separator: " -> ")
    return way.allSatisfy { strength($0) == .holding } ? .way(text) : .perhaps(text)
  }

  /// A class as ways name it: without its module, and a storage of the standard library as what it is the storage of.
  static func typeLabel(_ name: String) -> String {
    let label = ModuleNames.removed(from: name)
    return LineText.bounded(collection(label) ?? label, limit: 80)
  }

  /// What the declaration of the field or the capture says, and the type of the element.
  private static func strength(_ referrer: HeapReferrer) -> ReferenceStrength {
    switch referrer.holder {
    case .variable: return .holding
    // What C and C++ have, and what a task keeps of its functions, tells not whether it is in use.
    case .memory, .object(.task, metadata: _), .object(.cxx, metadata: _): return .uncertain
    case .object(.error, metadata: _): return .holding
    case .object(.closure, let address), .object(.box, let address):
      return metadata(address).flatMap(ClosureContext.init(ofType:)).map { strength(referrer, in: $0) } ?? .uncertain
    case .object(.class, let address), .object(.actor, let address):
      guard let metadata = metadata(address) else { return .holding }
      return ReferenceSpot(at: referrer.place, offset: referrer.offset, ofObject: TypePlan.of(metadata)).strength
    case .storage(let values):
      guard let type = metadata(values.element) else { return .uncertain }
      let offset = (referrer.offset - values.offset) % max(type.stride, 1)
      return ReferenceSpot(at: referrer.place, offset: offset, ofValue: TypePlan.of(type)).strength
    }
  }

  private static func strength(_ referrer: HeapReferrer, in closure: ClosureContext) -> ReferenceStrength {
    // What lies behind the captures that are known may be more of them, or what was in that memory before.
    let unknown = closure.unreadCount > 0 ? ReferenceStrength.uncertain : .notHolding
    guard let capture = closure.captures.last(where: { $0.offset <= referrer.offset }) else { return unknown }
    let offset = referrer.offset - capture.offset
    switch capture.content {
    case .box where offset < MetadataLayout.wordSize, .closure where offset < 2 * MetadataLayout.wordSize:
      return capture.ownership == .strong ? .holding : .notHolding
    case .value(let type) where offset < type.metadata.size:
      guard capture.ownership == .strong else { return .notHolding }
      return ReferenceSpot(at: referrer.place, offset: offset, ofValue: type).strength
    case .box, .closure, .value: return unknown
    }
  }

  // MARK: Names

  private static func label(_ referrer: HeapReferrer) -> String {
    switch referrer.holder {
    case .variable: return variable(at: referrer.place.value)
    case .memory(let byteCount): return "a block of \(byteCount) bytes"
    case .storage(let values): return metadata(values.metadata).map(typeLabel) ?? "a collection"
    case .object(.closure, metadata: _): return "closure"
    case .object(.box, metadata: _): return "captured variable"
    case .object(.task, metadata: _): return "task"
    case .object(.cxx, metadata: _): return "an object of C++"
    case .object(.error, metadata: _): return "an error"
    case .object(.class, let address), .object(.actor, let address):
      guard let metadata = metadata(address) else { return "an object" }
      let spot = ReferenceSpot(at: referrer.place, offset: referrer.offset, ofObject: TypePlan.of(metadata))
      return ([typeLabel(metadata)] + spot.fields).joined(separator: ".")
    }
  }

  private static func typeLabel(_ metadata: TypeMetadata) -> String {
    typeLabel(RuntimeTypeName.qualified(metadata.type))
  }

  /// Metadata that a walk has found to be a class's or a closure's, or an argument of such a class, is never freed.
  private static func metadata(_ address: UInt64) -> TypeMetadata? {
    UnsafeRawPointer(bitPattern: UInt(address)).map(TypeMetadata.init(pointer:))
  }

  /// What a storage of the standard library is the storage of.
  private static func collection(_ storage: String) -> String? {
    for (prefix, open, close) in [
      ("_ContiguousArrayStorage<", "[", "]"), ("_DictionaryStorage<", "[", "]"), ("_SetStorage<", "Set<", ">"),
    ] where storage.hasPrefix(prefix) && storage.hasSuffix(">") {
      let arguments = String(storage.dropFirst(prefix.count).dropLast())
      return open + (prefix.hasPrefix("_Dictionary") ? pair(arguments) : arguments) + close
    }
    return nil
  }

  /// `Key, Value` as `Key: Value`.
  private static func pair(_ arguments: String) -> String {
    var depth = 0
    for index in arguments.indices {
      switch arguments[index] {
      case "<", "(", "[": depth += 1
      case ">" where !arguments[..<index].hasSuffix("-"), ")", "]": depth -= 1
      case "," where depth == 0:
        return arguments[..<index] + ":" + arguments[arguments.index(after: index)...]
      default: break
      }
    }
    return arguments
  }

  /// `static Vault.shared`, or the file it is in.
  private static func variable(at address: UInt64) -> String {
    guard let symbols = try? ProcessSymbols.current() else { return "a variable" }
    guard let found = symbols.symbol(at: address) else {
      return symbols.images.image(containing: address).map { "a variable of \($0.name)" } ?? "a variable"
    }
    let name = PrivateNames.removed(from: FunctionNames.shared.name(of: found.symbol.name).simplified)
    // An optimizer makes the object of a global constant a part of the program, in a variable of its own.
    if let phrase = TextSearch.firstRange(of: "one-time initialization function for ", in: name) {
      return String(name[phrase.upperBound...])
    }
    // Without the type.
    return TextSearch.firstRange(of: " : ", in: name).map { String(name[..<$0.lowerBound]) } ?? name
  }
}
