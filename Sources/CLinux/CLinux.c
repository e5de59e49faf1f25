#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int cl_pidfd_open(pid_t pid) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, pid, 0);
#else
  (void)pid;
  errno = ENOSYS;
  return -1;
#endif
}

// Between fork and exec: only calls that are safe after fork in any program.
static void execute_when_released(const char *const *arguments, const sigset_t *signal_mask, int gate, int report) {
  char released;
  ssize_t count;
  do {
    count = read(gate, &released, 1);
  } while (count < 0 && errno == EINTR);
  if (count != 1) _exit(127);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, signal_mask, NULL);
  execvp(arguments[0], (char *const *)arguments);
  int failure = errno;
  if (write(report, &failure, sizeof failure) < 0) _exit(126);
  _exit(127);
}

int cl_spawn_held(const char *const *arguments, const sigset_t *signal_mask, pid_t *child, int *gate, int *report) {
  int gate_ends[2], report_ends[2];
  if (pipe2(gate_ends, O_CLOEXEC) != 0) return errno;
  if (pipe2(report_ends, O_CLOEXEC) != 0) {
    int failure = errno;
    close(gate_ends[0]);
    close(gate_ends[1]);
    return failure;
  }
  pid_t pid = fork();
  int failure = errno;
  if (pid == 0) {
    // The child's copy of the gate's writing end must go, or it would never see the caller's end close.
    close(gate_ends[1]);
    execute_when_released(arguments, signal_mask, gate_ends[0], report_ends[1]);
  }
  close(gate_ends[0]);
  close(report_ends[1]);
  if (pid < 0) {
    close(gate_ends[1]);
    close(report_ends[0]);
    return failure;
  }
  *child = pid;
  *gate = gate_ends[1];
  *report = report_ends[0];
  return 0;
}

int cl_signal_is_ignored(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int cl_exit_code(int wait_status) { return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1; }
int cl_ending_signal(int wait_status) { return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0; }

ssize_t cl_read_memory(pid_t pid, uint64_t address, void *destination, size_t count) {
  struct iovec local = {destination, count}, remote = {(void *)(uintptr_t)address, count};
  ssize_t copied;
  do {
    copied = process_vm_readv(pid, &local, 1, &remote, 1, 0);
  } while (copied < 0 && errno == EINTR);
  return copied < 0 ? -errno : copied;
}

// glibc's own layout, declared here so that one binary runs on a C library with the call and on one without.
struct glibc_mallinfo2 {
  size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
extern struct glibc_mallinfo2 optional_mallinfo2(void) __asm__("mallinfo2") __attribute__((weak));
extern int optional_malloc_trim(size_t) __asm__("malloc_trim") __attribute__((weak));

int cl_allocator_figures(struct cl_allocator_figures *figures) {
  if (!optional_mallinfo2) return -1;
  struct glibc_mallinfo2 info = optional_mallinfo2();
  figures->arena_bytes = info.arena;
  figures->mapped_bytes = info.hblkhd;
  figures->allocated_bytes = info.uordblks;
  figures->free_bytes = info.fordblks;
  figures->mapped_blocks = info.hblks;
  figures->free_blocks = info.ordblks;
  return 0;
}

// Calls through pointers that might change are calls: without this, a block that is freed unused is never allocated.
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile deallocate)(void *) = free;
void *cl_allocate(size_t byte_count) { return allocate(byte_count); }
void cl_deallocate(void *block) { deallocate(block); }

int cl_release_free_memory(void) { return optional_malloc_trim ? optional_malloc_trim(0) : -1; }

int cl_getopt_long(int argc, char *const *argv, const char *short_options, const struct option *long_options,
                   int *next, const char **argument, int *offending_short_option) {
  optind = *next;
  opterr = 0;
  int found = getopt_long(argc, argv, short_options, long_options, NULL);
  *next = optind;
  *argument = optarg;
  *offending_short_option = optopt;
  return found;
}
