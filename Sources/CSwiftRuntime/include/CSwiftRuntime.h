// Entry points of the Swift and C++ runtimes that no Swift module shows. Declarations, and shims where a symbol may be
// absent from a program; no policy and no state.
#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stddef.h>
#include <stdint.h>

// Demangles a Swift symbol of `length` bytes: `$s`, `$S`, `$e`, with or without an underscore, and `@__swiftmacro_`.
// Other text comes back as NULL, `_T` names come back as they are. The result is the caller's to free.
// Recurses as deep as the name nests: bound the length.
char *csr_swift_demangle(const char *name, size_t length);

// Demangles an Itanium C++ name that ends in a NUL. NULL where it does not demangle, or where the program has no C++
// runtime. The result is the caller's to free.
char *csr_cxx_demangle(const char *name);

// Frees what the two above have returned.
void csr_free(char *text);

// Whether the program has a C++ runtime.
int csr_has_cxx_runtime(void);

#endif
