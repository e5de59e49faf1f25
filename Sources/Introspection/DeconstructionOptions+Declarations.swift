import Deconstructor
import TypeInterfaces

extension DeconstructionOptions {
  /// Bounded as by default, with the declaration of each type above the value: what it stores, its initialisers and methods.
  ///
  /// Declarations are read out of the program's file, some 20 ms for each type.
  public static var withDeclarations: DeconstructionOptions {
    var options = DeconstructionOptions()
    options.declaration = { type in try? TypeInterface(of: type).text() }
    return options
  }
}
