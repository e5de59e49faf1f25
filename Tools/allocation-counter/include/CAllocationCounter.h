// How often a thread allocates. Linking this puts counting functions before glibc's malloc, calloc, realloc and aligned
// allocations for the whole program; memory is still glibc's own.
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

// Allocations of the calling thread since it began. 0 for ever under a sanitizer, which has its own malloc.
unsigned long cac_allocations(void);

// Blocks that the calling thread has allocated, less those that it has freed. May be negative, where it frees what others
// have allocated.
long cac_outstanding_blocks(void);

#endif
