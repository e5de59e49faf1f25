#define _GNU_SOURCE
#include "CTimingSupport.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local struct cts_thread_slot cts_slot;

int32_t cts_owners_fence = 1;

int32_t cts_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

// Only asks what there is: to register takes milliseconds in a process of several threads, and waits for the first visit.
__attribute__((constructor)) static void look_for_membarrier(void) {
  long commands = membarrier(MEMBARRIER_CMD_QUERY);
  if (commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED)) cts_owners_fence = 0;
}

static void let_owners_fence(void) {
  __atomic_store_n(&cts_owners_fence, 1, __ATOMIC_SEQ_CST);
  // Owners that read the flag before have long been through when this is over.
  usleep(10000);
}

void cts_pause(int32_t rounds) {
  if (rounds < 32) {
    sched_yield();
  } else {
    usleep(50);
  }
}

void cts_visit_begin(struct cts_owner_lock *lock) {
  __atomic_store_n(&lock->visitor_waits, 1, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&cts_owners_fence, __ATOMIC_RELAXED)) {
    // Registering is needed once for each address space, and costs nothing when it is done: a fork has a new one.
    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    // A filter of system calls that came later: no fence can be ordered any more, so owners pass their own from now on.
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) let_owners_fence();
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  for (int32_t rounds = 0; __atomic_load_n(&lock->owner_is_in, __ATOMIC_ACQUIRE); rounds++) cts_pause(rounds);
}

void cts_visit_end(struct cts_owner_lock *lock) { __atomic_store_n(&lock->visitor_waits, 0, __ATOMIC_RELEASE); }
