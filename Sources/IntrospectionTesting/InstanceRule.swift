// Floor 5, instances: counting the objects of a class.
import HeapInspection
import MeasurementText
import SwiftMetadata
import Symbolication

/// How many objects of a class there may be.
struct InstanceRule {
  var type: AnyClass
  var count: UInt64
  var ignored: IgnoredTypes

  /// What a look at the heap has found.
  enum Found {
    case right
    case wrong([LiveClass])
    case notChecked(String)
  }

  func look() -> Found {
    if let problem = CensusSupport.problem { return .notChecked(problem) }
    do throws(HeapInspectionError) {
      let inspector = try CensusSupport.inspector()
      let classes = try inspector.liveClasses().filter { isCounted($0, inspector) }
      return classes.reduce(0) { $0 &+ $1.instances } == count ? .right : .wrong(classes)
    } catch {
      return .notChecked(error.description)
    }
  }

  /// Looks again after pauses until there are as many as there may be, or the time is up.
  func lookUntilRight(within limit: Duration) -> Found {
    var backoff = Backoff(upTo: limit)
    while true {
      let found = look()
      guard case .wrong = found, let pause = backoff.pause() else { return found }
      ThreadSleep.sleep(pause)
    }
  }

  /// Looks again after pauses, without holding up the thread.
  nonisolated(nonsending) func lookUntilRight(within limit: Duration) async -> Found {
    var backoff = Backoff(upTo: limit)
    while true {
      let found = look()
      guard case .wrong = found, let pause = backoff.pause() else { return found }
      await pause.pass()
    }
  }

  func report(_ found: Found, at site: CallSite) -> Bool {
    switch found {
    case .right: return true
    case .notChecked(let reason):
      Finding.warning("live instances were not checked: \(reason)", at: site)
      return true
    case .wrong(let classes):
      Finding.failure(message(classes), at: site)
      return false
    }
  }

  private func isCounted(_ found: LiveClass, _ inspector: HeapInspector) -> Bool {
    guard inspector.isSubclass(found, of: metadata) else { return false }
    return ignored.entries.isEmpty || !ignored.matches(inspector.name(of: found) ?? "")
  }

  /// The address of the class's metadata.
  private var metadata: UInt64 {
    // Without Objective-C, a metatype of a class is that address and nothing else, one word. It is compared and never followed.
    UInt64(UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)))
  }

  private func message(_ classes: [LiveClass]) -> String {
    let sum = classes.reduce(0) { $0 &+ $1.instances }
    let noun = sum == 1 ? "1 instance" : "\(NumberText.grouped(sum)) instances"
    let label = TypeLabel.text(RuntimeTypeName.qualified(type))
    var lines = ["\(noun) of \(label) \(sum == 1 ? "is" : "are") alive, expected \(NumberText.grouped(count))"]
    if classes.contains(where: { $0.metadata != metadata }) {
      lines += classes.map { ($0.instances, TypeLabel.text(name($0))) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
        .map { "  \(NumberText.grouped($0)) of \($1)" }
    }
    if sum > count, let largest = classes.max(by: { $0.instances < $1.instances }),
      case .way(let way) = HolderWay.find(
        largest.sample, named: name(largest), until: ContinuousClock.now + HolderWay.patience)
    {
      lines.append("one is held by: \(way)")
    }
    return lines.joined(separator: "\n")
  }

  /// Read as a census reads it: what looks like a class in the heap is not handed to the runtime.
  private func name(_ found: LiveClass) -> String { (try? CensusSupport.inspector())?.name(of: found) ?? "" }
}
