/// An address as notes about a heap keep it: as its complement, since these notes may lie on that heap, and are not to be found
/// as references to what they are about.
package struct HeapAddress: Hashable, Sendable, BitwiseCopyable {
  private let complement: UInt64

  package init(_ value: UInt64) { complement = ~value }

  /// The address itself.
  package var value: UInt64 { ~complement }
}
