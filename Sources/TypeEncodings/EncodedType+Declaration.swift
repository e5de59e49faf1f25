extension EncodedType {
  /// The type as C and Objective-C write it: `int *(*)[4]`, or with a name `int *(*table)[4]`.
  ///
  /// Put back through a compiler's `@encode`, the text gives the same encoding wherever C can say it: not for types that
  /// have no encoding, and not for records whose members are not shown.
  ///
  /// - Parameters:
  ///   - name: what is declared; `nil` for the type alone.
  ///   - style: how records, booleans and Swift's names are written.
  public func declaration(named name: String? = nil, style: DeclarationStyle = DeclarationStyle()) -> String {
    DeclarationWriter.text(tree, style: style) { $0.declare(index, name.map { .name($0) } ?? .none) }
  }
}
