/// A session that is kept alive by what it does when its time is up.
package final class Session {
  package let user: User
  package var onTimeout: (() -> Void)?
  private var isOver = false

  package init(user: String) { self.user = User(name: user + ", who has a name too long to be stored in place") }

  package func logOut() { isOver = true }

  /// Forgets `[weak self]`.
  package func watch() { onTimeout = { self.logOut() } }
}

package final class User {
  package let name: String
  package init(name: String) { self.name = name }
}

/// Makes its text anew for every line.
package struct Receipt {
  package init() {}

  package func text(lines: Int) -> String {
    var text = ""
    for line in 0..<lines { text += "line \(line) of a receipt that grows and grows\n" }
    return text
  }
}

/// Who is told of news; nobody is ever taken off.
package final class Listeners {
  package static nonisolated(unsafe) let shared = Listeners()
  private var users: [String: User] = [:]
  package func add(_ user: User) { users[user.name] = user }
}
