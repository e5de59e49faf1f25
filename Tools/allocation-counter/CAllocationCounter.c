#include "CAllocationCounter.h"

#include <errno.h>
#include <stddef.h>

// Of the thread, so that others do not disturb a count, and in the executable's own block, so that reading it does not
// allocate.
static _Thread_local unsigned long allocations;
static _Thread_local long outstanding;

unsigned long cac_allocations(void) { return allocations; }

long cac_outstanding_blocks(void) { return outstanding; }

#if !defined(__has_feature) || !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))

// glibc keeps these names for programs that replace malloc (malloc/malloc.c).
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  allocations++;
  outstanding++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  outstanding++;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocations++;
  if (!block) outstanding++;
  return __libc_realloc(block, size);
}

void free(void *block) {
  if (block) outstanding--;
  __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  outstanding++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  allocations++;
  outstanding++;
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

#endif
