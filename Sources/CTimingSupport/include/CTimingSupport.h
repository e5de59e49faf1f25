// What a timer's hot path needs and Swift cannot say: a thread-local variable, the running task's number, and a lock
// that costs its owner two plain stores. Everything here is small enough to be read at once.
#ifndef CTIMINGSUPPORT_H
#define CTIMINGSUPPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// -- Clocks -----------------------------------------------------------------------------------------------------------

// A clock in nanoseconds. CLOCK_MONOTONIC and CLOCK_BOOTTIME are read without a system call where the vDSO has them.
static inline int64_t cts_nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// -- This thread ------------------------------------------------------------------------------------------------------

// The recorder this thread used last, and the number of the timer it belongs to. Timers are numbered from 1 on.
struct cts_thread_slot {
  uint64_t timer;
  void *recorder;
  void *recorders;  // all recorders of this thread, owned by Swift
};

// initial-exec: one load instead of a call of __tls_get_addr. The 24 bytes fit glibc's reserve for libraries that are
// loaded at run time.
extern _Thread_local struct cts_thread_slot cts_slot __attribute__((tls_model("initial-exec")));

static inline void *cts_recorder(uint64_t timer) { return cts_slot.timer == timer ? cts_slot.recorder : 0; }
static inline void cts_set_recorder(uint64_t timer, void *recorder) {
  cts_slot.timer = timer;
  cts_slot.recorder = recorder;
}
static inline void *cts_recorders(void) { return cts_slot.recorders; }
static inline void cts_set_recorders(void *recorders) { cts_slot.recorders = recorders; }

// The kernel's number of this thread. A system call.
int32_t cts_thread_id(void);

// -- This task --------------------------------------------------------------------------------------------------------

// Entry points of the Swift runtime (stdlib/public/Concurrency: Task.cpp, TaskPrivate.h). The number of a task is never
// given to another one, unlike its address.
__attribute__((swiftcall)) void *cts_runtime_current_task(void) __asm__("swift_task_getCurrent");
__attribute__((swiftcall)) uint64_t cts_runtime_task_id(void *task) __asm__("swift_task_getJobTaskId");

// The number of the running task; 0 outside of tasks.
static inline uint64_t cts_task_id(void) {
  void *task = cts_runtime_current_task();
  return task ? cts_runtime_task_id(task) : 0;
}

// -- A lock that is all but free for its owner ------------------------------------------------------------------------
//
// One thread, the owner, enters millions of times a second; a visitor comes when a report is made. The owner says that
// it is in and looks whether a visitor waits; the visitor says that it waits and looks whether the owner is in. Each
// must do the first before the second, which for the owner would take a fence (7 ns). Instead the visitor makes every
// running thread of the process pass one, with membarrier(2): an owner that was past its fence is seen to be in, one that
// was not will see the visitor. (The asymmetric form of Dekker's algorithm; see membarrier(2), "NOTES".)
// Visitors exclude each other by a lock of their own.

struct cts_owner_lock {
  int32_t owner_is_in;
  int32_t visitor_waits;
};

// Whether owners must pass a fence themselves, because there is no membarrier here.
extern int32_t cts_owners_fence;

// Whether the owner is in; false when a visitor waits: then leave at once, and take the visitors' lock instead.
static inline bool cts_owner_enter(struct cts_owner_lock *lock) {
  __atomic_store_n(&lock->owner_is_in, 1, __ATOMIC_RELAXED);
  if (__builtin_expect(__atomic_load_n(&cts_owners_fence, __ATOMIC_RELAXED), 0)) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  return __builtin_expect(!__atomic_load_n(&lock->visitor_waits, __ATOMIC_ACQUIRE), 1);
}

static inline void cts_owner_leave(struct cts_owner_lock *lock) {
  __atomic_store_n(&lock->owner_is_in, 0, __ATOMIC_RELEASE);
}

// Waits until the owner is out, and keeps it out until the end of the visit.
void cts_visit_begin(struct cts_owner_lock *lock);
void cts_visit_end(struct cts_owner_lock *lock);

// Gives the processor away while a lock is waited for: a yield at first, then short sleeps, so that a waiter of higher
// priority cannot keep the holder from running.
void cts_pause(int32_t rounds);

// -- Benchmarks -------------------------------------------------------------------------------------------------------

// Makes the compiler believe that what the pointer points at is read and changed.
static inline void cts_touch(void *pointer) { __asm__ volatile("" : : "r"(pointer) : "memory"); }

#endif
