// Floor 5, growth: several censuses side by side.
import HeapInspection

/// What each census has counted of each type.
struct CensusMatrix {
  /// One type over all censuses; 0 where there was none.
  struct TypeRow {
    var name: String
    /// `nil` for blocks without a type.
    var kind: LiveType.Kind?
    var instances: [UInt64]
    var bytes: [UInt64]
    var elements: [UInt64]
  }

  static let kinds: [LiveType.Kind] = [.class, .actor, .closure, .box, .error, .task, .cxx]
  static let untypedKind = 255

  private(set) var liveBytes: [UInt64]
  private(set) var rows: [TypeRow] = []

  init(_ log: CensusLog) {
    let count = log.count
    let none = [UInt64](repeating: 0, count: count)
    liveBytes = none
    var live = none
    var rows: [TypeRow] = []
    var places: [String: Int] = [:]
    log.forEach { census, bytes in
      live[census] = bytes
    } _: { census, row in
      let place = places[row.name] ?? rows.count
      if place == rows.count {
        places[row.name] = place
        let kind = Int(row.kind) < Self.kinds.count ? Self.kinds[Int(row.kind)] : nil
        rows.append(TypeRow(name: row.name, kind: kind, instances: none, bytes: none, elements: none))
      }
      rows[place].instances[census] = row.instances
      rows[place].bytes[census] = row.bytes
      rows[place].elements[census] = row.elements
    }
    (liveBytes, self.rows) = (live, rows)
  }
}
