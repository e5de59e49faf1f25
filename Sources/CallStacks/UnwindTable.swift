// The head of .eh_frame_hdr: where its sorted table is and how long (LSB Core 5.0, section 10.6.2).

import CLibunwind
import ProcessMemory

enum UnwindTable {
  // Encodings of pointers (LSB Core 5.0, section 10.5.1).
  private static let signed4 = 0x0B, unsigned4 = 0x03, signed8 = 0x0C, unsigned8 = 0x04
  private static let relativeToHere = 0x10, relativeToData = 0x30

  /// The table of an image; `nil` where there is none in the one form that linkers write and libunwind searches.
  static func read(of image: LoadedImage, memory: some MemoryReader) -> clu_unwind_table? {
    guard let header = image.unwindTableAddress, let head: UInt32 = memory.load(header) else { return nil }
    let (version, frames, count, table) = (head & 0xFF, Int(head >> 8 & 0xFF), Int(head >> 16 & 0xFF), head >> 24)
    guard version == 1, Int(table) == relativeToData | signed4 else { return nil }
    var position = header &+ 4
    guard let framesSize = size(of: frames) else { return nil }
    position &+= framesSize
    let entryCount: UInt64
    switch count & 0x0F {
    case unsigned4, signed4:
      guard count & 0x70 == 0, let value: UInt32 = memory.load(position) else { return nil }
      (entryCount, position) = (UInt64(value), position &+ 4)
    case unsigned8, signed8:
      guard count & 0x70 == 0, let value: UInt64 = memory.load(position) else { return nil }
      (entryCount, position) = (value, position &+ 8)
    default: return nil
    }
    // As many as fit the image, whatever the header says.
    guard entryCount > 0, entryCount < (image.endAddress &- image.startAddress) / 8 else { return nil }
    return clu_unwind_table(
      start: image.startAddress, end: image.endAddress, header_address: header, table_address: position,
      entry_count: entryCount)
  }

  private static func size(of encoding: Int) -> UInt64? {
    switch encoding & 0x0F {
    case signed4, unsigned4: 4
    case signed8, unsigned8: 8
    default: nil
    }
  }
}
