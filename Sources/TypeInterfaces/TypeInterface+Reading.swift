// Where a program asks about a type of its own, or of a file.

import ProcessMemory
import Symbolication

extension TypeInterface {
  /// The declaration of a type of this program.
  ///
  /// Reads the file that declares it: some 20 ms for a small program, and as much again for the next type. To look at
  /// several, keep an ``InterfaceSource``.
  ///
  /// - Throws: ``TypeInterfaceError``: the type is no struct, enum or class, or its file cannot be read.
  public init(of type: Any.Type, options: InterfaceOptions = InterfaceOptions()) throws(TypeInterfaceError) {
    self = try Self.read(type, options)
  }

  /// The declaration of a value's own type.
  ///
  /// - Throws: ``TypeInterfaceError``.
  public init(of value: Any, options: InterfaceOptions = InterfaceOptions()) throws(TypeInterfaceError) {
    self = try Self.read(Swift.type(of: value), options)
  }

  /// The declarations of all types of a file, by name.
  ///
  /// - Throws: ``TypeInterfaceError``: the file cannot be read, or has no Swift types.
  public static func all(
    in path: String, options: InterfaceOptions = InterfaceOptions()
  ) throws(TypeInterfaceError) -> [TypeInterface] {
    let source = try InterfaceSource(ofFileAt: path)
    return source.types.map { source.interface(of: $0, options: options) }
  }

  private static func read(_ type: Any.Type, _ options: InterfaceOptions) throws(TypeInterfaceError) -> TypeInterface {
    let metadata = UInt64(UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)))
    let name = String(reflecting: type)
    let images: ImageMap
    let memory: ProcessMemoryReader
    do throws(ProcessMemoryError) {
      images = try .current()
      memory = try .current()
    } catch {
      throw .process(error)
    }
    guard let descriptor = InterfaceSource.descriptor(ofMetadata: metadata, memory) else {
      throw .notNominal(type: name)
    }
    guard let image = images.image(containing: descriptor) else { throw .noImage(type: name) }
    let source = try InterfaceSource(image, of: ProcessIdentity.currentProcessID)
    guard let interface = source.interface(ofDescriptor: descriptor, metadata: metadata, options) else {
      throw .noImage(type: name)
    }
    return interface
  }
}
