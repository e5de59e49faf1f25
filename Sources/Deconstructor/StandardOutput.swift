// Floor 4, text: where results are printed.
#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Writes results to standard output.
enum StandardOutput {
  static func write(_ deconstruction: Deconstruction) {
    let text = deconstruction.text(usesColour: usesColour(deconstruction.options.colour))
    print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
  }

  private static func usesColour(_ colour: DeconstructionOptions.Colour) -> Bool {
    switch colour {
    case .always: true
    case .never: false
    case .automatic: isatty(1) == 1 && getenv("NO_COLOR") == nil
    }
  }
}
