import Thrower

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let start = ContinuousClock.now
let caught = throw_and_catch(count)
let time = ContinuousClock.now - start
print("\(caught) caught, \(time / count) each, through \(String(cString: unwinder_of_throws()))")
