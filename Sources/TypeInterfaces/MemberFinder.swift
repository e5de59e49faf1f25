import SwiftMetadata
import Symbolication

/// Finds the members of one type among the symbols of a file.
struct MemberFinder {
  private let source: InterfaceSource
  private let subject: InterfaceSubject
  private let options: InterfaceOptions
  private let members: MemberReader
  private let tables: MethodTables
  private let ownerName: String
  /// What the type itself asks for.
  private let ownConstraints: Set<String>
  private var symbols: SymbolList { source.symbols }

  init(
    _ source: InterfaceSource, _ subject: InterfaceSubject, _ spelling: TypeSpelling, _ options: InterfaceOptions,
    constraints: Set<String>
  ) {
    (self.source, self.subject, self.options) = (source, subject, options)
    ownConstraints = constraints
    ownerName = subject.ownerName
    members = MemberReader(spelling: spelling)
    tables = subject.descriptor.map { MethodTables($0, source.reader) } ?? MethodTables()
  }

  func find() -> FoundMembers {
    var found = FoundMembers()
    for index in candidates() { add(index, to: &found) }
    if subject.kind == .protocol {
      for (text, symbol) in source.requirements.of(subject.name) { add(text, symbol, nil, to: &found) }
    }
    if let prefix = subject.prefix {
      found.metadataSymbol = symbols.index(of: String(decoding: prefix, as: UTF8.self) + "N").map(symbols.address)
    }
    return found
  }

  /// The symbols that begin with the type's name, less those of the types within it.
  private func candidates() -> [Int] {
    guard let prefix = subject.prefix else { return subject.memberSymbols }
    var found: [Int] = []
    let range = symbols.range(prefix: prefix)
    let inner = source.prefixes.inside(prefix)
    var index = range.lowerBound
    var next = 0
    while index < range.upperBound {
      let bytes = symbols.bytes(index)
      while next < inner.count, inner[next].lexicographicallyPrecedes(bytes), !bytes.starts(with: inner[next]) {
        next += 1
      }
      if next < inner.count, bytes.starts(with: inner[next]) {
        index = max(index + 1, symbols.range(prefix: inner[next]).upperBound)
        continue
      }
      found.append(index)
      index += 1
    }
    return found
  }

  private func add(_ index: Int, to found: inout FoundMembers) {
    guard let kind = MemberSymbol(symbols.bytes(index)) else { return }
    let symbol = symbols.name(index)
    switch kind {
    case .member:
      guard let demangled = Demangler.demangled(symbol) else { return }
      guard let text = own(demangled) else {
        if options.includesLocalFunctions { addLocal(demangled, to: &found) }
        return
      }
      add(text, symbol, symbols.address(index), to: &found)
    case .descriptor:
      // Of classes the methods themselves are there.
      guard subject.kind == .protocol, let demangled = Demangler.demangled(String(symbol.dropLast(2))),
        let text = own(demangled)
      else { return }
      add(text, symbol, nil, to: &found)
    case .fieldOffset:
      guard let text = demangledProperty(symbol.dropLast(3)) else { return }
      found.fieldSymbols[text.name] = (
        String(text.entity.rest.dropFirst(3)), text.isPrivate, symbols.address(index) &+ source.bias
      )
    case .wrapper:
      if let text = demangledProperty(symbol.dropLast(2)) { found.wrapped.insert(text.name) }
    case .closure:
      if options.includesLocalFunctions, let demangled = Demangler.demangled(symbol) { addLocal(demangled, to: &found) }
    case .witness: break
    }
  }

  /// `…vp` names the property itself.
  private func demangledProperty(_ symbol: Substring) -> SymbolText? {
    Demangler.demangled(String(symbol)).flatMap(own).flatMap { $0.entity.rest.hasPrefix(" : ") ? $0 : nil }
  }

  private func add(_ text: SymbolText, _ symbol: String, _ address: UInt64?, to found: inout FoundMembers) {
    guard let (read, accessor) = members.read(text) else { return }
    var member = read
    if let use = address.flatMap({ tables.use(of: $0 &+ source.bias) }) ?? asyncUse(symbol) {
      member.isOverride = use == .override
      member.isOverridable = true
    }
    if accessor != nil, member.kind == .property || member.kind == .subscript, asyncAddress(symbol) != nil {
      member.isAsync = true
    }
    if member.type?.hasPrefix("some Any") ?? false { member.type = opaqueResult(symbol) ?? member.type }
    // A module that extends its own types without constraints might as well have written it inside.
    let module = extensionModule(text) ?? subject.module
    // Where copying is not asked for, each member says so once more.
    let constraints = text.constraints.map(members.spelling.constraint).filter { !ownConstraints.contains($0) }
    let isOwn =
      subject.kind != .extension && module == subject.module && constraints.isEmpty
      && !(subject.kind == .protocol && extensionModule(text) != nil)
    found.collection.add(
      member, accessor: accessor, symbol: symbol, module: isOwn ? nil : module, constraints: constraints)
  }

  /// An asynchronous function is reached through a record that bears its name.
  private func asyncAddress(_ symbol: String) -> UInt64? { symbols.index(of: symbol + "Tu").map(symbols.address) }

  private func asyncUse(_ symbol: String) -> MethodTables.Use? {
    tables.isEmpty ? nil : asyncAddress(symbol).flatMap { tables.use(of: $0 &+ source.bias) }
  }

  /// What `some` stands for, by the descriptor of the opaque type: what is asked of it.
  private func opaqueResult(_ symbol: String) -> String? {
    // The descriptor of a property's belongs to the property, and not to its getter.
    let owner = symbol.hasSuffix("vg") ? symbol.dropLast(2) + "vp" : symbol[...]
    guard let index = symbols.index(of: owner + "QOMQ") else { return nil }
    let names = RequirementReader(source.names).opaqueType(symbols.address(index) &+ source.bias)
    return names.isEmpty ? nil : "some " + names.map(members.spelling.constraint).joined(separator: " & ")
  }

  // MARK: - What a text belongs to

  /// The text, if it declares something of this type and of no other.
  private func own(_ demangled: String) -> SymbolText? {
    if subject.isLocal {
      guard let key = subject.key, demangled.hasSuffix(" in " + key) else { return nil }
      return SymbolText(memberOfLocalType: String(demangled.dropLast(key.count + 4)))
    }
    guard let text = SymbolText(demangled), text.owner == ownerName else { return nil }
    return text
  }

  /// The module of the extension; `nil` for what stands in the type itself. A type that is itself declared in an
  /// extension brings that one along.
  private func extensionModule(_ text: SymbolText) -> String? {
    let known = subject.key.map { SymbolText.extensions(before: $0[...]).modules.count } ?? 0
    return text.extensions.count > known ? text.extensions.last : nil
  }

  private func addLocal(_ demangled: String, to found: inout FoundMembers) {
    guard TextSearch.contains(" #", in: demangled), let key = subject.key, TextSearch.contains(key + ".", in: demangled)
    else { return }
    found.localFunctions.append(ModuleNames.removed(from: PrivateNames.removed(from: demangled)))
  }
}
