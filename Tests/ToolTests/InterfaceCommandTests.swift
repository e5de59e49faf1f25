import FixtureSupport
import Foundation
import Testing

/// `introspect interface` as a user runs it.
@Suite struct InterfaceCommandTests {
  private func introspect(_ arguments: String...) throws -> ProcessResult {
    try ChildProcess.run([BuiltProduct.path("introspect"), "interface"] + arguments)
  }

  private func shop() throws -> String {
    try CompiledProgram.swift("interfaces", as: "shop", module: "Shop", flags: ["-Onone"])
  }

  @Test func aTypeByName() throws {
    let path = try shop()
    for name in ["Line", "Shop.Line"] {
      let result = try introspect(path, name, "--offsets")
      #expect(result.exitCode == 0 && result.error.isEmpty)
      #expect(
        result.output.hasPrefix("// module Shop, struct, 20 bytes, stride 24\nstruct Line: Equatable, Hashable {\n"))
      #expect(result.output.contains("  var sku: String      // offset 0, 16 bytes\n"))
      #expect(result.output.contains("  var quantity: Int32  // offset 16, 4 bytes\n"))
    }
    #expect(try introspect(path, "Order.Status").output.contains("extension Order {\n  enum Status: "))
    #expect(try introspect(path, "String").output.contains("func shout(times: Int) -> String"))
  }

  @Test func listsAndFilters() throws {
    let path = try shop()
    let list = try introspect(path, "--list").output.split(separator: "\n")
    #expect(
      list.contains("class Shop.Order") && list.contains("actor Shop.Bank") && list.contains("extension Swift.String"))
    #expect(try introspect(path, "--list", "--filter", "order").output == "class Shop.Order\nenum Shop.Order.Status\n")
    #expect(try introspect(path, "--list", "--module", "Swift").output == "extension Swift.String\n")
    let conformances = try introspect(path, "--conformances").output
    #expect(conformances.contains("Shop.Order: Shop.Named\n"))
    #expect(conformances.contains("Shop.Box: Swift.Equatable where B: Equatable\n"))
    #expect(try introspect(path, "Main", "--local").output.contains("// nested #1 (Int) -> Int in "))
  }

  @Test func asJSON() throws {
    let lines = try introspect(shop(), "--json").output.split(separator: "\n")
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let order = try #require(objects.first { $0["name"] as? String == "Order" })
    #expect(order["kind"] as? String == "class" && order["superclass"] as? String == "Record")
    let stored = try #require(order["stored_properties"] as? [[String: Any]])
    #expect(stored.contains { $0["name"] as? String == "latest" && $0["reference"] as? String == "weak" })
    let members = try #require(order["members"] as? [[String: Any]])
    #expect(members.contains { $0["name"] as? String == "sum" && $0["is_async"] as? Bool == true })
  }

  @Test func aRunningProcess() throws {
    let child = try ChildProcess([try shop(), "wait"])
    _ = child.readLine()
    let order = try introspect("\(child.processID)", "Order", "--offsets")
    #expect(order.exitCode == 0 && order.output.contains("class Order: Record, Named {"), "\(order)")
    #expect(order.output.contains("let id: Int"))
    // A type of a library that the program has loaded.
    let task = try introspect("\(child.processID)", "TaskPriority")
    #expect(task.output.contains("struct TaskPriority"), "\(task)")
    child.send(SIGKILL)
  }

  @Test func whatIsNotThere() throws {
    let path = try shop()
    let missing = try introspect(path, "Ordre")
    #expect(missing.exitCode == 1 && missing.output.isEmpty)
    #expect(missing.error.contains("no type 'Ordre'") && missing.error.contains("the nearest are Shop.Order"))
    // What is there is shown all the same.
    let both = try introspect(path, "Nowhere", "Line")
    #expect(both.exitCode == 1 && both.output.contains("struct Line"))
    for (arguments, code, words) in [
      ([], 64, "takes a file or a process id"), ([path, "--json", "--list"], 64, "exclude each other"),
      (["/nonexistent"], 66, "cannot read"), (["2000000000"], 66, "no process has the pid"),
      (["/etc/hostname"], 1, "is no ELF file"), (["/bin/sh"], 1, "has no Swift types"),
      ([path, "--module", "Nowhere"], 1, "none of the"),
    ] as [([String], Int32, String)] {
      let result = try ChildProcess.run([BuiltProduct.path("introspect"), "interface"] + arguments)
      #expect(
        result.exitCode == code && result.error.contains(words) && result.output.isEmpty, "\(arguments) \(result)")
    }
    #expect(try introspect("--help").output.contains("--conformances"))
  }
}
