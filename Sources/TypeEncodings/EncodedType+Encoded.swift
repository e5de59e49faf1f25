extension EncodedType {
  /// The type as an encoding again, as the given dialect writes it.
  ///
  /// In the dialect it was read in this is the text itself. In another one what that compiler would leave out is left
  /// out: clang keeps `const` only under the outermost pointer and no vectors; Apple keeps no positions of bit-fields.
  /// Positions and types that Apple's bit-fields lack are worked out from the layout in ``DataModel/lp64GNU``.
  public func encoded(dialect: EncodingDialect) -> String {
    var writer = EncodingWriter(source: tree.dialect, target: dialect)
    writer.write(self, isOutermost: true)
    return writer.text
  }
}

extension TypeEncoding {
  /// The encoding again; see ``EncodedType/encoded(dialect:)``.
  public func encoded(dialect: EncodingDialect? = nil) -> String { type.encoded(dialect: dialect ?? self.dialect) }
}

/// Writes types as encodings.
private struct EncodingWriter {
  let source: EncodingDialect
  let target: EncodingDialect
  var text = ""

  /// Whether `r` is read alike in both.
  private var keepsConst: Bool { (source == .gcc) == (target == .gcc) }

  init(source: EncodingDialect, target: EncodingDialect) {
    self.source = source
    self.target = target
  }

  mutating func write(_ type: EncodedType, isOutermost: Bool) {
    putQualifiers(type, isOutermost: isOutermost)
    switch type.kind {
    case .unknown: break
    case .scalar, .object, .function, .characterPointer: putSource(type)
    case .pointer(let pointee): put("^", pointee, "")
    case .atomic(let value): put("A", value, "")
    case .complex(let part): put("j", part, "")
    case .block(let signature): putBlock(signature)
    case .array(_, let element): put("[" + type.tree.text(type.node.start + 1, type.node.payload), element, "]")
    case .vector(let bytes, let alignment, let element):
      if target == .gcc { put("![\(bytes),\(alignment)", element, "]") }
    case .record(let record): putRecord(record)
    case .bitField(let field): putBitField(field, position: nil)
    }
  }

  /// The text of a type of one node, without its qualifiers.
  private mutating func putSource(_ type: EncodedType) {
    text.append(contentsOf: type.tree.text(type.node.start, type.node.end - type.node.start))
  }

  private mutating func put(_ before: String, _ inner: EncodedType, _ after: String) {
    text.append(before)
    write(inner, isOutermost: false)
    text.append(after)
  }

  private mutating func putQualifiers(_ type: EncodedType, isOutermost: Bool) {
    guard !keepsConst else {
      for qualifier in type.qualifiers { text.unicodeScalars.append(UnicodeScalar(qualifier.code)) }
      return
    }
    let codes = type.qualifiers.filter { $0 != .const }.map { UnicodeScalar($0.code) }
    if target == .gcc {
      for code in codes.reversed() { text.unicodeScalars.append(code) }
      if type.isConst { text.append("r") }
      if case .characterPointer(true) = type.kind { text.append("r") }
    } else {
      if isOutermost, type.hasConstWhereAppleLooks { text.append("r") }
      for code in codes { text.unicodeScalars.append(code) }
    }
  }

  private mutating func putBlock(_ signature: BlockShape?) {
    text.append("@?")
    guard let signature else { return }
    text.append("<")
    write(signature.result, isOutermost: true)
    text.append("@?")
    for argument in signature.arguments { write(argument, isOutermost: true) }
    text.append(">")
  }

  private mutating func putRecord(_ record: RecordType) {
    text.append(record.isUnion ? "(" : "{")
    text.append(record.tag ?? "?")
    if record.listsMembers { text.append("=") }
    let members = record.members
    let needsPositions = target != .apple && members.contains { $0.type.isUnpositionedBitField }
    let positions = needsPositions ? RecordLayout(record, in: .lp64GNU)?.bitOffsets ?? [] : []
    for (index, member) in members.enumerated() {
      if let name = member.name { text.append("\"\(name)\"") }
      if case .bitField(let field) = member.type.kind {
        putQualifiers(member.type, isOutermost: false)
        putBitField(field, position: index < positions.count ? positions[index] : nil)
      } else {
        write(member.type, isOutermost: false)
      }
    }
    text.append(record.isUnion ? ")" : "}")
  }

  private mutating func putBitField(_ field: BitField, position: UInt64?) {
    guard target != .apple else { return text.append("b\(field.width)") }
    text.append("b\(field.position ?? position ?? 0)")
    let storage =
      field.storage ?? (field.width <= 32 ? .unsignedInt : field.width <= 64 ? .unsignedLongLong : .unsignedInt128)
    text.unicodeScalars.append(UnicodeScalar(storage.rawValue))
    text.append("\(field.width)")
  }
}

extension EncodedType {
  fileprivate var isUnpositionedBitField: Bool {
    node.kind == .bits && !node.flags.contains(.isPositioned)
  }

  /// Whether what clang looks at for its one `r` is constant: through pointers, then through arrays.
  fileprivate var hasConstWhereAppleLooks: Bool {
    var type = self
    while type.node.kind == .pointer { type = type.child }
    while type.node.kind == .array { type = type.child }
    if case .characterPointer(true) = type.kind { return true }
    return type.node.kind != .characterPointer && type.isConst && (type.index != index || type.node.kind != .pointer)
  }
}
