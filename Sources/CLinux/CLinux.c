#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
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

static int trace(int request, pid_t thread, uintptr_t address, uintptr_t data) {
  return ptrace(request, thread, (void *)address, (void *)data) == -1 ? errno : 0;
}

int cl_trace_seize(pid_t thread) { return trace(PTRACE_SEIZE, thread, 0, 0); }
int cl_trace_interrupt(pid_t thread) { return trace(PTRACE_INTERRUPT, thread, 0, 0); }
int cl_trace_detach(pid_t thread, int signal) { return trace(PTRACE_DETACH, thread, 0, (uintptr_t)signal); }

enum cl_trace_state cl_trace_poll(pid_t thread, int reap, int *signal) {
  siginfo_t information;
  int flags = WSTOPPED | WNOHANG | __WALL | (reap ? WEXITED : 0);
  int answer;
  information.si_pid = 0;
  do {
    answer = waitid(P_PID, (id_t)thread, &information, flags);
  } while (answer != 0 && errno == EINTR);
  *signal = 0;
  if (answer != 0) return cl_trace_gone;
  if (information.si_pid == 0) return cl_trace_running;
  if (information.si_code != CLD_TRAPPED && information.si_code != CLD_STOPPED) return cl_trace_gone;
  // si_status is the signal, with PTRACE_EVENT_STOP above it where no signal is on its way.
  if (information.si_status >> 8 == 0) *signal = information.si_status & 0x7F;
  return cl_trace_stopped;
}

int cl_trace_registers(pid_t thread, uint64_t registers[17], int64_t *system_call) {
#ifdef __x86_64__
  struct user_regs_struct found;
  struct iovec area = {&found, sizeof found};
  if (ptrace(PTRACE_GETREGSET, thread, (void *)(uintptr_t)NT_PRSTATUS, &area) != 0) return errno;
  if (area.iov_len != sizeof found) return ENOTSUP;  // a 32-bit program has fewer
  const uint64_t ordered[17] = {found.rax, found.rdx, found.rcx, found.rbx, found.rsi, found.rdi,
                                found.rbp, found.rsp, found.r8,  found.r9,  found.r10, found.r11,
                                found.r12, found.r13, found.r14, found.r15, found.rip};
  memcpy(registers, ordered, sizeof ordered);
  *system_call = (int64_t)found.orig_rax;
  return 0;
#else
  (void)thread;
  (void)registers;
  (void)system_call;
  return ENOSYS;
#endif
}

const int64_t cl_restart_system_call = SYS_restart_syscall;

const char *cl_system_call_name(int64_t number) {
  switch (number) {
#ifdef SYS_read
    case SYS_read: return "read";
#endif
#ifdef SYS_write
    case SYS_write: return "write";
#endif
#ifdef SYS_open
    case SYS_open: return "open";
#endif
#ifdef SYS_close
    case SYS_close: return "close";
#endif
#ifdef SYS_poll
    case SYS_poll: return "poll";
#endif
#ifdef SYS_lseek
    case SYS_lseek: return "lseek";
#endif
#ifdef SYS_mmap
    case SYS_mmap: return "mmap";
#endif
#ifdef SYS_munmap
    case SYS_munmap: return "munmap";
#endif
#ifdef SYS_brk
    case SYS_brk: return "brk";
#endif
#ifdef SYS_ioctl
    case SYS_ioctl: return "ioctl";
#endif
#ifdef SYS_pread64
    case SYS_pread64: return "pread64";
#endif
#ifdef SYS_pwrite64
    case SYS_pwrite64: return "pwrite64";
#endif
#ifdef SYS_readv
    case SYS_readv: return "readv";
#endif
#ifdef SYS_writev
    case SYS_writev: return "writev";
#endif
#ifdef SYS_select
    case SYS_select: return "select";
#endif
#ifdef SYS_sched_yield
    case SYS_sched_yield: return "sched_yield";
#endif
#ifdef SYS_msync
    case SYS_msync: return "msync";
#endif
#ifdef SYS_nanosleep
    case SYS_nanosleep: return "nanosleep";
#endif
#ifdef SYS_pause
    case SYS_pause: return "pause";
#endif
#ifdef SYS_sendfile
    case SYS_sendfile: return "sendfile";
#endif
#ifdef SYS_connect
    case SYS_connect: return "connect";
#endif
#ifdef SYS_accept
    case SYS_accept: return "accept";
#endif
#ifdef SYS_sendto
    case SYS_sendto: return "sendto";
#endif
#ifdef SYS_recvfrom
    case SYS_recvfrom: return "recvfrom";
#endif
#ifdef SYS_sendmsg
    case SYS_sendmsg: return "sendmsg";
#endif
#ifdef SYS_recvmsg
    case SYS_recvmsg: return "recvmsg";
#endif
#ifdef SYS_wait4
    case SYS_wait4: return "wait4";
#endif
#ifdef SYS_fcntl
    case SYS_fcntl: return "fcntl";
#endif
#ifdef SYS_flock
    case SYS_flock: return "flock";
#endif
#ifdef SYS_fsync
    case SYS_fsync: return "fsync";
#endif
#ifdef SYS_fdatasync
    case SYS_fdatasync: return "fdatasync";
#endif
#ifdef SYS_futex
    case SYS_futex: return "futex";
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait: return "epoll_wait";
#endif
#ifdef SYS_epoll_pwait
    case SYS_epoll_pwait: return "epoll_pwait";
#endif
#ifdef SYS_epoll_pwait2
    case SYS_epoll_pwait2: return "epoll_pwait2";
#endif
#ifdef SYS_waitid
    case SYS_waitid: return "waitid";
#endif
#ifdef SYS_ppoll
    case SYS_ppoll: return "ppoll";
#endif
#ifdef SYS_pselect6
    case SYS_pselect6: return "pselect6";
#endif
#ifdef SYS_clock_nanosleep
    case SYS_clock_nanosleep: return "clock_nanosleep";
#endif
#ifdef SYS_rt_sigtimedwait
    case SYS_rt_sigtimedwait: return "rt_sigtimedwait";
#endif
#ifdef SYS_rt_sigsuspend
    case SYS_rt_sigsuspend: return "rt_sigsuspend";
#endif
#ifdef SYS_signalfd4
    case SYS_signalfd4: return "signalfd4";
#endif
#ifdef SYS_accept4
    case SYS_accept4: return "accept4";
#endif
#ifdef SYS_recvmmsg
    case SYS_recvmmsg: return "recvmmsg";
#endif
#ifdef SYS_sendmmsg
    case SYS_sendmmsg: return "sendmmsg";
#endif
#ifdef SYS_preadv
    case SYS_preadv: return "preadv";
#endif
#ifdef SYS_pwritev
    case SYS_pwritev: return "pwritev";
#endif
#ifdef SYS_preadv2
    case SYS_preadv2: return "preadv2";
#endif
#ifdef SYS_pwritev2
    case SYS_pwritev2: return "pwritev2";
#endif
#ifdef SYS_msgrcv
    case SYS_msgrcv: return "msgrcv";
#endif
#ifdef SYS_msgsnd
    case SYS_msgsnd: return "msgsnd";
#endif
#ifdef SYS_semop
    case SYS_semop: return "semop";
#endif
#ifdef SYS_semtimedop
    case SYS_semtimedop: return "semtimedop";
#endif
#ifdef SYS_mq_timedreceive
    case SYS_mq_timedreceive: return "mq_timedreceive";
#endif
#ifdef SYS_mq_timedsend
    case SYS_mq_timedsend: return "mq_timedsend";
#endif
#ifdef SYS_io_getevents
    case SYS_io_getevents: return "io_getevents";
#endif
#ifdef SYS_io_pgetevents
    case SYS_io_pgetevents: return "io_pgetevents";
#endif
#ifdef SYS_io_uring_enter
    case SYS_io_uring_enter: return "io_uring_enter";
#endif
#ifdef SYS_openat
    case SYS_openat: return "openat";
#endif
#ifdef SYS_newfstatat
    case SYS_newfstatat: return "newfstatat";
#endif
#ifdef SYS_stat
    case SYS_stat: return "stat";
#endif
#ifdef SYS_unlink
    case SYS_unlink: return "unlink";
#endif
#ifdef SYS_rename
    case SYS_rename: return "rename";
#endif
#ifdef SYS_mkdir
    case SYS_mkdir: return "mkdir";
#endif
#ifdef SYS_getdents64
    case SYS_getdents64: return "getdents64";
#endif
#ifdef SYS_madvise
    case SYS_madvise: return "madvise";
#endif
#ifdef SYS_mprotect
    case SYS_mprotect: return "mprotect";
#endif
#ifdef SYS_mremap
    case SYS_mremap: return "mremap";
#endif
#ifdef SYS_exit
    case SYS_exit: return "exit";
#endif
#ifdef SYS_exit_group
    case SYS_exit_group: return "exit_group";
#endif
#ifdef SYS_clone
    case SYS_clone: return "clone";
#endif
#ifdef SYS_clone3
    case SYS_clone3: return "clone3";
#endif
#ifdef SYS_fork
    case SYS_fork: return "fork";
#endif
#ifdef SYS_vfork
    case SYS_vfork: return "vfork";
#endif
#ifdef SYS_execve
    case SYS_execve: return "execve";
#endif
#ifdef SYS_splice
    case SYS_splice: return "splice";
#endif
#ifdef SYS_tee
    case SYS_tee: return "tee";
#endif
#ifdef SYS_copy_file_range
    case SYS_copy_file_range: return "copy_file_range";
#endif
#ifdef SYS_sync
    case SYS_sync: return "sync";
#endif
#ifdef SYS_syncfs
    case SYS_syncfs: return "syncfs";
#endif
#ifdef SYS_fallocate
    case SYS_fallocate: return "fallocate";
#endif
#ifdef SYS_ftruncate
    case SYS_ftruncate: return "ftruncate";
#endif
#ifdef SYS_getrandom
    case SYS_getrandom: return "getrandom";
#endif
#ifdef SYS_process_vm_readv
    case SYS_process_vm_readv: return "process_vm_readv";
#endif
#ifdef SYS_tgkill
    case SYS_tgkill: return "tgkill";
#endif
#ifdef SYS_membarrier
    case SYS_membarrier: return "membarrier";
#endif
#ifdef SYS_futex_waitv
    case SYS_futex_waitv: return "futex_waitv";
#endif
#ifdef SYS_futex_wait
    case SYS_futex_wait: return "futex_wait";
#endif
#ifdef SYS_userfaultfd
    case SYS_userfaultfd: return "userfaultfd";
#endif
#ifdef SYS_inotify_add_watch
    case SYS_inotify_add_watch: return "inotify_add_watch";
#endif
    default: return NULL;
  }
}

static int take_generation(struct dl_phdr_info *information, size_t size, void *sum) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof information->dlpi_subs) {
    *(uint64_t *)sum = information->dlpi_adds + information->dlpi_subs;
  }
  return 1;  // the first says it for all
}

uint64_t cl_image_generation(void) {
  uint64_t sum = 0;
  dl_iterate_phdr(take_generation, &sum);
  return sum;
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
