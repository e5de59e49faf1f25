#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Of the thread, so that others do not disturb a count, and in the executable's own block, so that reading it does not
// allocate.
static _Thread_local unsigned long allocations;
static _Thread_local long outstanding;
// Set while a scope is written to: what the capture of a stack allocates is not the program's.
static _Thread_local int is_noting;

unsigned long cac_allocations(void) { return allocations; }

long cac_outstanding_blocks(void) { return outstanding; }

// -- Scopes -------------------------------------------------------------------------------------------------------------

enum { scope_limit = 32 };

struct scope {
  // The thread that is counted, known by the address of a variable of its own; NULL for all threads.
  const void *thread;
  struct cac_record record;
  atomic_uint_fast64_t allocations;
  atomic_int_fast64_t live_bytes;
  atomic_int_fast64_t peak_bytes;
  atomic_uint_fast64_t recorded;
  // Threads that are writing to it now.
  atomic_int writers;
};

static struct scope scopes[scope_limit];
// Bits of the scopes that are taken, and of those that are counting.
static atomic_uint_fast32_t taken;
static atomic_uint_fast32_t counting;

int cac_open(int all_threads, const struct cac_record *record) {
  uint_fast32_t known = atomic_load(&taken);
  int index;
  do {
    for (index = 0; index < scope_limit && (known >> index & 1); index++) {
    }
    if (index == scope_limit) return -1;
  } while (!atomic_compare_exchange_weak(&taken, &known, known | (uint_fast32_t)1 << index));
  struct scope *scope = &scopes[index];
  scope->thread = all_threads ? NULL : &is_noting;
  scope->record = record ? *record : (struct cac_record){0};
  atomic_store(&scope->allocations, 0);
  atomic_store(&scope->live_bytes, 0);
  atomic_store(&scope->peak_bytes, 0);
  atomic_store(&scope->recorded, 0);
  atomic_fetch_or(&counting, (uint_fast32_t)1 << index);
  return index;
}

struct cac_figures cac_read(int index) {
  if (index < 0 || index >= scope_limit) return (struct cac_figures){0};
  struct scope *scope = &scopes[index];
  return (struct cac_figures){
      .allocations = atomic_load(&scope->allocations),
      .live_bytes = atomic_load(&scope->live_bytes),
      .peak_bytes = atomic_load(&scope->peak_bytes),
      .recorded = atomic_load(&scope->recorded),
  };
}

struct cac_figures cac_close(int index) {
  if (index < 0 || index >= scope_limit) return (struct cac_figures){0};
  uint_fast32_t bit = (uint_fast32_t)1 << index;
  atomic_fetch_and(&counting, ~bit);
  // A writer says so before it looks whether the scope still counts.
  while (atomic_load(&scopes[index].writers) > 0) sched_yield();
  struct cac_figures figures = cac_read(index);
  atomic_fetch_and(&taken, ~bit);
  return figures;
}

int cac_open_scopes(void) { return __builtin_popcountll(atomic_load(&counting)); }

#if defined(__GLIBC__) && \
    (!defined(__has_feature) || !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)))

#include <dlfcn.h>

// glibc keeps these names for programs that replace malloc (malloc/malloc.c).
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// The functions that would have served without this file: glibc's, or those of an allocator that is linked as a library.
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t, size_t);
  void (*free)(void *);
  size_t (*usable_size)(void *);
} next = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free, NULL};

static atomic_int are_found;

// The loader allocates before any constructor runs, so the first allocation looks: there is one thread then. A lookup may
// allocate in turn, which glibc serves.
static void find_next(void) {
  if (atomic_exchange(&are_found, 1)) return;
  void *found[] = {dlsym(RTLD_NEXT, "malloc"),   dlsym(RTLD_NEXT, "calloc"), dlsym(RTLD_NEXT, "realloc"),
                   dlsym(RTLD_NEXT, "memalign"), dlsym(RTLD_NEXT, "free"),   dlsym(RTLD_NEXT, "malloc_usable_size")};
  next.usable_size = (size_t (*)(void *))found[5];
  // All of them or none: a block must be freed by whom it is from.
  for (int index = 0; index < 5; index++)
    if (!found[index]) return;
  next.malloc = (void *(*)(size_t))found[0];
  next.calloc = (void *(*)(size_t, size_t))found[1];
  next.realloc = (void *(*)(void *, size_t))found[2];
  next.memalign = (void *(*)(size_t, size_t))found[3];
  next.free = (void (*)(void *))found[4];
}

#define FIND_NEXT() \
  if (__builtin_expect(!atomic_load_explicit(&are_found, memory_order_relaxed), 0)) find_next()

static int64_t usable_size(void *block) { return block && next.usable_size ? (int64_t)next.usable_size(block) : 0; }

// How many frames of this file there can be in a stack; how many there are depends on what was inlined.
enum { own_frames = 6 };

// Keeps the stack from `caller`, where the program goes on when it has its block.
static void record(struct scope *scope, size_t size, void *caller) {
  uint64_t place = atomic_fetch_add(&scope->recorded, 1);
  const struct cac_record *kept = &scope->record;
  if (place >= kept->capacity || !kept->words) return;
  uintptr_t *row = kept->words + place * (kept->depth + 2);
  size_t count = kept->capture ? kept->capture(row + 2, kept->depth, 0) : 0;
  for (size_t own = 0; own < own_frames && own < count; own++) {
    if (row[2 + own] != (uintptr_t)caller) continue;
    count -= own;
    memmove(row + 2, row + 2 + own, count * sizeof *row);
    break;
  }
  row[0] = size;
  row[1] = count;
}

// Adds to every scope that counts this thread. `size` is what was asked for. Frees have no caller: they are not counted, and
// `change` what is live.
__attribute__((noinline)) static void note(void *caller, size_t size, int64_t change) {
  if (is_noting) return;
  is_noting = 1;
  int saved = errno;
  for (uint_fast32_t rest = atomic_load(&counting); rest; rest &= rest - 1) {
    int index = __builtin_ctzll(rest);
    struct scope *scope = &scopes[index];
    atomic_fetch_add(&scope->writers, 1);
    int is_counted = (atomic_load(&counting) >> index & 1) && (!scope->thread || scope->thread == &is_noting);
    if (is_counted) {
      int64_t live = atomic_fetch_add(&scope->live_bytes, change) + change;
      int_fast64_t peak = atomic_load(&scope->peak_bytes);
      while (live > peak && !atomic_compare_exchange_weak(&scope->peak_bytes, &peak, live)) {
      }
      if (caller) {
        atomic_fetch_add(&scope->allocations, 1);
        if (scope->record.words && size >= scope->record.smallest_size) record(scope, size, caller);
      }
    }
    atomic_fetch_sub(&scope->writers, 1);
  }
  errno = saved;
  is_noting = 0;
}

#define IS_COUNTING() __builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed) != 0, 0)

static inline void *noted(void *block, size_t size, void *caller) {
  allocations++;
  outstanding++;
  if (IS_COUNTING() && block) note(caller, size, usable_size(block));
  return block;
}

// Weak: a program that brings an allocator of its own keeps it.
#define INTERPOSED __attribute__((weak))
#define CALLER() __builtin_return_address(0)

INTERPOSED void *malloc(size_t size) {
  FIND_NEXT();
  void *block = next.malloc(size);
  return noted(block, size, CALLER());
}

INTERPOSED void *calloc(size_t count, size_t size) {
  FIND_NEXT();
  void *block = next.calloc(count, size);
  return noted(block, count * size, CALLER());
}

INTERPOSED void *realloc(void *old, size_t size) {
  FIND_NEXT();
  int64_t before = IS_COUNTING() ? usable_size(old) : 0;
  void *block = next.realloc(old, size);
  allocations++;
  if (!old) outstanding++;
  if (IS_COUNTING() && block) note(CALLER(), size, usable_size(block) - before);
  return block;
}

INTERPOSED void free(void *block) {
  FIND_NEXT();
  if (block) {
    outstanding--;
    if (IS_COUNTING()) note(NULL, 0, -usable_size(block));
  }
  next.free(block);
}

INTERPOSED void *memalign(size_t alignment, size_t size) {
  FIND_NEXT();
  void *block = next.memalign(alignment, size);
  return noted(block, size, CALLER());
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
  FIND_NEXT();
  void *block = next.memalign(alignment, size);
  return noted(block, size, CALLER());
}

INTERPOSED int posix_memalign(void **block, size_t alignment, size_t size) {
  FIND_NEXT();
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  int saved = errno;
  void *found = noted(next.memalign(alignment, size), size, CALLER());
  errno = saved;
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

#endif
