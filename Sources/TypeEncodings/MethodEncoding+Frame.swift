/// Where the arguments of a method are in the argument frame that the offsets of its types describe.
///
/// No machine passes arguments like this any more; the offsets are what compilers write by a rule that has stayed.
public struct ArgumentFrame: Sendable, Equatable {
  /// Bytes of all arguments, receiver and selector included.
  public let size: UInt64
  /// Where each begins: `self`, `_cmd`, the arguments.
  public let offsets: [UInt64]
}

extension MethodEncoding {
  /// The frame as clang lays it out: arguments one after the other, unaligned; integers take at least four bytes, arrays
  /// are pointers. `nil` where the size of an argument is not known.
  public func frame(in model: DataModel = .lp64Apple) -> ArgumentFrame? {
    ArgumentFrame([receiver, command].compactMap { $0?.type } + arguments.map(\.type), in: model)
  }
}

extension BlockSignature {
  /// The frame as clang lays it out, the block itself first; `nil` where the size of an argument is not known.
  public func frame(in model: DataModel = .lp64Apple) -> ArgumentFrame? {
    ArgumentFrame(arguments.map(\.type), in: model, startingAt: model.pointerSize)
  }
}

extension ArgumentFrame {
  fileprivate init?(_ types: [EncodedType], in model: DataModel, startingAt start: UInt64 = 0) {
    var offset = start
    var offsets: [UInt64] = start > 0 ? [0] : []
    for type in types {
      offsets.append(offset)
      guard let size = type.argumentSize(in: model) else { return nil }
      let (sum, overflow) = offset.addingReportingOverflow(size)
      guard !overflow else { return nil }
      offset = sum
    }
    size = offset
    self.offsets = offsets
  }
}

extension EncodedType {
  fileprivate func argumentSize(in model: DataModel) -> UInt64? {
    switch kind {
    case .array: return model.pointerSize
    case .scalar(let scalar):
      guard let size = model.layout(of: scalar)?.size else { return nil }
      switch scalar {
      case .float, .half, .double, .longDouble: return size
      default: return max(4, size)
      }
    default: return layout(in: model)?.size
    }
  }
}
