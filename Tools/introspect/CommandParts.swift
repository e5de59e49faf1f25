// What the commands share: taking their options apart, and JSON.

import FoundationEssentials
import ToolSupport

/// The options of a command; options and operands may stand in any order.
func parseOptions(
  _ arguments: [String], _ declarations: [OptionDeclaration], of command: String
) throws(ToolFailure) -> ParsedOptions {
  do throws(UsageError) {
    return try ParsedOptions(arguments, declarations: declarations, tool: "introspect \(command)", mayMix: true)
  } catch {
    throw ToolFailure(.usage, error.description)
  }
}

/// A value as JSON, its keys in order, with a line feed at the end.
///
/// - Parameter isOneLine: on a line of its own, for output of one object a line.
func jsonText(
  _ value: some Encodable, isOneLine: Bool = false, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
) throws(ToolFailure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
  encoder.keyEncodingStrategy = keys
  do {
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  } catch {
    throw ToolFailure(.softwareFault, "cannot write JSON: \(error)")
  }
}
