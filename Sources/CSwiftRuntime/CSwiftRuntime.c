#include "CSwiftRuntime.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

#define SWIFT_CALL __attribute__((swiftcall))

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

// stdlib/public/runtime/ReflectionMirror.cpp: what the standard library's `_forEachField` calls.
struct field_reflection {
  const char *name;
  SWIFT_CALL void (*free_name)(const char *);
  bool is_strong;
  bool is_var;
};

extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveCount(const void *type);
extern SWIFT_CALL const void *swift_reflectionMirror_recursiveChildMetadata(const void *type, intptr_t index,
                                                                            struct field_reflection *field);
extern SWIFT_CALL intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index);

intptr_t csr_field_count(const void *type) { return swift_reflectionMirror_recursiveCount(type); }

void csr_field(const void *type, intptr_t index, struct csr_field *field) {
  struct field_reflection found = {0};
  field->type = swift_reflectionMirror_recursiveChildMetadata(type, index, &found);
  field->offset = swift_reflectionMirror_recursiveChildOffset(type, index);
  field->name = found.name;
  field->is_strong = found.is_strong;
  field->is_var = found.is_var;
  // One argument in a register: the same call in C's convention and in Swift's.
  field->free_name = (void (*)(const char *))(void *)found.free_name;
}

extern SWIFT_CALL const void *swift_getTypeByMangledNameInContext(const char *name, size_t length, const void *context,
                                                                  const void *const *arguments);

const void *csr_type_by_mangled_name(const char *name, size_t length, const void *context,
                                     const void *const *arguments) {
  return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}

// swift/ABI/ValueWitness.def: eight functions, four words of layout, then the three for enums.
struct enum_witnesses {
  void *functions[8];
  size_t size;
  size_t stride;
  uint32_t flags;
  uint32_t extra_inhabitants;
  SWIFT_CALL unsigned (*get_tag)(const void *value, const void *type);
  SWIFT_CALL void (*project_data)(void *value, const void *type);
};

static const struct enum_witnesses *witnesses(const void *type) {
  return ((const struct enum_witnesses *const *)type)[-1];
}

unsigned csr_enum_tag(const void *type, const void *value) { return witnesses(type)->get_tag(value, type); }

void csr_project_enum_data(const void *type, void *value) { witnesses(type)->project_data(value, type); }

// stdlib/public/runtime/ErrorObject.h
struct error_value {
  const void *value;
  const void *type;
  const void *witness;
};
extern void swift_getErrorValue(const void *box, void **scratch, struct error_value *result);

void csr_error_value(const void *box, const void **value, const void **type) {
  struct error_value result = {0};
  void *scratch = NULL;
  swift_getErrorValue(box, &scratch, &result);
  *value = result.value;
  *type = result.type;
}

extern void *swift_retain(void *object);
extern void swift_release(void *object);
extern void *swift_tryRetain(void *object);
extern void *swift_weakLoadStrong(void *reference);

extern void *swift_weakInit(void *reference, void *object);
extern void swift_weakDestroy(void *reference);
extern size_t swift_retainCount(void *object);

void csr_weak_init(void *reference, const void *object) { swift_weakInit(reference, (void *)object); }
void csr_weak_destroy(void *reference) { swift_weakDestroy(reference); }
size_t csr_retain_count(const void *object) { return swift_retainCount((void *)object); }

void csr_retain(const void *object) { swift_retain((void *)object); }
void csr_release(const void *object) { swift_release((void *)object); }
int csr_try_retain(const void *object) { return swift_tryRetain((void *)object) != NULL; }
const void *csr_weak_load_strong(const void *reference) { return swift_weakLoadStrong((void *)reference); }
size_t csr_usable_size(const void *block) { return malloc_usable_size((void *)block); }
