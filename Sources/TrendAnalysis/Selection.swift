// Order statistics in linear time: the median and percentiles of many samples without sorting them all.

/// The value at `fraction` (0 to 1) of the ascending order, between two values by linear interpolation, as numpy's default
/// percentile and R's type 7. `nil` for no values. `values` is reordered.
func percentile(_ fraction: Double, reordering values: inout [Double]) -> Double? {
  guard let last = values.indices.last else { return nil }
  let position = min(max(fraction, 0), 1) * Double(last)
  let lower = min(Int(clamping: position), last)
  select(lower, in: &values)
  let value = values[lower]
  let weight = position - Double(lower)
  guard weight > 0, lower < last else { return value }
  // Everything behind a selected index is at least as large, so the next in order is the least of it.
  let next = values[(lower + 1)...].min() ?? value
  return value + (next - value) * weight
}

/// The median of `values`; `nil` for none.
func median(_ values: [Double]) -> Double? {
  var copy = values
  return percentile(0.5, reordering: &copy)
}

/// Reorders `values` so that the one at `index` is where sorting would put it, smaller ones before it, larger ones after
/// it (Hoare's quickselect with a median of three). After too many poor pivots the rest is sorted, so that no order of the
/// input makes it quadratic.
func select(_ index: Int, in values: inout [Double]) {
  guard values.indices.contains(index) else { return }
  var low = 0
  var high = values.count - 1
  var patience = 2 * (Int.bitWidth - values.count.leadingZeroBitCount)
  values.withUnsafeMutableBufferPointer { values in
    while high - low > 16 {
      guard patience > 0 else { break }
      patience -= 1
      let pivot = medianOfThree(values[low], values[low + (high - low) / 2], values[high])
      var left = low
      var right = high
      while left <= right {
        while values[left] < pivot { left += 1 }
        while values[right] > pivot { right -= 1 }
        guard left <= right else { break }
        values.swapAt(left, right)
        left += 1
        right -= 1
      }
      if index <= right {
        high = right
      } else if index >= left {
        low = left
      } else {
        return
      }
    }
    values[low...high].sort()
  }
}

private func medianOfThree(_ first: Double, _ second: Double, _ third: Double) -> Double {
  max(min(first, second), min(max(first, second), third))
}
