// What the benchmarks compare with: the same work in C, with nothing around it.
#ifndef BENCHMARK_FLOORS_H
#define BENCHMARK_FLOORS_H

// Reads two open files from their start, `times` times, and returns the bytes read the last time.
long floor_read_two_files(int first, int second, int times);

// Reads a clock twice, `times` times, and returns the nanoseconds between the two reads, added up.
long floor_read_clock_twice(int clock, int times);

// Copies `count` bytes of a process, a MiB at a time into the same place; how many were copied.
long floor_copy_memory(int pid, unsigned long address, long count);

#endif
