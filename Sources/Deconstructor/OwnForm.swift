// Floor 4, walk: types that say themselves what they consist of.
import SwiftMetadata

/// Whether a type has a form of its own, and of which kind.
enum OwnForm {
  /// `CustomDeconstructible`, or registered.
  case custom
  /// `CustomReflectable`.
  case mirrored

  static func of(_ plan: TypePlan) -> OwnForm? {
    switch plan.metadata.kind {
    case .class, .struct, .enum: break
    default: return nil
    }
    let type = plan.metadata.type
    if RegisteredForms.has(plan.metadata) || type is any CustomDeconstructible.Type { return .custom }
    // What the toolchain's own types show of themselves is for their readers; ours read them better.
    guard !LeafTypes.isOfToolchain(plan), type is any CustomReflectable.Type else { return nil }
    return .mirrored
  }
}
