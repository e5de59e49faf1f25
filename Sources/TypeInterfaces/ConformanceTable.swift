import SwiftMetadata
import Symbolication

/// What conforms to what in a file.
struct ConformanceTable {
  private var byType: [UInt64: [ConformanceRecord]] = [:]
  /// Types of other files, by the address under which conformances refer to them, with their names.
  private(set) var foreignTypes: [UInt64: String] = [:]

  init(_ source: InterfaceSource) {
    let own = Set(source.subjects.compactMap(\.conformanceKey))
    let records = SectionRecords(source.reader)
    for record in records.conformances(in: source.section("swift5_protocol_conformances"), source.names) {
      byType[record.type, default: []].append(record)
      if !own.contains(record.type), let name = source.names.name(ofContext: record.type) {
        foreignTypes[record.type] = name
      }
    }
  }

  /// The conformances of a type, by name, and whether all of their requirements could be read.
  func conformances(
    of subject: InterfaceSubject, _ spelling: TypeSpelling
  ) -> ([InterfaceConformance], isComplete: Bool) {
    guard let key = subject.conformanceKey, let records = byType[key] else { return ([], true) }
    let found = records.map { record in
      InterfaceConformance(record.protocolName, record.requirements, spelling)
    }
    return (Array(Set(found)).sorted { $0.name < $1.name }, records.allSatisfy(\.isComplete))
  }
}

extension InterfaceConformance {
  init(_ qualified: String, _ requirements: [GenericRequirement], _ spelling: TypeSpelling) {
    let dot = qualified.firstIndex(of: ".")
    self.init(
      name: dot.map { String(qualified[qualified.index(after: $0)...]) } ?? qualified,
      module: dot.map { String(qualified[..<$0]) } ?? "",
      constraints: requirements.map { spelling.constraint($0.text) })
  }
}
