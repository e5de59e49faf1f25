enum SwiftClassName { static func readable(_ name: String) -> String? { nil } }
