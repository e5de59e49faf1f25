// An allocator that is not glibc's: a bump pointer that reuses nothing. Compiled by the tests under the name of a known one.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *next, *end;
static int lock;

static void *take(size_t size, size_t alignment) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
  }
  if (alignment < 16) alignment = 16;
  uintptr_t place = ((uintptr_t)next + 16 + alignment - 1) & ~(alignment - 1);
  if (!next || place + size > (uintptr_t)end) {
    size_t chunk = size + alignment + (64 << 20);
    next = mmap(0, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end = next + chunk;
    place = ((uintptr_t)next + 16 + alignment - 1) & ~(alignment - 1);
  }
  next = (char *)((place + size + 15) & ~15ul);
  ((size_t *)place)[-1] = size;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return (void *)place;
}

void *malloc(size_t size) { return take(size, 16); }
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return take(count * size, 16); }
size_t malloc_usable_size(void *block) { return block ? ((size_t *)block)[-1] : 0; }
void *realloc(void *block, size_t size) {
  void *moved = take(size, 16);
  size_t old = malloc_usable_size(block);
  if (block) memcpy(moved, block, old < size ? old : size);
  return moved;
}
void *aligned_alloc(size_t alignment, size_t size) { return take(size, alignment); }
void *memalign(size_t alignment, size_t size) { return take(size, alignment); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = take(size, alignment);
  return 0;
}
