import ProcessMemory

/// One reading of a target: a process, or a process with all it has started.
public struct TargetReading: Hashable, Sendable {
  /// What it used; for several processes the sum, in which shared pages count once for each.
  public var usage: MemoryUsage
  /// The footprint that is judged, in bytes: `usage.footprintBytes`, without pages that the program has given up and the
  /// kernel has not taken (as far as the last look at the details showed them), and for several processes with each
  /// shared page divided by those that share it.
  public var footprintBytes: UInt64
  /// Processes that were read.
  public var processCount: Int
  /// Whether the target was stopped (SIGSTOP, Ctrl-Z, a debugger), so that its memory says nothing.
  public var isStopped: Bool
}

/// Reads a target again and again: a process alone, or the tree that it is the root of.
///
/// In a tree, memory that processes share would count once for each of them: ten children forked from a parent of 1 GiB
/// look like 11 GiB. So what each process has is scaled by the share that the kernel ascribes to it, which is read rarely
/// (see ``readDetails(budget:)``) and holds in between.
public struct TargetSampler: ~Copyable {
  /// The process, or the root of the tree.
  public let processID: Int32
  /// Whether all that the process has started counts too.
  public let includesChildren: Bool
  /// The last look at the details, over all processes; `nil` before the first that worked.
  public private(set) var details: DetailedMemoryUsage?
  /// Why the last look at the details was not taken, or not at every process.
  public private(set) var detailsFailure: ProcessMemoryError?
  /// Whether processes came or went since the last look at the details, so that shares have shifted.
  public private(set) var treeHasChanged = false

  private let root: ProcRoot
  private var rootMember: TreeMember
  private var others: [Int32: TreeMember] = [:]

  /// Opens a target.
  public init(
    processID: Int32, includesChildren: Bool = false, root: ProcRoot = .live
  ) throws(ProcessMemoryError) {
    self.processID = processID
    self.includesChildren = includesChildren
    self.root = root
    rootMember = try TreeMember(processID: processID, root: root)
  }

  /// A descriptor that becomes readable when the process (the root of the tree) ends, where there is one.
  public var exitDescriptor: Int32? { rootMember.exitDescriptor }

  /// What the target uses now.
  ///
  /// - Throws: `.processEnded` and `.processReplaced` when the process (the root of the tree) has; descendants that end
  ///   are simply gone.
  public mutating func sample() throws(ProcessMemoryError) -> TargetReading {
    var reading = try rootMember.sample()
    if includesChildren {
      followTree()
      for (processID, member) in others {
        guard let other = try? member.sample() else {
          others[processID] = nil
          treeHasChanged = true
          continue
        }
        reading.usage = reading.usage + other.usage
        reading.footprintBytes = reading.footprintBytes.addingSaturated(other.footprintBytes)
        reading.processCount += 1
      }
    }
    return reading
  }

  /// Looks at the details (shares, pages given up) of every process, each within a budget; see
  /// ``DetailedMemoryUsage/of(_:budget:previous:root:)`` for what that costs the target.
  public mutating func readDetails(budget: Duration?) {
    detailsFailure = nil
    treeHasChanged = false
    var sum: DetailedMemoryUsage?
    for member in [rootMember] + others.values {
      do throws(ProcessMemoryError) {
        let details = try member.readDetails(budget: budget, root: root, dividesShares: includesChildren)
        sum = sum.map { $0 + details } ?? details
      } catch {
        switch error {
        case .processEnded, .noSuchProcess, .processReplaced: continue
        default: detailsFailure = error
        }
      }
    }
    if let sum { details = sum }
  }

  /// Takes up processes that are new. One that was seen stays, even when its parent ends before it.
  private mutating func followTree() {
    for descendant in ProcessTree.descendants(of: processID, root: root) where others[descendant] == nil {
      guard let member = try? TreeMember(processID: descendant, root: root) else { continue }
      others[descendant] = member
      treeHasChanged = true
    }
  }
}

/// A process of a target, with the shares that hold for it.
///
/// A class, because a dictionary cannot hold a sampler, which has descriptors to close. It never leaves its target.
private final class TreeMember {
  private var sampler: MemorySampler
  private var details: DetailedMemoryUsage?
  /// Of the anonymous, shared and swapped bytes, the parts that are this process's own by the kernel's account.
  private var shares = (anonymous: 1.0, shared: 1.0, swapped: 1.0)

  init(processID: Int32, root: ProcRoot) throws(ProcessMemoryError) {
    sampler = try MemorySampler(processID: processID, root: root)
  }

  var exitDescriptor: Int32? { sampler.exitDescriptor }

  func sample() throws(ProcessMemoryError) -> TargetReading {
    let usage = try sampler.sample()
    let anonymous = Self.scaled(usage.anonymousBytes, by: shares.anonymous)
    let whole = anonymous.addingSaturated(Self.scaled(usage.sharedBytes, by: shares.shared))
      .addingSaturated(Self.scaled(usage.swappedBytes, by: shares.swapped))
    let givenUp = min(details?.lazyFreeBytes ?? 0, anonymous)
    return TargetReading(
      usage: usage, footprintBytes: whole.subtractingSaturated(givenUp), processCount: 1, isStopped: sampler.isStopped)
  }

  func readDetails(
    budget: Duration?, root: ProcRoot, dividesShares: Bool
  ) throws(ProcessMemoryError) -> DetailedMemoryUsage {
    let found = try DetailedMemoryUsage.of(sampler.processID, budget: budget, previous: details, root: root)
    details = found
    guard dividesShares else { return found }
    let usage = try sampler.sample()
    // Before kernel 5.9 there is one share for all kinds of pages.
    let overall = Self.share(found.proportionalBytes, of: found.residentBytes)
    shares.anonymous = found.proportionalAnonymousBytes.map { Self.share($0, of: usage.anonymousBytes) } ?? overall
    shares.shared = found.proportionalSharedBytes.map { Self.share($0, of: usage.sharedBytes) } ?? overall
    shares.swapped = Self.share(found.proportionalSwappedBytes, of: found.swappedBytes)
    return found
  }

  private static func share(_ part: UInt64, of whole: UInt64) -> Double {
    whole == 0 ? 1 : min(Double(part) / Double(whole), 1)
  }

  private static func scaled(_ bytes: UInt64, by share: Double) -> UInt64 {
    share >= 1 ? bytes : UInt64(Double(bytes) * max(share, 0))
  }
}
