// swift-tools-version: 6.2
import PackageDescription

// Programs that a test builds: one without reflection metadata, one with it, both with the standard library linked in.

let package = Package(
  name: "reflection",
  dependencies: [.package(name: "swift-introspection", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "stripped", dependencies: [.product(name: "Deconstructor", package: "swift-introspection")],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
    .target(name: "Legacy", swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
    .executableTarget(
      name: "plain", dependencies: ["Legacy", .product(name: "Deconstructor", package: "swift-introspection")]),
  ]
)
