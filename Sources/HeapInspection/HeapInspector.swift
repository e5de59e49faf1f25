import CallStacks
import ProcessMemory

/// Looks at the heap of one process, as often as asked; keeps what it has learned of the process's types.
///
/// Not to be shared between threads.
public final class HeapInspector {
  /// The process.
  public let processID: Int32
  let memory: any MemoryReader
  let root: ProcRoot
  private var knownMethod: HeapCensus.Method?
  private var names: ObjectNames?

  /// Opens a process, and asks whether it may be read.
  ///
  /// - Throws: ``HeapInspectionError/process(_:)``: no such process, or not permitted, with what would grant it.
  public init(_ processID: Int32) throws(HeapInspectionError) {
    self.processID = processID
    root = .live
    do throws(ProcessMemoryError) { memory = try ProcessMemoryReader(processID) } catch { throw .process(error) }
  }

  /// Looks at a process through a reader and a `/proc` of the caller's: a recorded one, for example.
  public init(_ processID: Int32, memory: any MemoryReader, root: ProcRoot) {
    self.processID = processID
    self.memory = memory
    self.root = root
  }

  private var isOwnProcess: Bool { root.isLive && processID == ProcessIdentity.currentProcessID }

  /// Walks the heap once.
  ///
  /// - Parameter stopping: the process stands still meanwhile, for an exact picture. Not possible for this process.
  /// - Throws: ``HeapInspectionError``, also when the process ends meanwhile.
  public func snapshot(stopping: Bool = false) throws(HeapInspectionError) -> HeapSnapshot {
    // Names of this process's types would be part of what is counted.
    if isOwnProcess { names = nil }
    let clock = ContinuousClock()
    let start = clock.now
    let method = try chooseMethod()
    let (count, stopped) = try stopping ? takeStopped(method) : (take(method), .zero)
    try makeSureItIsKnown(count)
    let names = self.names ?? ObjectNames(memory)
    self.names = names
    let census = HeapCensus(
      count, of: processID, names: names, seconds: (clock.now - start) / .seconds(1),
      stoppedSeconds: stopped / .seconds(1))
    // At the very end: names are read from the process too.
    try makeSureItLives()
    return HeapSnapshot(census: census)
  }

  /// What the program has allocated and not freed, in bytes: a walk that names nothing.
  ///
  /// - Throws: ``HeapInspectionError``; also where the allocator's own heap cannot be walked.
  public func liveBytes() throws(HeapInspectionError) -> UInt64 {
    let count = try take(try chooseMethod())
    try makeSureItLives()
    guard count.method == .walk else {
      throw .noKnownHeap(processID: processID, found: "its live bytes cannot be told from freed ones")
    }
    return count.totals.liveBytes
  }

  /// The count of one moment, and how long the process stood still for it.
  private func takeStopped(_ method: HeapCensus.Method) throws(HeapInspectionError) -> (HeapCount, Duration) {
    let start = ContinuousClock.now
    let stopped: StoppedProcess
    do throws(CallStackError) {
      stopped = try StoppedProcess(processID)
    } catch {
      if case .unreadable(let error) = error { throw .process(error) }
      throw .cannotStop(processID: processID, reason: error.description)
    }
    let count = try withExtendedLifetime(stopped) { () throws(HeapInspectionError) in try take(method) }
    _ = consume stopped
    return (count, ContinuousClock.now - start)
  }

  /// The allocator decides: glibc's heap is walked; another one's is looked through.
  ///
  /// Asked until the process has loaded one: what serves its allocations then does so until it ends.
  func chooseMethod() throws(HeapInspectionError) -> HeapCensus.Method {
    if let knownMethod { return knownMethod }
    do throws(ProcessMemoryError) {
      guard let allocator = try AllocatorLibraries.loaded(by: processID, root: root).first else { return .walk }
      let method = allocator == "glibc" ? HeapCensus.Method.walk : .scan
      knownMethod = method
      return method
    } catch {
      throw .process(error)
    }
  }

  func take(_ method: HeapCensus.Method) throws(HeapInspectionError) -> HeapCount {
    let regions = try regions()
    if method == .walk {
      var walk = try HeapWalk.prepare(memory, regions: regions, own: ownObjects)
      try walk.run()
      // A static program may have any allocator inside; what cannot be walked at all is looked through.
      if walk.totals.liveBlocks > 0 { return HeapCount(walk) }
    }
    var scan = try HeapScan.prepare(memory, regions: try self.regions(), own: ownObjects)
    try scan.run()
    return HeapCount(scan)
  }

  /// The map is given back before anything is walked: in this very process it would be part of what is counted.
  func regions() throws(HeapInspectionError) -> HeapRegions {
    let map: MemoryMap
    do throws(ProcessMemoryError) { map = try MemoryMap.of(processID, root: root) } catch { throw .process(error) }
    guard map.count > 0 else { throw .process(.processEnded(processID: processID)) }
    return try HeapRegions.collect(map, memory)
  }

  /// The objects that this inspection keeps on the heap while it counts, where that is the heap it counts.
  var ownObjects: OwnObjects {
    guard isOwnProcess, let memory = memory as? ProcessMemoryReader else { return OwnObjects() }
    return OwnObjects(self, memory)
  }

  /// Counting nothing of a runtime that is not understood would look like a program without objects.
  func makeSureItIsKnown(_ count: HeapCount) throws(HeapInspectionError) {
    guard count.isOfUnknownRuntime, let map = try? MemoryMap.of(processID, root: root),
      let runtime = map.first(where: { $0.name.contains("libswiftCore.so") })?.name
    else { return }
    throw .unknownRuntime(
      processID: processID,
      problem: "none of \(count.unknownObjects) objects made by \(runtime) has a type of a known form")
  }

  /// A process that ends loses its memory first, and a walk of nothing finds nothing: no census.
  private func makeSureItLives() throws(HeapInspectionError) {
    if isOwnProcess { return }
    do throws(ProcessMemoryError) {
      guard try MemoryMap.of(processID, root: root).count > 0 else { throw .processEnded(processID: processID) }
    } catch {
      throw .process(error)
    }
  }
}

/// Addresses that a walk leaves out.
struct OwnObjects: BitwiseCopyable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  init() {}

  init(_ inspector: HeapInspector, _ memory: ProcessMemoryReader) {
    first = UInt64(UInt(bitPattern: Unmanaged.passUnretained(inspector).toOpaque()))
    second = UInt64(UInt(bitPattern: Unmanaged.passUnretained(memory).toOpaque()))
  }

  @inline(__always)
  func contains(_ address: UInt64) -> Bool { address == first || address == second }
}
