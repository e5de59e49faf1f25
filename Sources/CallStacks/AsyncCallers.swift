import ProcessMemory

/// The functions that await a running asynchronous function: no frame of the stack says it, a chain of contexts does.
///
/// A part of an asynchronous function keeps its context one word below its frame pointer; a context begins with its caller's
/// context and the address at which the caller goes on (`AsyncContext` in swift/ABI/Task.h; on Linux frames bear no mark, and are
/// known by their functions' names). The chain is followed for as long as it leads to such parts.
struct AsyncCallers {
  let symbols: ProcessSymbols
  let memory: any MemoryReader

  /// Which of the frames, from the innermost out, is the first of an asynchronous function.
  func firstAsync(_ frames: some Sequence<(address: UInt64, isReturnAddress: Bool)>) -> Int? {
    for (index, frame) in frames.enumerated()
    where symbols.isAsync(frame.isReturnAddress ? frame.address &- 1 : frame.address) {
      return index
    }
    return nil
  }

  /// Where the callers go on, the nearest first.
  ///
  /// - Parameters:
  ///   - framePointer: of the asynchronous function's frame.
  ///   - limit: how many at the most.
  func chain(fromFramePointer framePointer: UInt64, limit: Int) -> [UInt64] {
    guard framePointer > 8, var context: UInt64 = memory.load(framePointer &- 8) else { return [] }
    var found: [UInt64] = []
    var seen: Set<UInt64> = []
    while context != 0, found.count < limit, seen.insert(context).inserted,
      let parent: UInt64 = memory.load(context), let resume: UInt64 = memory.load(context &+ 8), symbols.isAsync(resume)
    {
      found.append(resume)
      context = parent
    }
    return found
  }
}

extension ProcessSymbols {
  /// Whether an address is in a part of an asynchronous function.
  func isAsync(_ address: UInt64) -> Bool {
    guard let index = images.index(containing: address) else { return false }
    return symbols(ofImageAt: index).function(at: images.images[index].fileAddress(address))?.isAsync ?? false
  }
}
