// Unwinding as a function of registers, memory and images.
import CallStacks
import FixtureSupport
import Foundation
import ProcessMemory
import Testing

/// A few words at an address, as a stack that was copied.
private struct CopiedWords: MemoryReader {
  let start: UInt64
  let words: [UInt64]
  let rest: any MemoryReader

  func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    let end = start &+ UInt64(words.count * 8)
    guard address >= start, address < end else { return rest.read(address, into: destination) }
    return words.withUnsafeBytes { bytes in
      let offset = Int(address - start)
      let count = min(destination.count, bytes.count - offset)
      destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      return count
    }
  }
}

@Suite("the unwinder")
struct UnwinderTests {
  @Test("images are the loader's, with its load biases")
  func images() throws {
    let images = try ImageMap.current()
    let addresses = try CallStack.capture().addresses
    #expect(addresses.allSatisfy { images.image(containing: UInt64($0)) != nil })
    #expect(images.images.contains { $0.isVDSO })
    let libc = try #require(images.images.first { $0.name.hasPrefix("libc.so") })
    // Where the loader has a function is where the file says it is.
    let loaded = UInt64(UInt(bitPattern: try #require(dlsym(nil, "getpid"))))
    let listed = try ChildProcess.run(["readelf", "--dyn-syms", "-W", libc.path]).output
    let line = try #require(listed.split(separator: "\n").first { $0.contains(" getpid@") })
    #expect(UInt64(line.split(separator: " ")[1], radix: 16) == libc.fileAddress(loaded))
    #expect(libc.buildID?.count == 40)
    let tables = images.images.filter { image in image.unwindTableAddress.map { image.contains($0) } ?? true }
    #expect(tables.count == images.images.count)
    // readelf knows the build-id too.
    let notes = try ChildProcess.run(["readelf", "-n", libc.path]).output
    #expect(notes.contains("Build ID: \(libc.buildID ?? "")"))
    #expect(images.image(containing: 0) == nil && images.image(containing: .max) == nil)
  }

  @Test("nonsense in registers and on the stack gives few frames, and ends")
  func nonsense() throws {
    let images = try ImageMap.current()
    let memory = try ProcessMemoryReader.current()
    let unwinder = try StackUnwinder(images: images)
    var generator = SeededGenerator(seed: 60)
    let code = images.images.filter { !$0.isVDSO }
    func anywhere() -> UInt64 {
      guard Bool.random(using: &generator), let image = code.randomElement(using: &generator) else {
        return Bool.random(using: &generator) ? generator.next() : 0x7000_0000 + generator.next() % 4096
      }
      return UInt64.random(in: image.startAddress..<image.endAddress, using: &generator)
    }
    var deepest = 0
    for _ in 0..<3000 {
      var values = InlineArray<17, UInt64>(repeating: 0)
      for index in 0..<17 { values[index] = anywhere() }
      values[7] = 0x7000_0000
      let stack = CopiedWords(start: 0x7000_0000, words: (0..<512).map { _ in anywhere() }, rest: memory)
      let found = unwinder.unwind(RegisterSet(values), memory: stack, limit: 100)
      #expect((1...100).contains(found.frames.count))
      deepest = max(deepest, found.frames.count)
    }
    #expect(deepest > 1)
  }

  @Test("a return address that no table covers ends the stack as broken or guessed, never as complete")
  func withoutTables() throws {
    let unwinder = try StackUnwinder(images: try ImageMap.current())
    var values = InlineArray<17, UInt64>(repeating: 0)
    (values[16], values[7], values[6]) = (0x1000, 0x7000_0000, 0x7000_0010)
    let stack = CopiedWords(
      start: 0x7000_0000, words: [1, 2, 0x7000_0040, 0x2000, 0, 0, 0, 0, 0, 0x3000],
      rest: try ProcessMemoryReader.current())
    let found = unwinder.unwind(RegisterSet(values), memory: stack)
    #expect(found.end != .complete)
    let unguessed = found.frames.dropFirst().filter { !$0.isGuessed }
    #expect(unguessed.isEmpty)
  }

  @Test("a limit is kept, and said")
  func limit() throws {
    let child = try StackProgram.debug.start("recursion")
    let found = try ProcessStacks.of(child.processID, limits: StackLimits(frames: 50))
    let stack = try #require(found.threads.first?.stack)
    #expect(stack.end == .limit && stack.frames.filter { !$0.isInlined }.count == 50)
    // A copy of the stack that is too small for it ends it as well, and says that there is more.
    let small = try ProcessStacks.of(child.processID, limits: StackLimits(stackBytes: 4096))
    #expect(small.threads.first?.stack.end == .broken)
  }
}
