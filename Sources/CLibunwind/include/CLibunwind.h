// libunwind, reached at run time. Never linked: a program that links it throws its C++ exceptions through it, since it exports
// the _Unwind_* calls of libgcc_s too. Opened with RTLD_LOCAL those stay its own.
//
// Declarations of the calls that are used, and the sizes and layouts they need; sources: libunwind-common.h,
// libunwind-dynamic.h and libunwind-x86_64.h of libunwind 1.6.2. No headers of libunwind are needed to build.
#ifndef CLIBUNWIND_H
#define CLIBUNWIND_H

#include <stddef.h>
#include <stdint.h>

// The registers of x86-64 in the order of its DWARF numbers (System V ABI, figure 3.36): rax rdx rcx rbx rsi rdi rbp rsp
// r8 to r15, rip.
enum { clu_register_count = 17, clu_frame_pointer = 6, clu_stack_pointer = 7, clu_context_register = 14,
       clu_instruction_pointer = 16 };

// One frame of an unwind.
struct clu_frame {
  uint64_t instruction_pointer;
  uint64_t stack_pointer;
  uint64_t frame_pointer;
  // r14, which holds the context of a running asynchronous Swift function (LLVM's swiftasync). 0 where it is not known.
  uint64_t context_register;
  // The instruction pointer is that of an interrupted instruction, and no return address.
  int is_interrupted;
  // No unwind table led here, but the frame pointer or a guess.
  int is_guessed;
};

// -- This thread ----------------------------------------------------------------------------------------------------

// Opens libunwind.so.8, once in a process. NULL when the calls of this part can be made, or the loader's sentence about what is
// missing.
const char *clu_load_local(void);

// The return addresses of this thread, its caller's caller first: `unw_backtrace`, without the frame of this call and `skip`
// more. Returns how many were stored, at most `capacity`.
size_t clu_backtrace(uintptr_t *addresses, size_t capacity, size_t skip);

// Steps up from the caller until a frame that goes on at `address` (its `occurrence`th, from 0), and fills `frame`, and the stack
// pointer of the frame after it. 0, or -1 where it is not found. x86-64 only; about 0.5 µs a frame.
int clu_find_frame(uintptr_t address, size_t occurrence, struct clu_frame *frame, uint64_t *caller_stack_pointer);

// The running Swift task of this thread, or NULL outside of tasks and in programs without concurrency.
void *clu_current_task(void);

// -- Any address space ----------------------------------------------------------------------------------------------

// Where the unwind table of an image is: its PT_GNU_EH_FRAME segment (.eh_frame_hdr; LSB 5.0 core, 10.6.2).
struct clu_unwind_table {
  uint64_t start;           // the addresses the image covers
  uint64_t end;
  uint64_t header_address;  // of .eh_frame_hdr
  uint64_t table_address;   // of its sorted table
  uint64_t entry_count;
};

// What an unwind reads from. `context` is handed on.
struct clu_source {
  void *context;
  // Reads one word; 0, or -1 where it cannot be read.
  int (*read_word)(void *context, uint64_t address, uint64_t *value);
  // The table of the image that covers an address; 0, or -1 where there is none.
  int (*find_table)(void *context, uint64_t address, struct clu_unwind_table *table);
};

// Why an unwind ended.
enum clu_end { clu_end_complete, clu_end_limit, clu_end_broken };

struct clu_space;  // an address space of libunwind's, with what it has learnt of its functions

// Opens libunwind-x86_64.so.8 as above. On other processors: a sentence that says so.
const char *clu_load_remote(void);
// NULL where memory is out. One thread at a time may use a space.
struct clu_space *clu_space_create(void);
void clu_space_destroy(struct clu_space *space);
// Unwinds from `registers`. Returns how many frames were stored, and why there are no more in `end`.
size_t clu_unwind(struct clu_space *space, const struct clu_source *source, const uint64_t registers[clu_register_count],
                  struct clu_frame *frames, size_t capacity, enum clu_end *end);

#endif
