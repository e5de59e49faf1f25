// swift-tools-version: 6.2
import PackageDescription

// A package of someone else's whose tests watch memory, once with Swift Testing and once with XCTest. Each test fails on purpose, or
// says in its name that it does not. The name that the dependency is given makes it independent of the folder of the checkout.
let package = Package(
  name: "memory-tests",
  dependencies: [.package(name: "swift-introspection", path: "../../../..")],
  targets: [
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", .product(name: "IntrospectionTesting", package: "swift-introspection")]),
    .testTarget(
      name: "ShopXCTests",
      dependencies: ["Shop", .product(name: "IntrospectionTesting", package: "swift-introspection")]),
  ]
)
