// Floor 5, instances: counting the objects of a class.
import CSwiftRuntime
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
      let classes = try CensusSupport.inspector().liveClasses().filter { $0.instances > 0 && isCounted($0) }
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

  private func isCounted(_ found: LiveClass) -> Bool {
    guard Self.isSubclass(found.metadata, of: type) else { return false }
    return ignored.entries.isEmpty || !ignored.matches(name(found))
  }

  private func message(_ classes: [LiveClass]) -> String {
    let sum = classes.reduce(0) { $0 &+ $1.instances }
    let noun = sum == 1 ? "1 instance" : "\(NumberText.grouped(sum)) instances"
    let label = TypeLabel.text(RuntimeTypeName.qualified(type))
    var lines = ["\(noun) of \(label) \(sum == 1 ? "is" : "are") alive, expected \(NumberText.grouped(count))"]
    // A metatype of a class is the address of its metadata, one word, without Objective-C. Only compared.
    let own = UInt64(UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)))
    if classes.contains(where: { $0.metadata != own }) {
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

  private func name(_ found: LiveClass) -> String {
    guard let metadata = UnsafeRawPointer(bitPattern: UInt(found.metadata)) else { return "" }
    // The census has found living objects of this process under the address: it is a class's metadata, which is never freed.
    return RuntimeTypeName.qualified(unsafeBitCast(metadata, to: AnyClass.self))
  }

  /// Goes up the superclasses, as metadata has them.
  private static func isSubclass(_ metadata: UInt64, of type: AnyClass) -> Bool {
    // The address of its metadata, as above; only compared.
    let wanted = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var next = UnsafeRawPointer(bitPattern: UInt(metadata))
    // No class is so far from its root; what seems to be, is none.
    for _ in 0..<100 {
      guard let current = next else { return false }
      if current == wanted { return true }
      next = current.load(fromByteOffset: MetadataLayout.classSuperclass, as: UnsafeRawPointer?.self)
    }
    return false
  }
}
