import SwiftMetadata
import Symbolication

/// Sizes and offsets of a type, out of its metadata where that is to be trusted.
struct LayoutReader {
  let layout: InterfaceLayout?
  var isNoncopyable: Bool { size.map { !$0.isCopyable } ?? false }
  private let size: TypeSize?
  private let source: InterfaceSource
  private let isTrusted: Bool

  /// - Parameters:
  ///   - symbol: where the file has the metadata, as the file counts addresses.
  ///   - metadata: where the metadata is in memory, where that is known.
  init(
    _ source: InterfaceSource, _ descriptor: TypeDescriptor, _ symbol: UInt64?, _ metadata: UInt64?, _ fieldCount: Int
  ) {
    self.source = source
    // In a file, what a program works out at its start has not been worked out; what stands there is a beginning.
    isTrusted = source.isLive || !descriptor.isCompletedAtRunTime
    let place = metadata ?? (descriptor.isGeneric ? nil : symbol.map { $0 &+ source.bias })
    size =
      isTrusted
      ? place.flatMap { TypeSize(ofMetadata: $0, descriptor, fieldCount: fieldCount, source.reader) } : nil
    layout = size.map {
      InterfaceLayout(size: $0.size, stride: $0.stride, alignment: $0.alignment, instanceSize: $0.instanceSize)
    }
  }

  /// Where a field begins.
  ///
  /// - Parameter symbol: where the field's own offset stands, for fields of classes.
  func offset(_ index: Int, symbol: UInt64?) -> UInt64? {
    if let offsets = size?.fieldOffsets, offsets.indices.contains(index) { return offsets[index] }
    guard isTrusted, let symbol, let offset = source.reader.word(symbol), offset >= 16, offset < 1 << 32 else {
      return nil
    }
    return offset
  }
}
