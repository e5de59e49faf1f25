#include "BenchmarkFloors.h"

#include <unistd.h>

long floor_read_two_files(int first, int second, int times) {
  static char buffer[8192];
  long total = 0;
  for (int round = 0; round < times; round++) {
    total = pread(first, buffer, sizeof buffer, 0) + pread(second, buffer, sizeof buffer, 0);
  }
  return total;
}
