// Floor 5: tables in messages.

/// Columns, two blanks apart, indented by two.
enum TextColumns {
  /// - Parameter leftAligned: the columns whose text begins at the left; figures end at the right.
  static func aligned(_ cells: [[String]], leftAligned: Set<Int>) -> [String] {
    let widths = (0..<(cells.first?.count ?? 0)).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line += "  " + (leftAligned.contains(column) ? cell + blanks : blanks + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
