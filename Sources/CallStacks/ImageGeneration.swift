import CLinux

/// Which images this process has: the number changes with each that is loaded or unloaded.
enum ImageGeneration {
  static var current: UInt64 { cl_image_generation() }
}
