#define _GNU_SOURCE
#include "BenchmarkFloors.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

long floor_copy_memory(int pid, unsigned long address, long count) {
  static char *buffer;
  const size_t size = 1 << 20;
  if (!buffer) buffer = malloc(size);
  long total = 0;
  while (total < count) {
    struct iovec local = {buffer, size}, remote = {(void *)(address + total), size};
    if ((size_t)(count - total) < size) local.iov_len = remote.iov_len = count - total;
    ssize_t copied = process_vm_readv(pid, &local, 1, &remote, 1, 0);
    if (copied <= 0) break;
    total += copied;
  }
  return total;
}

long floor_read_two_files(int first, int second, int times) {
  static char buffer[8192];
  long total = 0;
  for (int round = 0; round < times; round++) {
    total = pread(first, buffer, sizeof buffer, 0) + pread(second, buffer, sizeof buffer, 0);
  }
  return total;
}

long floor_read_clock_twice(int clock, int times) {
  long total = 0;
  struct timespec first, second;
  for (int i = 0; i < times; i++) {
    clock_gettime(clock, &first);
    clock_gettime(clock, &second);
    total += (second.tv_sec - first.tv_sec) * 1000000000 + second.tv_nsec - first.tv_nsec;
  }
  return total;
}
