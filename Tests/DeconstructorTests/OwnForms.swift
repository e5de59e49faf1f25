import Deconstructor

// Types that say themselves what they consist of.

struct Mirrored: CustomReflectable {
  var hidden = 1
  var shown = 2
  var customMirror: Mirror { Mirror(self, children: ["shown": shown, "twice": shown * 2]) }
}

struct MirroredList: CustomReflectable {
  var customMirror: Mirror { Mirror(self, unlabeledChildren: [1, 2, 3], displayStyle: .collection) }
}

struct Custom: CustomDeconstructible {
  var a = 1
  var deconstructedForm: DeconstructedForm { .text("custom\nform") }
}

final class CustomParts: CustomDeconstructible {
  var secret = "s"
  var deconstructedForm: DeconstructedForm { .parts(["length": secret.count, "self": self]) }
}

struct Described: CustomStringConvertible {
  var field = 1
  var description: String { "never asked" }
}
