/// A session that is kept alive by what it does when its time is up.
public final class Session {
  public let user: User
  public var onTimeout: (() -> Void)?
  private var isOver = false

  public init(user: String) { self.user = User(name: user + ", who has a name too long to be stored in place") }

  public func logOut() { isOver = true }

  /// Forgets `[weak self]`.
  public func watch() { onTimeout = { self.logOut() } }
}

public final class User {
  public let name: String
  public init(name: String) { self.name = name }
}

/// Makes its text anew for every line.
public struct Receipt {
  public init() {}

  public func text(lines: Int) -> String {
    var text = ""
    for line in 0..<lines { text += "line \(line) of a receipt that grows and grows\n" }
    return text
  }
}
