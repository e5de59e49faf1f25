import ProcessMemory
import Symbolication

/// Memory in which some pointers lead to what is not there, and only its symbol is known: that of a file.
package protocol ImportedSymbols: Sendable {
  func importedSymbol(at address: UInt64) -> String?
}

extension ElfMemory: MemoryReader {}
extension ElfMemory: ImportedSymbols {}
