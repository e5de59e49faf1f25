import CLibunwind
import ProcessMemory

/// Unwinds stacks of any address space: a function of registers, memory and images, done by libunwind's remote interface with
/// the unwind tables read from memory, those of the vDSO and of deleted files included.
///
/// What has been learnt of a function is kept, so that further stacks through it cost about 1 µs a frame; the first costs some
/// 20 µs. One thread at a time may use an unwinder. x86-64.
///
/// ```swift
/// let unwinder = try StackUnwinder(images: .of(pid))
/// let stack = unwinder.unwind(registers, memory: copyOfTheStack)
/// ```
public final class StackUnwinder {
  /// The images of the address space.
  public let images: ImageMap
  private let space: OpaquePointer
  private var tables: [Int: clu_unwind_table?] = [:]
  private var pages = PageCache()

  /// An unwinder for an address space with these images.
  ///
  /// - Throws: ``CallStackError/libunwindMissing(detail:)``.
  public init(images: ImageMap) throws(CallStackError) {
    if let problem = clu_load_remote() { throw .libunwindMissing(detail: String(cString: problem)) }
    guard let space = clu_space_create() else { throw .libunwindMissing(detail: "it could make no address space") }
    (self.images, self.space) = (images, space)
  }

  deinit { clu_space_destroy(space) }

  /// The frames of a thread with these registers, the innermost first.
  ///
  /// - Parameters:
  ///   - memory: the address space. What lies in images is read once and taken not to change; stacks are read each time.
  ///   - limit: how many frames at the most.
  public func unwind(_ registers: RegisterSet, memory: some MemoryReader, limit: Int = 1024) -> UnwoundStack {
    let capacity = max(1, min(limit, 1 << 20))
    let call = Call(unwinder: self, memory: memory)
    var end = clu_end_broken
    let frames = [clu_frame](unsafeUninitializedCapacity: capacity) { frames, count in
      var source = clu_source(
        context: Unmanaged.passUnretained(call).toOpaque(),
        read_word: { context, address, value in
          guard let context, let value else { return -1 }
          return Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().readWord(address, value)
        },
        find_table: { context, address, table in
          guard let context, let table else { return -1 }
          return Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().findTable(address, table)
        })
      count = withUnsafeBytes(of: registers.values) { bytes in
        clu_unwind(
          space, &source, bytes.assumingMemoryBound(to: UInt64.self).baseAddress, frames.baseAddress, capacity, &end)
      }
    }
    return withExtendedLifetime(call) {
      UnwoundStack(
        frames: frames.map { frame in
          UnwoundFrame(
            address: frame.instruction_pointer, stackPointer: frame.stack_pointer, framePointer: frame.frame_pointer,
            contextRegister: frame.context_register, isReturnAddress: frame.is_interrupted == 0,
            isGuessed: frame.is_guessed != 0)
        },
        end: end == clu_end_complete ? .complete : end == clu_end_limit ? .limit : .broken)
    }
  }

  /// What the callbacks of one unwind see.
  private final class Call {
    private let unwinder: StackUnwinder
    private let memory: any MemoryReader

    init(unwinder: StackUnwinder, memory: any MemoryReader) { (self.unwinder, self.memory) = (unwinder, memory) }

    func readWord(_ address: UInt64, _ value: UnsafeMutablePointer<UInt64>) -> Int32 {
      let bytes = UnsafeMutableRawBufferPointer(start: value, count: 8)
      if unwinder.images.index(containing: address) != nil {
        return unwinder.pages.read(address, into: bytes, from: memory) ? 0 : -1
      }
      return memory.read(address, into: bytes) == 8 ? 0 : -1
    }

    func findTable(_ address: UInt64, _ table: UnsafeMutablePointer<clu_unwind_table>) -> Int32 {
      guard let index = unwinder.images.index(containing: address) else { return -1 }
      let found = unwinder.tables[index] ?? UnwindTable.read(of: unwinder.images.images[index], memory: memory)
      unwinder.tables[index] = .some(found)
      guard let found else { return -1 }
      table.pointee = found
      return 0
    }
  }
}
