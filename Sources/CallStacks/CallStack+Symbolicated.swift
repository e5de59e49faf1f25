import ProcessMemory

extension CallStack {
  /// The stack with names, and with lines where there is debug information.
  ///
  /// Never fails: what has no name is shown as module and offset, and the result says what stood in the way. About 1 µs a frame
  /// once the symbols of the images have been read (some ms each), without lines.
  public func symbolicated(options: SymbolicationOptions = SymbolicationOptions()) -> SymbolicatedStack {
    var symbolicator = Symbolicator(options)
    do throws(ProcessMemoryError) {
      let symbols = try ProcessSymbols.current()
      let frames = symbolicator.frames(of: symbols.withTrampolines(ordered), in: symbols)
      return SymbolicatedStack(
        frames: frames, end: end, framesWithoutTime: symbolicator.framesWithoutTime, problems: symbols.problems)
    } catch {
      var frames: [StackFrame] = []
      for address in ordered {
        symbolicator.append(address, offset: address.address, module: nil, nil, to: &frames)
      }
      return SymbolicatedStack(frames: frames, end: end, problems: [error.description])
    }
  }

  /// The stack as places in files, which mean the same in every process and on every machine that has the files.
  ///
  /// - Throws: ``ProcessMemory/ProcessMemoryError`` where `/proc/self` cannot be read.
  public func located() throws(ProcessMemoryError) -> LocatedStack {
    let symbols = try ProcessSymbols.current()
    let frames = symbols.withTrampolines(ordered).map { address in
      let image = symbols.images.image(containing: address.address)
      return LocatedStack.Frame(
        image: image?.path, buildID: image?.buildID,
        offset: image?.fileAddress(address.address) ?? address.address, isReturnAddress: address.isReturnAddress,
        isAwaiting: address.isAwaiting, isExecutor: address.isExecutor)
    }
    return LocatedStack(frames: frames, end: end)
  }

  private var end: StackEnd { isTruncated ? .limit : .complete }

  /// The addresses in the order they are shown: the asynchronous callers between the function they await and the executor.
  private var ordered: [StackAddress] {
    StackOrder.ordered(
      addresses.map { StackAddress(address: UInt64($0), isReturnAddress: true) },
      asyncFrame: asyncFrame, asyncCallers: asyncCallers.map { UInt64($0) })
  }
}
