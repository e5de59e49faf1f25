// The functions of one unit by address. Read once for each unit, since entries do not say where their next sibling is: passing over
// a function costs as much as reading it.

import CElfutils

/// The functions of one compilation unit.
final class UnitFunctions {
  private struct Function {
    var start: UInt64
    var end: UInt64
    var entry: UInt64
  }

  private var functions: [Function] = []
  /// Entries whose later siblings have not been read, the outermost first; empty when all is read.
  private var open: [CE_Die] = []

  init(_ unit: CE_Die) {
    var (unit, child) = (unit, CE_Die())
    if ce_dwarf_child(&unit, &child) == 0 { open = [child] }
  }

  /// Reads on until the deadline; false where it was not enough.
  func read(until deadline: ContinuousClock.Instant) -> Bool {
    guard !open.isEmpty else { return true }
    var count = 0
    while var entry = open.popLast() {
      count += 1
      if count % 64 == 0, ContinuousClock.now >= deadline {
        open.append(entry)
        return false
      }
      var sibling = entry
      if ce_dwarf_next(&sibling) == 0 { open.append(sibling) }
      visit(&entry)
    }
    functions.sort { $0.start < $1.start }
    return true
  }

  private func visit(_ entry: inout CE_Die) {
    switch ce_dwarf_tag(&entry) {
    case DwarfTag.subprogram:
      let offset = ce_dwarf_dieoffset(&entry)
      forEachRange(&entry) { functions.append(Function(start: $0, end: $1, entry: offset)) }
    case DwarfTag.module, DwarfTag.namespace, DwarfTag.structureType, DwarfTag.classType, DwarfTag.enumerationType,
      DwarfTag.unionType:
      var child = CE_Die()
      // As deep as types nest in a real program, and no deeper in a damaged file.
      if open.count < 256, ce_dwarf_child(&entry, &child) == 0 { open.append(child) }
    default: break
    }
  }

  /// The entry of the function that holds an address.
  func function(at address: UInt64) -> UInt64? {
    var low = 0
    var high = functions.count
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < functions[low - 1].end else { return nil }
    return functions[low - 1].entry
  }
}
