// From addresses to frames: names for all, lines while there is time.

import ProcessMemory
import Symbolication

/// Symbolicates the stacks of one process, with one budget for lines.
struct Symbolicator {
  /// An address of a stack, and what unwinding knows of it.
  struct Address {
    var address: UInt64
    var isReturnAddress: Bool
    var isGuessed = false
    var isAwaiting = false
    var isExecutor = false
  }

  let symbols: ProcessSymbols
  private let includesLines: Bool
  private let deadline: ContinuousClock.Instant
  private(set) var framesWithoutTime = 0

  init(_ symbols: ProcessSymbols, options: SymbolicationOptions) {
    self.symbols = symbols
    includesLines = options.includesLines
    deadline = .now + options.lineBudget
  }

  /// The frames of a stack, with the trampolines of signal handlers recognised where unwinding has not done that.
  mutating func frames(of addresses: [Address]) -> [StackFrame] {
    var found: [StackFrame] = []
    found.reserveCapacity(addresses.count)
    var isInterrupted = false
    for var address in addresses {
      if isInterrupted { address.isReturnAddress = false }
      isInterrupted = false
      if address.isReturnAddress, isTrampoline(address) {
        address.isReturnAddress = false
        isInterrupted = true
      }
      append(address, to: &found)
    }
    return found
  }

  /// Whether an address is where a signal handler returns to: `mov $15, %rax; syscall`, which the kernel, GDB and libunwind know
  /// too. Only asked where no symbol tells.
  private func isTrampoline(_ address: Address) -> Bool {
    guard let index = symbols.images.index(containing: address.address) else { return false }
    let fileAddress = symbols.images.images[index].fileAddress(address.address)
    guard symbols.symbols(ofImageAt: index).function(at: fileAddress &- 1) == nil else { return false }
    return symbols.load(address.address, as: UInt64.self) == 0x0F00_0000_0FC0_C748
      && symbols.load(address.address &+ 8, as: UInt8.self) == 0x05
  }

  private mutating func append(_ address: Address, to frames: inout [StackFrame]) {
    guard let index = symbols.images.index(containing: address.address) else {
      return frames.append(frame(address, module: nil, offset: address.address, nil))
    }
    let image = symbols.images.images[index]
    let fileAddress = image.fileAddress(address.address)
    // A call that never returns may be a function's last instruction: what is looked up is the call, not the place after it.
    let lookedUp = address.isReturnAddress ? fileAddress &- 1 : fileAddress
    let known = symbols.symbols(ofImageAt: index)
    let base = frame(address, module: image.name, offset: fileAddress, known.function(at: lookedUp))
    guard let lines = lines(known, at: lookedUp), let physical = lines.last else { return frames.append(base) }
    for inlined in lines.dropLast() {
      var frame = base
      if let symbol = inlined.symbol { frame.setName(FunctionNames.shared.name(of: symbol)) }
      frame.isInlined = true
      (frame.file, frame.line) = (inlined.file, inlined.line)
      frames.append(frame)
    }
    var frame = base
    (frame.file, frame.line) = (physical.file, physical.line)
    if frame.symbol == nil, let symbol = physical.symbol { frame.setName(FunctionNames.shared.name(of: symbol)) }
    frames.append(frame)
  }

  private mutating func lines(_ known: ImageSymbols, at address: UInt64) -> [SourceFrame]? {
    guard includesLines, let lines = known.lines else { return nil }
    switch lines.frames(at: address, deadline: deadline) {
    case .found(let frames): return frames
    case .unknown: return nil
    case .outOfTime:
      framesWithoutTime += 1
      return nil
    }
  }

  private func frame(
    _ address: Address, module: String?, offset: UInt64, _ function: ImageSymbols.Function?
  ) -> StackFrame {
    var frame = StackFrame(
      address: address.address, module: module, offset: offset, isInlined: false, isAsync: function?.isAsync ?? false,
      isAwaiting: address.isAwaiting, kind: .function, isGuessed: address.isGuessed)
    if let function { frame.setName(function.name) }
    if address.isExecutor { frame.kind = .executor }
    return frame
  }
}

extension StackFrame {
  fileprivate mutating func setName(_ name: FunctionName) {
    (function, fullFunction, symbol) = (name.short, name.full, name.symbol)
    guard kind != .executor else { return }
    switch name.role {
    case .function: kind = .function
    case .thunk: kind = .thunk
    case .runtime: kind = .runtime
    }
  }
}
