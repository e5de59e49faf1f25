import ProcessMemory
import SwiftMetadata

extension InterfaceSource {
  /// The descriptor that metadata leads to; `nil` for types without one.
  static func descriptor(ofMetadata metadata: UInt64, _ memory: any MemoryReader) -> UInt64? {
    let reader = MetadataReader(memory)
    guard let kind = reader.kind(metadata), let descriptor = reader.descriptor(of: metadata, kind), descriptor != 0
    else {
      return nil
    }
    return descriptor
  }

  /// The declaration of the type with a descriptor; `nil` where this source does not list it.
  func interface(ofDescriptor descriptor: UInt64, metadata: UInt64, _ options: InterfaceOptions) -> TypeInterface? {
    subjects.first { $0.descriptor?.address == descriptor }
      .map { InterfaceBuilder(self, options).build($0, metadata: metadata) }
  }
}
