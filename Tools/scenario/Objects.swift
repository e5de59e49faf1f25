// The objects that scenarios keep: what a small server would have.

/// Someone who is logged in.
final class User {
  let name: String
  let roles: [String]

  init(name: String) {
    self.name = name
    roles = ["reader"]
    LiveCount.users.add()
  }

  deinit { LiveCount.users.remove() }
}

/// What a server remembers of a logged-in user.
final class Session {
  /// About what a session takes of the heap, in bytes: the payload, and some 250 for the two objects, the long name and
  /// the array of roles.
  static let byteCount = 1280.0

  let id: Int
  let user: User
  let payload: [UInt8]

  init(id: Int) {
    self.id = id
    user = User(name: "user number \(id) of this example")
    payload = Array(repeating: UInt8(truncatingIfNeeded: id), count: 1000)
    LiveCount.sessions.add()
  }

  deinit { LiveCount.sessions.remove() }
}

/// Sessions by their number.
struct SessionStore {
  private(set) var sessions: [Int: Session] = [:]
  private var nextID = 0
  private var oldestID = 0

  /// About what is held, in bytes.
  var byteCount: Double { Double(sessions.count) * Session.byteCount }

  /// Adds sessions, or drops the oldest, until about `bytes` are held.
  mutating func resize(toBytes bytes: Double) {
    let count = Int(bytes / Session.byteCount)
    while sessions.count < count {
      sessions[nextID] = Session(id: nextID)
      nextID += 1
    }
    while sessions.count > count, oldestID < nextID {
      sessions[oldestID] = nil
      oldestID += 1
    }
  }
}
