// The program whose stacks are known: compiled by the tests in several ways. The first argument says what it does; it prints
// `ready` from the innermost call, and waits there for standard input to end.
import Glibc

@inline(never)
func arrive() -> Int {
  print("ready")
  fflush(nil)
  var byte: UInt8 = 0
  // The input of a child that a test starts is /dev/null: wait for a signal instead.
  while read(0, &byte, 1) > 0 {}
  pause()
  return Int(byte)
}

// MARK: Recursion

@inline(never)
func descend(_ depth: Int) -> Int { depth == 0 ? arrive() : descend(depth - 1) + 1 }

// MARK: Names

struct Box<Element> {
  var element: Element

  @inline(never)
  func map<Result>(_ transform: (Element) -> Result) -> Box<Result> {
    let result = transform(element)
    return Box<Result>(element: result)
  }
}

infix operator <+>

struct Größe {
  var wert: Int

  @inline(never)
  static func <+> (left: Größe, right: Größe) -> Größe { Größe(wert: left.berechne(mit: right.wert)) }

  @inline(never)
  func berechne(mit zahl: Int) -> Int { Box(element: zahl).map { _ in arrive() }.element + wert }
}

// MARK: Inlining

@inline(__always)
func inlined(_ value: Int) -> Int { arrive() + value }

@inline(never)
func container(_ value: Int) -> Int { inlined(value) * 3 + 1 }

// MARK: A handler on a stack of its own

@inline(never)
func interrupted() -> Int {
  var stack = stack_t()
  stack.ss_sp = malloc(1 << 16)
  stack.ss_size = 1 << 16
  sigaltstack(&stack, nil)
  var action = sigaction()
  action.__sigaction_handler.sa_handler = { _ in _ = arrive() }
  action.sa_flags = SA_ONSTACK
  sigaction(SIGUSR1, &action, nil)
  return Int(kill(getpid(), SIGUSR1))
}

// MARK: Concurrency

@inline(never)
func innermost(_ value: Int) async -> Int {
  await Task.yield()
  return arrive() + value
}

@inline(never)
func middle(_ value: Int) async -> Int {
  let result = await innermost(value)
  return result + 1
}

@inline(never)
func outermost(_ value: Int) async -> Int {
  let result = await middle(value)
  return result + 1
}

@main
struct Program {
  static func main() async {
    switch CommandLine.arguments.dropFirst().first {
    case "recursion": print(descend(200))
    case "names": print((Größe(wert: 1) <+> Größe(wert: 2)).wert)
    case "inlining": print(container(3))
    case "signal": print(interrupted())
    case "await": print(await outermost(1))
    default: print("recursion, names, inlining, signal or await?")
    }
  }
}
