/// Where asynchronous callers stand among the frames of a stack.
enum StackOrder {
  /// The frames up to the asynchronous one, then those that await it, then the executor's.
  static func ordered(_ frames: [StackAddress], asyncFrame: Int?, asyncCallers: [UInt64]) -> [StackAddress] {
    guard let asyncFrame, frames.indices.contains(asyncFrame) else { return frames }
    // A caller goes on at the beginning of a part of it: that address itself is in the function.
    let callers = asyncCallers.map { StackAddress(address: $0, isReturnAddress: false, isAwaiting: true) }
    let executor = frames[(asyncFrame + 1)...].map { frame in
      var frame = frame
      frame.isExecutor = true
      return frame
    }
    return frames[...asyncFrame] + callers + executor
  }
}
