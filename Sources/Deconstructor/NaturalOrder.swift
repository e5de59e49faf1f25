// Floor 4, walk: the order in which keys and members are shown.
import SwiftMetadata

/// What has no order of its own, put into one that is the same in each run: numbers by value, strings by their scalars, cases
/// of an enum as they are declared, anything else by its text.
enum NaturalOrder {
  /// The place of a key.
  struct Place: Comparable {
    /// Numbers before texts.
    var rank = 0
    var whole: Int128 = 0
    var number = 0.0
    var text = ""

    static func < (one: Place, other: Place) -> Bool {
      if one.rank != other.rank { return one.rank < other.rank }
      if one.number != other.number { return one.number < other.number }
      if one.whole != other.whole { return one.whole < other.whole }
      return one.text.unicodeScalars.lexicographicallyPrecedes(other.text.unicodeScalars)
    }
  }

  /// The indices of the first `limit` elements in order. All places are looked at, and `limit` of them kept.
  static func smallest<Elements: Collection>(_ limit: Int, of elements: Elements) -> [Elements.Index] {
    var places: [(place: Place, index: Elements.Index)] = []
    let kept = max(0, min(limit, elements.count))
    guard kept > 0 else { return [] }
    places.reserveCapacity(min(elements.count, kept &* 2))
    for index in elements.indices {
      places.append((place(of: elements[index]), index))
      // Cut back to the smallest when there are twice as many: linear in the elements, but for the sorting of what stays.
      if places.count == kept &* 2, kept < elements.count {
        places.sort { $0.place < $1.place }
        places.removeLast(kept)
      }
    }
    places.sort { $0.place < $1.place }
    return places.prefix(kept).map(\.index)
  }

  /// The place of a value.
  static func place(of value: Any) -> Place {
    switch value {
    case let text as String: return Place(rank: 2, text: text)
    case let text as Substring: return Place(rank: 2, text: String(text))
    case let text as Character: return Place(rank: 2, text: String(text))
    case let scalar as Unicode.Scalar: return Place(rank: 1, whole: Int128(scalar.value))
    case let number as Double: return Place(rank: 1, number: number.isNaN ? .infinity : number)
    case let number as Float: return Place(rank: 1, number: number.isNaN ? .infinity : Double(number))
    case let flag as Bool: return Place(rank: 0, whole: flag ? 1 : 0)
    case let hashable as AnyHashable where Swift.type(of: value) == AnyHashable.self: return place(of: hashable.base)
    default: break
    }
    if LeafTypes.isStandardInteger(Swift.type(of: value)), let number = value as? any BinaryInteger {
      let whole = Int128(clamping: number)
      return Place(rank: 1, whole: whole, number: Double(whole))
    }
    return caseOrText(value)
  }

  private static func caseOrText(_ value: Any) -> Place {
    var options = DeconstructionOptions()
    options.nodeLimit = 50
    options.depthLimit = 4
    options.childLimit = 8
    let plan = TypePlan.of(Swift.type(of: value))
    let text = Deconstruction(of: value, options: options).oneLine
    guard case .enumeration = plan.shape else { return Place(rank: 4, text: text) }
    func number<T>(_ value: T) -> Int { withUnsafePointer(to: value) { plan.metadata.caseNumber(of: $0) } }
    return Place(rank: 3, whole: Int128(_openExistential(value, do: number)), text: text)
  }
}

extension LeafTypes {
  /// Whether a type is one of the standard library's own integers.
  static func isStandardInteger(_ type: Any.Type) -> Bool {
    switch handling(of: TypePlan.of(type), isRaw: true) {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: true
    default: false
    }
  }
}
