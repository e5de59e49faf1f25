import SwiftMetadata

/// What the blocks that begin with one and the same word have been found to be, and how many there are.
struct TypeTally: BitwiseCopyable {
  /// What the word leads to.
  enum Form: UInt8, BitwiseCopyable {
    /// No entry.
    case none
    /// Neither metadata nor a table of virtual functions: blocks that begin so are plain memory.
    case unknown
    case object
    case actor
    case closure
    case box
    /// The metadata that all boxed errors share; each is counted under the type of its error.
    case anyError
    /// A type of error; the word is the error's type and not the block's first.
    case error
    case task
    case job
    /// A class of C++ with virtual functions.
    case cxx

    var isSwift: Bool { self != .none && self != .unknown && self != .cxx }
  }

  /// Containers whose blocks say how full they are.
  enum Storage: UInt8, BitwiseCopyable {
    case none
    case array
    /// Hash tables: dictionaries and sets.
    case hashTable
    case string
  }

  var word: UInt64 = 0
  var form = Form.none
  var storage = Storage.none
  /// A block with less room cannot be an instance.
  var smallestSize: UInt32 = 0
  var instances: UInt64 = 0
  var bytes: UInt64 = 0
  /// Beside the instances, those whose `deinit` has run and which unowned references still keep from being freed.
  var deinitialized: UInt64 = 0
  /// Elements held by the containers, and what they have room for, in elements (in bytes for text).
  var elements: UInt64 = 0
  var capacity: UInt64 = 0
  /// The address of one instance, whose `deinit` has not run; of no meaning where there is none.
  var sample = HeapAddress(0)
}
