import Deconstructor

class Base { var base = 1 }
final class Account: Base {
  var owner = "A. Customer"
  var lines = [1, 2]
}
struct Pair {
  var left = 1
  var right = "two"
}
enum Choice { case first, second(Int) }
final class Nothing {}

deconstruct(Account())
deconstruct(Pair())
deconstruct(Choice.second(3))
deconstruct(["key": Pair()])
deconstruct(Nothing())
let account = Account()
deconstruct({ account.base += 1 })
