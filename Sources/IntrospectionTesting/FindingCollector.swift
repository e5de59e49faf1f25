// Floor 5: findings kept instead of told, for tests of this module.
import Synchronization

/// Keeps findings.
package final class FindingCollector: Sendable {
  private let kept = Mutex<[Finding]>([])

  package init() {}

  /// What was found, in order.
  package var findings: [Finding] { kept.withLock { $0 } }

  func add(_ finding: Finding) { kept.withLock { $0.append(finding) } }
}
