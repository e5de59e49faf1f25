import ProcessMemory
import SwiftMetadata

extension HeapInspector {
  /// What refers to objects: words in live blocks, in the order of their addresses, then those in variables of programs and
  /// libraries. References on stacks and in registers are not looked for. Weak references lead to an object of the runtime's own and
  /// are none; those that are unowned look like strong ones here.
  ///
  /// A word is taken for a reference by its value. What is known to be out of use is left out: memory that is freed, objects whose `deinit` has
  /// run, the room of arrays and hash tables that holds no element, and the rest of a block behind an object.
  ///
  /// Reads all memory of the process that belongs to no file, and then the heads of all blocks.
  ///
  /// - Throws: ``HeapInspectionError``; also where the allocator's own heap cannot be walked.
  package func referrers(of targets: [HeapAddress]) throws(HeapInspectionError) -> [HeapReferrer] {
    guard try chooseMethod() == .walk else {
      throw .noKnownHeap(processID: processID, found: "its live blocks cannot be told from freed ones")
    }
    var scan = try ReferenceScan.prepare(memory, targets: targets)
    try scan.run(try regions())
    var walk = try findBlocks(scan)
    // Where other threads change the heap, a walk may lose its way for a while and miss blocks, behind the place too where it seems to
    // have found it: what is left in free memory can look like a chain that leads past blocks in use.
    var attempts = WalkAttempts()
    while attempts.another(afterLosses: walk.totals.resynchronizations) { walk = try findBlocks(scan) }
    var found: [HeapReferrer] = []
    for index in 0..<walk.search.found.count {
      let block = walk.search.found[index]
      // Memory that was free when it was scanned may be another block's by now, which has written to it.
      guard scan.isStill(scan.hits[block.hit]) else { continue }
      if let referrer = try referrer(block, scan.hits[block.hit], &walk) { found.append(referrer) }
    }
    // Behind an image there may be memory of another use: its headers say how far its variables go.
    let images: ImageMap
    do throws(ProcessMemoryError) {
      images = ImageMap(try MemoryMap.of(processID, root: root), memory: memory)
    } catch {
      throw .process(error)
    }
    for index in 0..<scan.hits.count
    where scan.hits[index].isInVariable && images.image(containing: scan.hits[index].place) != nil {
      let place = HeapAddress(scan.hits[index].place)
      found.append(
        HeapReferrer(place: place, start: place, holder: .variable, target: HeapAddress(scan.hits[index].target)))
    }
    return found
  }

  private func findBlocks(_ scan: borrowing ReferenceScan) throws(HeapInspectionError) -> HeapWalk {
    var walk = try HeapWalk.prepare(
      memory, regions: try regions(), own: ownObjects, search: try .places(of: scan.hits))
    if !walk.search.isEmpty { try walk.run() }
    return walk
  }

  /// A way over references to an object, what begins it first: a variable where one leads to it within some steps and the time;
  /// otherwise one step, from an object that refers to it. Empty where nothing refers to it.
  ///
  /// A way leads over uncertain references only where nothing else refers to the target, and only from a variable or a task.
  ///
  /// - Parameter strength: of a reference.
  /// - Throws: ``HeapInspectionError``.
  package func way(
    to target: HeapAddress, until end: ContinuousClock.Instant, strength: (HeapReferrer) -> ReferenceStrength
  ) throws(HeapInspectionError) -> [HeapReferrer] {
    var certain: [HeapReferrer] = []
    // What other threads move while they are looked at is missed.
    for _ in 0..<Self.wayAttempts {
      certain = try shortestWay(to: target, until: end) { strength($0) == .holding }
      if certain.first?.isVariable == true || ContinuousClock.now >= end { break }
    }
    guard certain.isEmpty else { return certain }
    let uncertain = try shortestWay(to: target, until: end) { strength($0) != .notHolding }
    return uncertain.first.map { $0.isVariable || $0.isTask } == true ? uncertain : []
  }

  private func shortestWay(
    to target: HeapAddress, until end: ContinuousClock.Instant, where isHolding: (HeapReferrer) -> Bool
  ) throws(HeapInspectionError) -> [HeapReferrer] {
    // By what begins a reference, the one that comes next.
    var next: [HeapAddress: HeapReferrer] = [:]
    func way(from referrer: HeapReferrer) -> [HeapReferrer] {
      var way = [referrer]
      while let last = way.last, last.target != target, let following = next[last.target] { way.append(following) }
      return way
    }
    var nearest: HeapReferrer?
    var task: HeapReferrer?
    var frontier = [target]
    for _ in 0..<Self.longestWay {
      let found = try referrers(of: frontier).filter(isHolding)
      if let variable = found.first(where: \.isVariable) { return way(from: variable) }
      frontier = []
      for referrer in found
      where referrer.start != target && next[referrer.start] == nil && frontier.count < Self.widestSearch {
        if referrer.isTask {
          // It goes on by itself, so that nothing needs to hold it.
          task = task ?? referrer
          continue
        }
        if nearest == nil { nearest = referrer }
        next[referrer.start] = referrer
        frontier.append(referrer.start)
      }
      if frontier.isEmpty || ContinuousClock.now >= end { break }
    }
    // What seems to hold the holder, and so on, may be what is left in memory from something else, the more so the farther it is.
    return task.map(way) ?? nearest.map { [$0] } ?? []
  }

  private static let wayAttempts = 3
  /// Steps from a variable to an object; a longer way would not be read.
  private static let longestWay = 8
  /// Objects at one distance that are followed.
  private static let widestSearch = 256

  private func referrer(
    _ block: BlockSearch.Found, _ hit: ReferenceScan.Hit, _ walk: inout HeapWalk
  ) throws(HeapInspectionError) -> HeapReferrer? {
    let start = HeapAddress(block.start)
    let place = HeapAddress(hit.place)
    let target = HeapAddress(hit.target)
    let memory = HeapReferrer(place: place, start: start, holder: .memory(byteCount: block.byteCount), target: target)
    guard let tally = try walk.tally(of: block), let kind = LiveType.Kind(tally.form) else {
      // The runtime's own notes on the object, to which its weak references lead.
      return sideTable(of: hit.target) == block.start ? nil : memory
    }
    guard kind == .cxx || !ObjectCounter.isDeinitialized(block.words.1) else {
      // The remains of an object; in a larger block, those that memory for another use began with when it was given out.
      return block.byteCount &- UInt64(tally.smallestSize) < Self.largestRemainder ? nil : memory
    }
    let offset = hit.place &- block.start
    guard offset >= 16 || kind == .cxx, let holder = holder(kind, offset, block, tally) else { return nil }
    return HeapReferrer(place: place, start: start, holder: holder, target: target)
  }

  /// What malloc gives beyond what was asked for is less.
  private static let largestRemainder: UInt64 = 32

  /// What a word of an object belongs to; `nil` where it is out of use.
  private func holder(
    _ kind: LiveType.Kind, _ offset: UInt64, _ block: BlockSearch.Found, _ tally: TypeTally
  ) -> HeapReferrer.Holder? {
    switch tally.storage {
    case .string: return nil
    case .array:
      guard offset >= Self.arrayHeaderSize, let (element, stride) = argument(0, of: tally.word),
        (offset &- Self.arrayHeaderSize) / stride < block.words.2
      else { return nil }
      return .storage(
        HeapReferrer.Values(metadata: tally.word, element: element, offset: Int(Self.arrayHeaderSize)))
    case .hashTable: return values(of: tally.word, at: offset, of: block).map { .storage($0) }
    case .none:
      // What is left behind an object is what malloc gives beyond what was asked for, unless it is room for more.
      let size = UInt64(tally.smallestSize)
      let isObject = tally.form == .object || tally.form == .actor
      guard !isObject || offset < size || block.byteCount &- size >= Self.largestRemainder else { return nil }
      return .object(kind, metadata: tally.form == .error ? tally.word & ~1 : tally.word)
    }
  }

  /// Behind the head of an object, the count and the capacity (`ContiguousArrayBuffer.swift` of the standard library).
  private static let arrayHeaderSize: UInt64 = 32

  /// Which values of a hash table an offset is in: keys or elements, or the values to the keys; `nil` where the bucket is not occupied, by
  /// the table's bitmap (HashTable.swift and DictionaryStorage.swift of the standard library).
  private func values(of metadata: UInt64, at offset: UInt64, of block: BlockSearch.Found) -> HeapReferrer.Values? {
    let bucketCount: UInt64 = 1 << min(block.words.4 & 0xFF, 40)
    guard let keys: UInt64 = memory.load(block.start &+ 48), keys > block.start,
      keys &- block.start < block.byteCount, let second: UInt64 = memory.load(block.start &+ 56)
    else { return nil }
    // A set's bitmap is where a dictionary has the address of its values, which are behind the keys.
    let isDictionary = second > keys && second < block.start &+ block.byteCount
    let place = block.start &+ offset
    let isValue = isDictionary && place >= second
    let from = isValue ? second : keys
    guard place >= from, let (element, stride) = argument(isValue ? 1 : 0, of: metadata) else { return nil }
    let bucket = (place &- from) / stride
    let bitmap = block.start &+ (isDictionary ? 64 : 56)
    guard bucket < bucketCount, let word: UInt64 = memory.load(bitmap &+ bucket / 64 * 8),
      word >> (bucket % 64) & 1 == 1
    else { return nil }
    return HeapReferrer.Values(
      metadata: metadata, element: element, offset: Int(truncatingIfNeeded: from &- block.start))
  }

  /// A generic argument of a class, and the bytes from one of its values to the next.
  private func argument(_ index: Int, of metadata: UInt64) -> (type: UInt64, stride: UInt64)? {
    let reader = MetadataReader(memory)
    guard let descriptor = reader.descriptor(of: metadata, .class) else { return nil }
    let arguments = TypeNameReader(reader).genericArguments(of: metadata, .class, descriptor)
    guard arguments.indices.contains(index), case .type(let type) = arguments[index],
      let stride = reader.stride(of: type)
    else { return nil }
    return (type, stride)
  }

  /// Where an object's counts are kept once a weak reference to it was made (`stdlib/public/SwiftShims/RefCount.h` of the Swift project).
  private func sideTable(of object: UInt64) -> UInt64? {
    guard let counts: UInt64 = memory.load(object &+ 8), counts & MetadataLayout.referenceCountsHasSideTable != 0
    else { return nil }
    return (counts & MetadataLayout.referenceCountsSideTableMask) << 3
  }
}

extension HeapReferrer {
  fileprivate var isVariable: Bool { if case .variable = holder { true } else { false } }
  fileprivate var isTask: Bool { if case .object(.task, metadata: _) = holder { true } else { false } }
}
