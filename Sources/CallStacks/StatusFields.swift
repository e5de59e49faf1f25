import ProcessMemory

/// Lines of a `status` file by their names.
struct StatusFields {
  private let lines: [Substring]

  init(_ path: String) { lines = (readSmallFile(path) ?? "").split(separator: "\n") }

  /// The first number of a line.
  func number(_ name: String) -> UInt64? { first(name).flatMap { UInt64($0) } }

  func hexadecimal(_ name: String) -> UInt64? { first(name).flatMap { UInt64($0, radix: 16) } }

  private func first(_ name: String) -> Substring? {
    lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.utf8.count + 1)
      .split(whereSeparator: { $0 == "\t" || $0 == " " }).first
  }
}
