/// Elements in one piece of memory that nobody else refers to: an array without the question, on each write, whether a
/// copy is due. Indices are the caller's to keep below `count`; debug builds check them.
struct Pile<Element>: ~Copyable {
  private var storage = UnsafeMutablePointer<Element>.allocate(capacity: 0)
  private var capacity = 0
  private(set) var count = 0

  deinit {
    storage.deinitialize(count: count)
    storage.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count)
      return UnsafePointer(storage + index)
    }
    unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return storage + index
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (storage + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(capacity * 2, 16)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: storage, count: count)
    storage.deallocate()
    storage = larger
  }

  @inline(__always)
  mutating func removeLast() {
    assert(count > 0)
    count &-= 1
    (storage + count).deinitialize(count: 1)
  }

  mutating func remove(at index: Int) -> Element {
    assert(index >= 0 && index < count)
    let element = (storage + index).move()
    (storage + index).moveInitialize(from: storage + index + 1, count: count - index - 1)
    count -= 1
    return element
  }

  mutating func removeFirst(_ number: Int) {
    assert(number >= 0 && number <= count)
    storage.deinitialize(count: number)
    storage.moveInitialize(from: storage + number, count: count - number)
    count -= number
  }

  mutating func removeAll() {
    storage.deinitialize(count: count)
    count = 0
  }

  func lastIndex(where condition: (borrowing Element) -> Bool) -> Int? {
    var index = count
    while index > 0 {
      index -= 1
      if condition(storage[index]) { return index }
    }
    return nil
  }

  /// A copy, for those who only look.
  var array: [Element] { Array(UnsafeBufferPointer(start: storage, count: count)) }
}
