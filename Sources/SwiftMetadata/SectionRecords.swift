import ProcessMemory

/// The lists of types, protocols and conformances that the compiler leaves in sections of a file.
package struct SectionRecords {
  private let reader: MetadataReader
  /// More records than any program has: a damaged section's size may be anything, and zeros may be there to read for long.
  private static let maximumCount = 1 << 22

  package init(_ reader: MetadataReader) { self.reader = reader }

  /// The descriptors that a section of relative pointers leads to (`swift5_type_metadata`, `swift5_protocols`).
  package func descriptors(in section: Range<UInt64>) -> [UInt64] {
    forEachPlace(in: section) { place, distance in
      guard let target = MetadataReader.offset(place, by: Int64(distance & ~MetadataLayout.recordKindMask)) else {
        return nil
      }
      guard distance & MetadataLayout.recordKindMask == MetadataLayout.recordIsIndirect else { return target }
      return reader.word(target).flatMap { $0 == 0 ? nil : $0 }
    }
  }

  /// The conformances that a section lists (`swift5_protocol_conformances`).
  package func conformances(in section: Range<UInt64>, _ names: TypeNameReader) -> [ConformanceRecord] {
    forEachPlace(in: section) { place, distance in
      MetadataReader.offset(place, by: Int64(distance)).flatMap { ConformanceRecord(at: $0, names) }
    }
  }

  private func forEachPlace<Record>(in section: Range<UInt64>, _ body: (UInt64, Int32) -> Record?) -> [Record] {
    var found: [Record] = []
    var place = section.lowerBound
    var rest = Self.maximumCount
    while place < section.upperBound, section.upperBound - place >= 4, rest > 0 {
      rest -= 1
      guard let distance = reader.memory.load(place, as: Int32.self) else { break }
      if distance != 0, let record = body(place, distance) { found.append(record) }
      place += 4
    }
    return found
  }
}
