#include "CSwiftRuntime.h"

#include <stdlib.h>

// swift/Runtime/../Demangling: exported by libswiftCore. Flags other than 0 are refused by the runtime.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *buffer_size, uint32_t flags);

// Itanium C++ ABI, section 3.4. Weak: libswiftCore brings libstdc++ along today, and nothing promises that it will.
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status) __attribute__((weak));

char *csr_swift_demangle(const char *name, size_t length) { return swift_demangle(name, length, NULL, NULL, 0); }

char *csr_cxx_demangle(const char *name) {
  int status = 0;
  return __cxa_demangle ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}

void csr_free(char *text) { free(text); }

int csr_has_cxx_runtime(void) { return __cxa_demangle != NULL; }
