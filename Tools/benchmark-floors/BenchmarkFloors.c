#include "BenchmarkFloors.h"

#include <time.h>
#include <unistd.h>

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
