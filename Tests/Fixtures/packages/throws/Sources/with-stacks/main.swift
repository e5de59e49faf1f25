import CallStacks
import Thrower

// The same as `plain`, in a program that captures stacks before it throws and in between.
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let before = try CallStack.capture()
let start = ContinuousClock.now
let caught = throw_and_catch(count)
let time = ContinuousClock.now - start
let after = try CallStack.capture()
print("\(caught) caught, \(time / count) each, through \(String(cString: unwinder_of_throws()))")
print("frames: \(before.addresses.count) and \(after.addresses.count)")
for frame in after.symbolicated().frames { print(frame.function ?? frame.placeInModule) }
