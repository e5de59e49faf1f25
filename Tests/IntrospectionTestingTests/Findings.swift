import FixtureSupport
import IntrospectionTesting
import Testing

/// What assertions have found, instead of a failure.
func findings(_ body: () throws -> Void) rethrows -> [Finding] {
  let collector = FindingCollector()
  try Finding.$collector.withValue(collector) { try body() }
  return collector.findings
}

/// What assertions have found, instead of a failure.
nonisolated(nonsending) func findings(
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [Finding] {
  let collector = FindingCollector()
  try await Finding.$collector.withValue(collector) { try await body() }
  return collector.findings
}

/// Compares the one failure with the message that is kept.
func expectMessage(_ findings: [Finding], _ golden: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(findings.count == 1, sourceLocation: sourceLocation)
  guard let finding = findings.first else { return }
  #expect(finding.severity == .failure, sourceLocation: sourceLocation)
  let difference = Golden.difference(finding.message + "\n", "testing/" + golden)
  #expect(difference == nil, sourceLocation: sourceLocation)
}

/// As the one above, in an exit test, and for messages about the heap: glibc gives some blocks 16 bytes more than others, so bytes are
/// compared as `N`, and columns by their order.
func checkMessage(_ findings: [Finding], _ golden: String) {
  check(findings.count == 1 && findings.first?.severity == .failure, "\(findings)")
  guard let finding = findings.first else { return }
  let difference = Golden.difference(withoutBytes(finding.message) + "\n", "testing/" + golden)
  check(difference == nil, difference ?? "")
}

private func withoutBytes(_ message: String) -> String {
  message.split(separator: "\n").map { line in
    var text = String(line)
    text.replace(#/[0-9][0-9.]* (bytes|KiB|MiB)/#) { "N \($0.output.1)" }
    text.replace(#/ +[0-9]+$/#) { _ in "  N" }
    text.replace(#/ {2,}/#) { _ in "  " }
    return text
  }.joined(separator: "\n")
}
