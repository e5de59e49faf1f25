// How often, and how much, a program allocates. Linking this puts counting functions before the program's own malloc, calloc,
// realloc, free and aligned allocations; memory still comes from whoever would have served it.
//
// glibc only, and not under a sanitizer, which has a malloc of its own: there every figure stays 0. A program that defines
// malloc itself keeps its own, and figures stay 0 too. Whoever relies on a figure first counts something known.
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stddef.h>
#include <stdint.h>

// -- Always counted, of the calling thread ------------------------------------------------------------------------------

// Allocations of the calling thread since it began.
unsigned long cac_allocations(void);

// Blocks that the calling thread has allocated, less those that it has freed. May be negative, where it frees what others
// have allocated.
long cac_outstanding_blocks(void);

// -- Scopes: what happens between two moments ---------------------------------------------------------------------------

// Where a scope keeps the allocations it records. Each takes `2 + depth` words of `words`: its size, how many addresses
// there are, and the addresses that the calls return to, the innermost first.
struct cac_record {
  uintptr_t *words;
  size_t capacity;       // records there is room for; later ones are counted and not kept
  size_t depth;          // addresses a record
  size_t smallest_size;  // smaller requests are not recorded, in bytes
  // Stores the addresses of its callers, without `skip` frames, and must not allocate by malloc.
  size_t (*capture)(uintptr_t *addresses, size_t capacity, size_t skip);
};

struct cac_figures {
  uint64_t allocations;
  int64_t live_bytes;  // handed out in the scope, less what was freed in it (malloc_usable_size)
  int64_t peak_bytes;  // the largest that `live_bytes` has been; 0 at the least
  uint64_t recorded;   // allocations that were large enough to be recorded, whether or not there was room
};

// Opens a scope over the calling thread, or over all threads. `record` may be NULL; it is copied, and its words must stay
// until the scope is closed. Returns the scope, or -1 where 32 are open. Never allocates.
int cac_open(int all_threads, const struct cac_record *record);

// What has happened since the scope was opened.
struct cac_figures cac_read(int scope);

// Closes a scope. When it returns, no thread writes to its record any more.
struct cac_figures cac_close(int scope);

// Scopes that are open now.
int cac_open_scopes(void);

#endif
