import MeasurementText
import SwiftMetadata

/// The live objects of a process by type, at one moment: how many, and how many bytes.
///
/// A census of a running process is not of one moment exactly: each block is counted as it is when the walk comes by.
/// Counts of types that the process does not touch meanwhile are exact.
public struct HeapCensus: Hashable, Sendable, Codable {
  /// The process.
  public internal(set) var processID: Int32
  /// How the objects were found.
  public internal(set) var method: Method
  /// How much of the heap was looked at, from 0 to 1.
  public internal(set) var coverage: Double
  /// The heap as a whole.
  public internal(set) var totals: HeapTotals
  /// What objects there are, the type with the most bytes first.
  public internal(set) var types: [LiveType]
  /// Live blocks that are no objects with a type, the largest sum of bytes first.
  public internal(set) var untyped: [UntypedBlocks]
  /// What it took, in seconds.
  public internal(set) var seconds: Double
  /// How long the process stood still, in seconds; 0 where it was not stopped.
  public internal(set) var stoppedSeconds: Double
  /// Bytes copied out of the process.
  public internal(set) var bytesRead: UInt64

  /// How objects were found.
  public enum Method: String, Hashable, Sendable, Codable {
    /// Block by block, as glibc's malloc chains them: sizes and counts are what the allocator has handed out.
    case walk
    /// By looking at every place where an object may begin, since the allocator is not one that can be walked: a freed
    /// object whose memory was not used again still counts, and bytes are the sizes of the types. An approximation.
    case scan
  }

  private enum CodingKeys: String, CodingKey {
    case processID = "pid"
    case method, coverage, totals, types, untyped, seconds
    case stoppedSeconds = "stopped_seconds"
    case bytesRead = "bytes_read"
  }

  /// The row of a type, by the name that the census gives it.
  public subscript(type: String) -> LiveType? { types.first { $0.type == type } }

  /// Live objects of all types.
  public var instances: UInt64 { types.reduce(0) { $0 &+ $1.instances } }
}

/// The live objects of one type.
public struct LiveType: Hashable, Sendable, Codable {
  /// The type with its module and generic arguments, `Shop.Session`; for closures, what they capture. Two types with one
  /// name (private types of two files) are told apart by a number behind it.
  public internal(set) var type: String
  /// What kind of object it is.
  public internal(set) var kind: Kind
  /// How many are alive.
  public internal(set) var instances: UInt64
  /// What their blocks, and those of the deinitialized, have room for, in bytes (malloc_usable_size): what freeing them would give back.
  public internal(set) var bytes: UInt64
  /// Beside the instances, those whose `deinit` has run and which unowned references keep from being freed.
  public internal(set) var deinitialized: UInt64
  /// How full they are, where they are storages of arrays, dictionaries, sets and strings.
  public internal(set) var storage: StorageUse?

  /// What an object is.
  public enum Kind: String, Hashable, Sendable, Codable {
    case `class`
    case actor
    /// The context that a closure has captured, or a captured variable.
    case closure
    /// A variable that a closure has captured, of a type known only at run time.
    case box
    /// A boxed error.
    case error
    /// A task of Swift's concurrency, or a job of it.
    case task
    /// An object of C++ with virtual functions.
    case cxx = "c++"
  }
}

/// How full the storages of one type are, all taken together.
public struct StorageUse: Hashable, Sendable, Codable {
  /// Elements held; for text, bytes.
  public internal(set) var elements: UInt64
  /// Elements there is room for: buckets of a hash table; for text, bytes.
  public internal(set) var capacity: UInt64

  /// The share of the room that is not used, from 0 to 1.
  public var unusedShare: Double { capacity == 0 ? 0 : 1 - min(1, Double(elements) / Double(capacity)) }
}

/// Live blocks of similar size that are no objects of a known type: buffers of C, of the allocator's users, of values.
public struct UntypedBlocks: Hashable, Sendable, Codable {
  /// The smallest size in this group, in bytes.
  public internal(set) var smallestSize: UInt64
  /// The largest size in this group, in bytes.
  public internal(set) var largestSize: UInt64
  /// How many there are.
  public internal(set) var blocks: UInt64
  /// What they have room for, in bytes.
  public internal(set) var bytes: UInt64

  private enum CodingKeys: String, CodingKey {
    case smallestSize = "smallest_size"
    case largestSize = "largest_size"
    case blocks, bytes
  }
}
