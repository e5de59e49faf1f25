// A thread whose blocks need several heaps of its arena, the end of the first of them free, and a main heap that grows behind
// memory somebody else took from the break. Prints how many bytes are in use, and sleeps.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static size_t live;

static void allocate(int count, char **blocks) {
  for (int index = 0; index < count; index++) {
    char *block = malloc(100000);
    if (!block) exit(1);
    live += malloc_usable_size(block);
    if (blocks) blocks[index] = block;
  }
}

static void *on_thread(void *unused) {
  static char *blocks[1500];
  allocate(1500, blocks);
  int last = 30;
  while (last + 1 < 1500 && blocks[last + 1] - blocks[last] == blocks[1] - blocks[0]) last++;
  for (int index = last - 29; index <= last; index++) {
    live -= malloc_usable_size(blocks[index]);
    free(blocks[index]);
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, on_thread, NULL) || pthread_join(thread, NULL)) return 1;
  allocate(5, NULL);
  if (argc > 1) {
    if (sbrk(8192) == (void *)-1) return 1;
    allocate(5, NULL);
  }
  printf("%zu\n", live);
  fflush(stdout);
  while (1) sleep(1000);
}
