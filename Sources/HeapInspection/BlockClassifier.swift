import ProcessMemory
import SwiftMetadata

/// Finds out what a block's first word leads to: metadata of Swift, a table of C++, or nothing known. Allocates nothing.
struct BlockClassifier {
  let memory: any MemoryReader
  private let layout = MetadataLayout.self

  /// A tally without counts.
  func classify(_ word: UInt64, isInImage: Bool) -> TypeTally {
    var tally = TypeTally(word: word, form: .unknown)
    withUnsafeTemporaryAllocation(byteCount: 48, alignment: 8) { buffer in
      guard memory.read(word, into: buffer) == buffer.count else { return }
      let fields = UnsafeRawBufferPointer(buffer)
      guard let kind = MetadataLayout.Kind(rawValue: fields.load(as: UInt64.self)) else { return }
      switch kind {
      case .class: classifyClass(fields, &tally)
      case .heapLocalVariable:
        // The first capture lies behind the object's header, and not far.
        let first = fields.load(fromByteOffset: MetadataLayout.closureFirstCapture, as: UInt32.self)
        if (16...4096).contains(first) { tally.set(.closure, smallestSize: 16) }
      case .heapGenericLocalVariable: tally.set(.box, smallestSize: 16)
      case .errorObject: tally.set(.anyError, smallestSize: 40)
      case .task: tally.set(.task, smallestSize: 72)
      case .job: tally.set(.job, smallestSize: 48)
      default: break
      }
    }
    if tally.form == .unknown, isInImage, isVirtualTable(word) { tally.set(.cxx, smallestSize: 8) }
    return tally
  }

  /// A class's metadata leads to a descriptor that says it is one, with a size an object can have.
  private func classifyClass(_ fields: UnsafeRawBufferPointer, _ tally: inout TypeTally) {
    let descriptor = fields.load(fromByteOffset: MetadataLayout.classDescription, as: UInt64.self)
    let size = fields.load(fromByteOffset: MetadataLayout.classInstanceSize, as: UInt32.self)
    let alignmentMask = fields.load(fromByteOffset: MetadataLayout.classInstanceAlignmentMask, as: UInt16.self)
    guard descriptor & 3 == 0, descriptor >= 4096, size >= 16, size < 1 << 28, alignmentMask < 4096,
      alignmentMask & (alignmentMask &+ 1) == 0, let flags = memory.load(descriptor, as: UInt32.self),
      flags & MetadataLayout.contextKindMask == MetadataLayout.ContextKind.class.rawValue
    else { return }
    tally.set(flags & MetadataLayout.classIsActor != 0 ? .actor : .object, smallestSize: size)
    tally.storage = storage(descriptor)
  }

  /// The standard library's storages, by name: their fields are read as they are laid out in its sources
  /// (ContiguousArrayBuffer.swift, DictionaryStorage.swift, SetStorage.swift, StringStorage.swift).
  private func storage(_ descriptor: UInt64) -> TypeTally.Storage {
    let place = descriptor &+ UInt64(MetadataLayout.descriptorName)
    guard let distance = memory.load(place, as: Int32.self) else { return .none }
    let address = place &+ UInt64(bitPattern: Int64(distance))
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
      let count = memory.read(address, into: buffer)
      let text = UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
      if text.begins(with: "_ContiguousArrayStorage") { return .array }
      if text.begins(with: "_DictionaryStorage") || text.begins(with: "_SetStorage") { return .hashTable }
      return text.begins(with: "__StringStorage") ? .string : .none
    }
  }

  /// In front of a table of virtual functions are the distance to the object's top, and the type's own record, which leads
  /// to a table of the C++ runtime and to the type's name (Itanium C++ ABI, 2.5.2 and 2.9.5).
  private func isVirtualTable(_ word: UInt64) -> Bool {
    guard word >= 4096, let top = memory.load(word &- 16, as: Int64.self), (-(1 << 20)...0).contains(top),
      let record = memory.load(word &- 8, as: UInt64.self), record & 7 == 0, record >= 4096,
      let name = memory.load(record &+ 8, as: UInt64.self), let first = memory.load(name, as: UInt8.self)
    else { return false }
    // A digit: a name's length. N: a nested name. S: one of the standard library. *: a type of one file.
    return (0x30...0x39).contains(first) || first == 0x4E || first == 0x53 || first == 0x2A
  }
}

extension TypeTally {
  fileprivate mutating func set(_ form: Form, smallestSize: UInt32) {
    self.form = form
    self.smallestSize = smallestSize
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are this text and a zero.
  fileprivate func begins(with text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count > length, self[length] == 0 else { return false }
    return text.withUTF8Buffer { wanted in (0..<length).allSatisfy { wanted[$0] == self[$0] } }
  }
}
