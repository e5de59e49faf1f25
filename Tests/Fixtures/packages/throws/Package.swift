// swift-tools-version: 6.2
import PackageDescription

// A package of someone else's, which throws C++ exceptions: once without call stacks, and once with. The name that the dependency
// is given makes it independent of the folder that the checkout is in.
let package = Package(
  name: "throws",
  dependencies: [.package(name: "swift-introspection", path: "../../../..")],
  targets: [
    .target(name: "Thrower"),
    .executableTarget(name: "plain", dependencies: ["Thrower"]),
    .executableTarget(
      name: "with-stacks", dependencies: ["Thrower", .product(name: "CallStacks", package: "swift-introspection")]),
  ]
)
