import Deconstructor
import Legacy

class Base { var base = 1 }
final class Account: Base {
  var owner = "A. Customer"
  var lines: [Int] = []
  weak var parent: Account?
  var action: (() -> Void)?
}
enum Choice { case first, second(Int, label: String) }

final class Modern: LegacyRecord {
  var note = "modern"
  let flag = true
}

let account = Account()
account.lines.append(contentsOf: [1, 2])
account.parent = account
account.action = { account.base += 1 }
deconstruct(account)
deconstruct(Choice.second(3, label: "x"))
deconstruct(["b": 1.5, "a": 2])
deconstruct((1, two: Optional("2")))
func inFunction() {
  let local = Account()
  local.action = { [weak local] in local?.base += 1 }
  deconstruct(local)
}
inFunction()
deconstruct(Modern())
