import ProcessMemory

/// The functions that await a running asynchronous function: no frame of the stack says it, a chain of contexts does.
///
/// A part of an asynchronous function has its context in `r14`; one with a frame pointer keeps it one word below that, and may use
/// the register for something else. A context begins with its caller's context and the address at which the caller goes on
/// (`AsyncContext` in swift/ABI/Task.h). On Linux nothing marks a frame as asynchronous but its function's name.
enum AsyncCallers {
  /// Reads what may be the contexts of a frame, as chains of addresses, the likelier first. Symbols are not looked at: a thread
  /// may be held still meanwhile. A link costs two reads, and no more than `limit` are followed.
  ///
  /// - Parameter callerStackPointer: the stack pointer in the frame's caller: tells whether the frame has a frame pointer of its own.
  static func chains(
    framePointer: UInt64, contextRegister: UInt64, callerStackPointer: UInt64?, images: ImageMap,
    memory: some MemoryReader, limit: Int
  ) -> [[UInt64]] {
    let saved: UInt64? = framePointer > 8 ? memory.load(framePointer &- 8) : nil
    let hasFramePointer = callerStackPointer == framePointer &+ 16
    let contexts = hasFramePointer ? [saved, contextRegister] : [contextRegister, saved]
    return contexts.compactMap(\.self).map { chain(from: $0, images: images, memory: memory, limit: limit) }
  }

  /// The chain that leads through asynchronous functions, for as long as it does.
  static func callers(_ chains: [[UInt64]], _ symbols: ProcessSymbols) -> [UInt64] {
    chains.lazy.map { Array($0.prefix(while: symbols.isAsync)) }.first { !$0.isEmpty } ?? []
  }

  private static func chain(from first: UInt64, images: ImageMap, memory: some MemoryReader, limit: Int) -> [UInt64] {
    var found: [UInt64] = []
    var seen: Set<UInt64> = []
    var context = first
    // Contexts are aligned like all of malloc's blocks.
    while context != 0, context % 16 == 0, found.count < limit, seen.insert(context).inserted,
      let parent: UInt64 = memory.load(context), let resume: UInt64 = memory.load(context &+ 8),
      images.index(containing: resume) != nil
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
    return symbols(ofImageAt: index).isAsync(at: images.images[index].fileAddress(address))
  }

  /// The same without reading symbols that have not been read: false where they would be needed.
  func isKnownAsync(_ address: UInt64) -> Bool {
    guard let index = images.index(containing: address) else { return false }
    return loadedSymbols(ofImageAt: index)?.isAsync(at: images.images[index].fileAddress(address)) ?? false
  }
}
