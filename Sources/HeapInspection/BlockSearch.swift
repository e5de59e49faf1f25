/// Finds the live blocks that given places lie in, while a walk passes them. Allocates nothing on the heap.
struct BlockSearch: ~Copyable {
  /// A block that holds a place.
  struct Found: BitwiseCopyable {
    /// The index of the hit whose place it holds.
    var hit = 0
    var start: UInt64 = 0
    var byteCount: UInt64 = 0
    var words: ObjectCounter.Words = (0, 0, 0, 0, 0)
  }

  /// The places and their hits, in order of address.
  private var places: PageBuffer<(place: UInt64, hit: Int)>
  private(set) var found: PageBuffer<Found>

  /// Looks for nothing.
  static func nothing() throws(HeapInspectionError) -> BlockSearch {
    let places = try PageBuffer<(place: UInt64, hit: Int)>(capacity: 1)
    return BlockSearch(places, try PageBuffer(capacity: 1))
  }

  /// Looks for the places of hits that are not in variables.
  static func places(
    of hits: borrowing PageBuffer<ReferenceScan.Hit>
  ) throws(HeapInspectionError) -> BlockSearch {
    var search = try nothing()
    for index in 0..<hits.count where !hits[index].isInVariable { try search.places.append((hits[index].place, index)) }
    var inOrder = UnsafeMutableBufferPointer(rebasing: search.places.elements[..<search.places.count])
    inOrder.sort { $0.place < $1.place }
    return search
  }

  private init(
    _ places: consuming PageBuffer<(place: UInt64, hit: Int)>, _ found: consuming PageBuffer<Found>
  ) {
    self.places = places
    self.found = found
  }

  var isEmpty: Bool { places.count == 0 }

  /// Notes the places in a block.
  mutating func look(
    at start: UInt64, byteCount: UInt64, words: ObjectCounter.Words
  ) throws(HeapInspectionError) {
    guard places.count > 0, start <= places[places.count - 1].place, places[0].place < start &+ byteCount else {
      return
    }
    var index = firstPlace(from: start)
    while index < places.count, places[index].place &- start < byteCount {
      try found.append(Found(hit: places[index].hit, start: start, byteCount: byteCount, words: words))
      index += 1
    }
  }

  private func firstPlace(from address: UInt64) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].place < address { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
