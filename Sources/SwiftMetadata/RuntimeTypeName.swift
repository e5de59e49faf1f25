// Floor 3, in process: names of types as a programmer writes them.
import Symbolication

/// Names of types from the running program.
package enum RuntimeTypeName {
  /// The name with its modules, without addresses: `Swift.Array<shop.Line>`.
  package static func qualified(_ type: Any.Type) -> String { withoutAddresses(_typeName(type, qualified: true)) }

  /// The name in short: `[Line]` for `Swift.Array<shop.Line>`, `Order.Status`, `any Shape`. A few µs.
  package static func readable(_ qualified: String) -> String {
    let name = withoutRequirements(ModuleNames.removed(from: TypeSugar.applied(to: qualified)))
    guard name.contains(" : ") else { return name }
    // The demangler sets the colon of a dictionary apart; nobody writes it so.
    var output = ""
    output.reserveCapacity(name.utf8.count)
    for character in name.utf8 {
      if character == UInt8(ascii: ":"), output.hasSuffix(" ") { output.removeLast() }
      output.unicodeScalars.append(Unicode.Scalar(character))
    }
    return output
  }

  /// `any Container<Self.shop.Container.Item == Int>` as `any Container<Int>`.
  private static func withoutRequirements(_ name: String) -> String {
    guard name.contains("Self."), name.contains(" == ") else { return name }
    var output = ""
    var rest = name[...]
    while let start = rest.firstRange(of: "Self.") {
      output += rest[..<start.lowerBound]
      let behind = rest[start.upperBound...]
      let path = behind.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if rest[path.endIndex...].hasPrefix(" == ") {
        rest = rest[path.endIndex...].dropFirst(4)
      } else {
        output += rest[start]
        rest = behind
      }
    }
    return output + rest
  }

  /// The runtime writes the function around a local type, and the file around a private one, as
  /// `(unknown context at $55d0c8)`: an address that differs with each run.
  private static func withoutAddresses(_ name: String) -> String {
    let marker = Array("(unknown context at $".utf8)
    let source = Array(name.utf8)
    guard source.count > marker.count, name.contains("(unknown context") else { return name }
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == marker[0], source[index...].starts(with: marker) {
        while index < source.count, source[index] != UInt8(ascii: ")") { index += 1 }
        index += 1
        if index < source.count, source[index] == UInt8(ascii: ".") { index += 1 }
      } else {
        output.append(source[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
