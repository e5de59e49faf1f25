// Linux and glibc calls that Swift's Glibc module does not show, or shows in a form that Swift 6 cannot use.
// Every function here is thin on purpose: no policy, no state, errors as the call itself reports them.
#ifndef CLINUX_H
#define CLINUX_H

#include <elf.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

// -- Processes ------------------------------------------------------------------------------------------------------

// A descriptor that becomes readable when the process ends, or -1 with errno. The system call itself, because glibc has
// a wrapper only from 2.36 on. Kernel 5.3 and later.
int cl_pidfd_open(pid_t pid);

// Starts a child that waits before it executes `arguments[0]` (looked up in PATH), so that the caller can open whatever
// it wants to watch the child with. The child's signal mask becomes `signal_mask`, and SIGPIPE is at its default.
//   gate    write one byte to let the child execute; closing it unwritten makes the child exit
//   report  end of file once the new program is in place; an `int` errno if it could not be executed
// Returns 0, or the errno of what failed. Both descriptors are close-on-exec and the caller's to close.
int cl_spawn_held(const char *const *arguments, const sigset_t *signal_mask, pid_t *child, int *gate, int *report);

// Whether a signal is ignored by this process.
int cl_signal_is_ignored(int signal_number);

// What wait status words mean; the C macros are out of Swift's reach.
int cl_exit_code(int wait_status);    // the exit code, or -1 when a signal ended the process
int cl_ending_signal(int wait_status);  // the signal, or 0 when the process exited by itself

// Copies `count` bytes at `address` of a process to `destination` with process_vm_readv. Returns how many were copied, which
// may be fewer, or -errno.
ssize_t cl_read_memory(pid_t pid, uint64_t address, void *destination, size_t count);

// -- Threads of other processes (ptrace(2)) ---------------------------------------------------------------------------
//
// All calls about one thread must come from the same thread of this process. The target runs on when that thread ends, however
// it ends. 0, or an errno.

int cl_trace_seize(pid_t thread);      // PTRACE_SEIZE: stops nothing yet
int cl_trace_interrupt(pid_t thread);  // PTRACE_INTERRUPT
int cl_trace_detach(pid_t thread, int signal);  // PTRACE_DETACH: it runs on, and receives `signal` if that is not 0

// What has become of a thread that was interrupted, without waiting.
enum cl_trace_state { cl_trace_running, cl_trace_stopped, cl_trace_gone };
// `signal` is the one it was about to receive, which detaching must hand on; 0 for a stop of our own making and for a
// process that is stopped anyway. The end of a thread is taken notice of only with `reap`: the end of a child of this process is
// its parent's to hear of.
enum cl_trace_state cl_trace_poll(pid_t thread, int reap, int *signal);

// The registers of a stopped thread in the order of its DWARF numbers, and the number of the system call it is in, or -1.
// x86-64; ENOSYS elsewhere.
int cl_trace_registers(pid_t thread, uint64_t registers[17], int64_t *system_call);

// The call by which the kernel goes on with one that a stop has interrupted (restart_syscall(2)).
extern const int64_t cl_restart_system_call;

// The name of a system call that a thread can be seen waiting in; NULL for others.
const char *cl_system_call_name(int64_t number);

// How often images have been loaded into or unloaded from this process: the same number, the same images.
uint64_t cl_image_generation(void);

// -- The allocator --------------------------------------------------------------------------------------------------

// The fields of glibc's `struct mallinfo2` that still mean something (malloc/malloc.c, `int_mallinfo`).
struct cl_allocator_figures {
  size_t arena_bytes;       // arena: obtained with brk or as thread arenas
  size_t mapped_bytes;      // hblkhd: in blocks with a mapping of their own
  size_t allocated_bytes;   // uordblks: handed out within the arenas
  size_t free_bytes;        // fordblks: free within the arenas
  size_t mapped_blocks;     // hblks
  size_t free_blocks;       // ordblks
};

// Fills `figures`; 0, or -1 where the C library has no mallinfo2 (glibc before 2.33, musl).
int cl_allocator_figures(struct cl_allocator_figures *figures);

// malloc and free, which an optimizer must not pair up and leave out: to see whether a block shows in the figures above.
void *cl_allocate(size_t byte_count);
void cl_deallocate(void *block);

// malloc_trim(0): 1 when memory went back to the system, 0 when none could, -1 where the C library has no such call.
int cl_release_free_memory(void);

// -- Options ----------------------------------------------------------------------------------------------------------

// One step of getopt_long, with its global variables handed over as parameters. `+` is implied: the first argument that
// is no option ends them. Set *next to 0 to start over.
int cl_getopt_long(int argc, char *const *argv, const char *short_options, const struct option *long_options,
                   int *next, const char **argument, int *offending_short_option);

#endif
