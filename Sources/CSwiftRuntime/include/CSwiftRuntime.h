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

// -- Types (swift/Runtime/Metadata.h, stdlib/public/runtime/ReflectionMirror.cpp) ---------------------------------------

// The stored fields of a struct, class (inherited ones first) or tuple. The name is NULL where there is none.
struct csr_field {
  const void *type;
  const char *name;
  intptr_t offset;
  int is_strong;
  int is_var;
  // Frees `name` where it is not NULL.
  void (*free_name)(const char *);
};

intptr_t csr_field_count(const void *type);
void csr_field(const void *type, intptr_t index, struct csr_field *field);

// The type of a mangled name with symbolic references, or NULL where it does not resolve. `context` is the descriptor of
// the type that the name was found in and `arguments` its generic arguments; both may be NULL.
const void *csr_type_by_mangled_name(const char *name, size_t length, const void *context, const void *const *arguments);

// Value witnesses for enums: the number of the case of the value at `value`, and taking its payload out in place, after
// which the memory at `value` holds the payload alone.
unsigned csr_enum_tag(const void *type, const void *value);
void csr_project_enum_data(const void *type, void *value);

// Where the value inside a box of `any Error` is, and of which type it is.
void csr_error_value(const void *box, const void **value, const void **type);

// -- References (swift/Runtime/HeapObject.h) ----------------------------------------------------------------------------

void csr_retain(const void *object);
void csr_release(const void *object);
// Takes a strong reference to what an `unowned` reference refers to; 0, and no reference, where that is deinitialising or
// gone.
int csr_try_retain(const void *object);
// The object that the weak reference at `reference` refers to, retained, or NULL.
const void *csr_weak_load_strong(const void *reference);
// Makes `reference`, a word of the caller's, a weak reference to an object; and ends one that was so made.
void csr_weak_init(void *reference, const void *object);
void csr_weak_destroy(void *reference);
// Strong references to an object, the caller's own among them.
size_t csr_retain_count(const void *object);
// Bytes that the allocator has set aside for a block; `block` must be what malloc returned.
size_t csr_usable_size(const void *block);

#endif
