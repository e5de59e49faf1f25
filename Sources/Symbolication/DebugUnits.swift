// The units of a file's DWARF, found by address. libdw's own lookup needs .debug_aranges, which Swift's compiler does not write
// and which libdw makes up only from 0.191 on; so the units' ranges are read here, once.

import CElfutils

/// The compilation units of one file. One thread at a time.
final class DebugUnits {
  private struct UnitRange {
    var start: UInt64
    var end: UInt64
    var firstEntry: UInt64
  }

  private let handle: ElfHandle
  private let dwarf: OpaquePointer
  private var ranges: [UnitRange] = []
  private var nextUnit: UInt64? = 0
  private var functions: [UInt64: UnitFunctions] = [:]

  init?(path: String, buildID: String?) {
    guard let handle = try? ElfHandle(path: path), buildID == nil || handle.buildID == buildID,
      let dwarf = ce_dwarf_begin(handle.elf)
    else { return nil }
    (self.handle, self.dwarf) = (handle, dwarf)
  }

  deinit { ce_dwarf_end(dwarf) }

  func frames(at address: UInt64, deadline: ContinuousClock.Instant) -> SourceLines.Answer {
    guard readUnits(until: deadline) else { return .outOfTime }
    guard let firstEntry = unit(at: address) else { return .unknown }
    var unit = CE_Die()
    guard ce_dwarf_offdie(dwarf, firstEntry, &unit) == 0 else { return .unknown }
    let known = functions[firstEntry] ?? UnitFunctions(unit)
    functions[firstEntry] = known
    guard known.read(until: deadline) else { return .outOfTime }
    return Self.frames(at: address, in: &unit, function: known.function(at: address), dwarf)
  }

  /// Reads on where the last question's time was up; false where this one's is.
  private func readUnits(until deadline: ContinuousClock.Instant) -> Bool {
    guard nextUnit != nil else { return true }
    var count = 0
    while let offset = nextUnit {
      count += 1
      if count % 16 == 0, ContinuousClock.now >= deadline { return false }
      var (next, firstEntry): (UInt64, UInt64) = (0, 0)
      guard ce_dwarf_nextcu(dwarf, offset, &next, &firstEntry) == 0, next > offset else {
        nextUnit = nil
        break
      }
      nextUnit = next
      var unit = CE_Die()
      guard ce_dwarf_offdie(dwarf, firstEntry, &unit) == 0 else { continue }
      forEachRange(&unit) { ranges.append(UnitRange(start: $0, end: $1, firstEntry: firstEntry)) }
    }
    ranges.sort { $0.start < $1.start }
    return true
  }

  private func unit(at address: UInt64) -> UInt64? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < ranges[low - 1].end else { return nil }
    return ranges[low - 1].firstEntry
  }

  /// The chain from the unit's line table and the inlined functions around the address.
  private static func frames(
    at address: UInt64, in unit: inout CE_Die, function: UInt64?, _ dwarf: OpaquePointer
  ) -> SourceLines.Answer {
    var place = Place()
    var text: UnsafePointer<CChar>?
    var (line, column): (Int32, Int32) = (0, 0)
    if ce_dwarf_line(&unit, address, &text, &line, &column) == 0, let text {
      place = Place(file: String(cString: text), line: Int(line), column: Int(column))
    }
    guard let function else {
      guard place.file != nil else { return .unknown }
      return .found([place.frame(symbol: nil, isInlined: false)])
    }
    var scopes: [CE_Die] = []
    var entry = CE_Die()
    guard ce_dwarf_offdie(dwarf, function, &entry) == 0 else { return .unknown }
    scopes.append(entry)
    inlinedScopes(at: address, below: entry, into: &scopes)
    var frames: [SourceFrame] = []
    for index in scopes.indices.reversed() {
      frames.append(place.frame(symbol: symbol(&scopes[index]), isInlined: index > 0))
      // Where an inlined function was called from is said by itself.
      place = callSite(&scopes[index], unit: &unit)
    }
    return .found(frames)
  }

  /// Inlined functions that hold an address, the outermost first.
  private static func inlinedScopes(at address: UInt64, below parent: CE_Die, into scopes: inout [CE_Die]) {
    var parent = parent
    // A damaged file could nest without end.
    for _ in 0..<512 {
      var child = CE_Die()
      guard ce_dwarf_child(&parent, &child) == 0 else { return }
      var found: CE_Die?
      repeat {
        let tag = ce_dwarf_tag(&child)
        guard tag == DwarfTag.inlinedSubroutine || tag == DwarfTag.lexicalBlock else { continue }
        if ce_dwarf_haspc(&child, address) > 0 {
          if tag == DwarfTag.inlinedSubroutine { scopes.append(child) }
          found = child
          break
        }
      } while ce_dwarf_next(&child) == 0
      guard let found else { return }
      parent = found
    }
  }

  private static func symbol(_ entry: inout CE_Die) -> String? {
    let text =
      ce_dwarf_text(&entry, DwarfAttribute.linkageName) ?? ce_dwarf_text(&entry, DwarfAttribute.mipsLinkageName)
      ?? ce_dwarf_diename(&entry)
    return text.map { String(cString: $0) }
  }

  private static func callSite(_ entry: inout CE_Die, unit: inout CE_Die) -> Place {
    let file = ce_dwarf_number(&entry, DwarfAttribute.callFile)
    return Place(
      file: ce_dwarf_file(&unit, file).map { String(cString: $0) },
      line: Int(clamping: ce_dwarf_number(&entry, DwarfAttribute.callLine)),
      column: Int(clamping: ce_dwarf_number(&entry, DwarfAttribute.callColumn)))
  }

  /// A file, line and column, before what the compiler made up is left out.
  private struct Place {
    var file: String?
    var line = 0
    var column = 0

    func frame(symbol: String?, isInlined: Bool) -> SourceFrame {
      let isReal = line > 0 && !(file?.hasSuffix("<compiler-generated>") ?? true)
      return SourceFrame(
        symbol: symbol, file: isReal ? file : nil, line: isReal ? line : nil,
        column: isReal && column > 0 ? column : nil, isInlined: isInlined)
    }
  }
}

/// Values of DWARF 5, section 7.5.
enum DwarfTag {
  static let lexicalBlock: Int32 = 0x0B
  static let classType: Int32 = 0x02
  static let enumerationType: Int32 = 0x04
  static let structureType: Int32 = 0x13
  static let unionType: Int32 = 0x17
  static let inlinedSubroutine: Int32 = 0x1D
  static let module: Int32 = 0x1E
  static let subprogram: Int32 = 0x2E
  static let namespace: Int32 = 0x39
}

enum DwarfAttribute {
  static let callColumn: UInt32 = 0x57
  static let callFile: UInt32 = 0x58
  static let callLine: UInt32 = 0x59
  static let linkageName: UInt32 = 0x6E
  static let mipsLinkageName: UInt32 = 0x2007
}

/// The address ranges of an entry.
func forEachRange(_ entry: inout CE_Die, _ body: (_ start: UInt64, _ end: UInt64) -> Void) {
  var (base, start, end): (UInt64, UInt64, UInt64) = (0, 0, 0)
  var offset = ce_dwarf_ranges(&entry, 0, &base, &start, &end)
  while offset > 0 {
    if start < end { body(start, end) }
    offset = ce_dwarf_ranges(&entry, offset, &base, &start, &end)
  }
}
