import CTimingSupport

/// Takes a value and does nothing with it, in a way the optimizer cannot see through: what a benchmark computes must not
/// be found useless and left out.
@inline(never)
public func blackHole<Value>(_ value: Value) {
  withUnsafePointer(to: value) { cts_touch(UnsafeMutableRawPointer(mutating: $0)) }
}
