import CLibunwind

/// The registers of a thread at one moment, in the order of x86-64's DWARF numbers: `rax rdx rcx rbx rsi rdi rbp rsp`,
/// `r8` to `r15`, `rip` (System V ABI for x86-64, figure 3.36). Holds no pointers: copy it wherever one is interrupted.
public struct RegisterSet: Sendable {
  /// All of them.
  public var values: InlineArray<17, UInt64>

  /// A set of registers.
  public init(_ values: InlineArray<17, UInt64>) { self.values = values }

  /// Where the next instruction is: `rip`.
  public var instructionPointer: UInt64 { values[Int(clu_instruction_pointer)] }
  /// The lowest address of the stack in use: `rsp`.
  public var stackPointer: UInt64 { values[Int(clu_stack_pointer)] }
  /// `rbp`: the frame pointer, in code that keeps one.
  public var framePointer: UInt64 { values[Int(clu_frame_pointer)] }
}
