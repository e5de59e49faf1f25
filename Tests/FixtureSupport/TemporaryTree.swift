import Foundation

/// A folder of files that a test makes up, gone when the test is.
public final class TemporaryTree {
  /// Where it is, without a slash at the end.
  public let path: String

  /// An empty folder with a name of its own.
  public init() {
    var template = Array("\(Self.parent)/introspection-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? Self.parent + "/introspection-test"
  }

  /// Writes a file, and the folders above it.
  public func write(_ relative: String, _ contents: String) { write(relative, Array(contents.utf8)) }

  /// Writes a file, and the folders above it. One that is there is rewritten in place: descriptors see the change.
  public func write(_ relative: String, _ contents: [UInt8]) {
    makeFolders(for: relative)
    let descriptor = open(path + "/" + relative, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    _ = contents.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// Copies a program, to be executed.
  ///
  /// By another process: a program that this one wrote could not be executed while a child that another test has just
  /// forked still has the descriptor it was written through (ETXTBSY).
  public func copyProgram(_ source: String, as relative: String) throws {
    makeFolders(for: relative)
    let result = try ChildProcess.run(["cp", source, path + "/" + relative])
    guard result.exitCode == 0 else { throw POSIXFailure(code: EIO) }
  }

  /// Makes a symbolic link.
  public func link(_ relative: String, to target: String) {
    makeFolders(for: relative)
    symlink(target, path + "/" + relative)
  }

  /// Removes a file.
  public func remove(_ relative: String) { unlink(path + "/" + relative) }

  private static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  private func makeFolders(for relative: String) {
    var folder = path
    for part in relative.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
