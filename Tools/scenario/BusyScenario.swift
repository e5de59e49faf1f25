import Glibc
import Synchronization
import ToolSupport

/// Server-like work on several threads: requests are parsed, looked up in a shared store and answered. Memory is flat;
/// the number of requests answered, printed at the end, shows what watching the process costs it.
enum BusyScenario: Scenario {
  static let name = "busy"
  static let summary = "server-like work on --threads threads, flat memory; prints the requests answered"

  static func run(_ pace: Pace) {
    let server = Server(sessionCount: 10_000)
    let threads = (0..<pace.options.threads).map { number in startThread { server.work(seed: UInt64(number + 1)) } }
    while pace.wait(until: .infinity) {}
    server.stop()
    for case let thread? in threads { pthread_join(thread, nil) }
    Console.writeOutput("requests \(server.answered)\n")
  }
}

/// A request on its way through the server.
final class Request {
  let path: String
  let fields: [String: String]

  init(path: String, fields: [String: String]) {
    self.path = path
    self.fields = fields
    LiveCount.requests.add()
  }

  deinit { LiveCount.requests.remove() }
}

/// Answers requests from several threads.
final class Server: Sendable {
  private let store = Mutex<[Int: String]>([:])
  private let isStopped = Atomic<Bool>(false)
  private let count = Atomic<Int>(0)

  init(sessionCount: Int) {
    store.withLock { sessions in
      for id in 0..<sessionCount { sessions[id] = "the name of user number \(id)" }
    }
  }

  var answered: Int { count.load(ordering: .relaxed) }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func work(seed: UInt64) {
    var state = seed
    while !isStopped.load(ordering: .relaxed) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let id = Int(state >> 33) % 10_000
      let request = parse("/session/\(id)?token=\(state)&page=2")
      if answer(request, id: id).isEmpty { return }
      count.add(1, ordering: .relaxed)
    }
  }

  private func parse(_ line: String) -> Request {
    let parts = line.split(separator: "?", maxSplits: 1)
    var fields: [String: String] = [:]
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { fields[String(sides[0])] = String(sides[1]) }
    }
    return Request(path: String(parts.first ?? ""), fields: fields)
  }

  private func answer(_ request: Request, id: Int) -> String {
    let name = store.withLock { sessions in
      let name = sessions[id] ?? ""
      sessions[id] = "the name of user number \(id)"
      return name
    }
    return "\(request.path): \(name), page \(request.fields["page"] ?? "1")"
  }
}
