/// Takes a value and does nothing with it, behind the optimizer's back: what a benchmark computed must not be found
/// useless and left out.
@inline(never)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}
