import ProcessMemory

extension CallStack {
  /// The stack with names, and with lines where there is debug information.
  ///
  /// Never fails: what has no name is shown as module and offset, and the result says what stood in the way. About 1 µs a frame
  /// once the symbols of the images have been read (some ms each), without lines.
  public func symbolicated(options: SymbolicationOptions = SymbolicationOptions()) -> SymbolicatedStack {
    let end: StackEnd = isTruncated ? .limit : .complete
    do throws(ProcessMemoryError) {
      var symbolicator = Symbolicator(try ProcessSymbols.current(), options: options)
      let frames = symbolicator.frames(of: ordered)
      return SymbolicatedStack(
        frames: frames, end: end, framesWithoutTime: symbolicator.framesWithoutTime,
        problems: symbolicator.symbols.problems)
    } catch {
      let bare = ordered.map {
        StackFrame(
          address: $0.address, offset: $0.address, isInlined: false, isAsync: false, isAwaiting: $0.isAwaiting,
          kind: .function, isGuessed: false)
      }
      return SymbolicatedStack(frames: bare, end: end, problems: [error.description])
    }
  }

  /// The addresses in the order they are shown: the asynchronous callers between the function they await and the executor.
  private var ordered: [Symbolicator.Address] {
    StackOrder.ordered(
      addresses.map { Symbolicator.Address(address: UInt64($0), isReturnAddress: true) },
      asyncFrame: asyncFrame, asyncCallers: asyncCallers.map { UInt64($0) })
  }
}

/// Where asynchronous callers stand among the frames of a stack.
enum StackOrder {
  static func ordered(
    _ frames: [Symbolicator.Address], asyncFrame: Int?, asyncCallers: [UInt64]
  ) -> [Symbolicator.Address] {
    guard let asyncFrame, frames.indices.contains(asyncFrame) else { return frames }
    // A caller goes on at the beginning of a part of it: that address itself is in the function.
    let callers = asyncCallers.map { Symbolicator.Address(address: $0, isReturnAddress: false, isAwaiting: true) }
    let executor = frames[(asyncFrame + 1)...].map { frame in
      var frame = frame
      frame.isExecutor = true
      return frame
    }
    return frames[...asyncFrame] + callers + executor
  }
}
