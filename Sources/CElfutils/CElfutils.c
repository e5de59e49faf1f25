#include "CElfutils.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Values of libelf.h and libdw.h.
enum { elf_c_read = 1, elf_k_elf = 3, ev_current = 1, dwarf_c_read = 0 };

typedef struct Dwarf_Files_s Dwarf_Files;

// library, result, name, parameters
#define ENTRY_POINTS(CALL)                                                                                             \
  CALL(elf, unsigned int, elf_version, (unsigned int))                                                                 \
  CALL(elf, Elf *, elf_begin, (int, int, Elf *))                                                                       \
  CALL(elf, Elf *, elf_memory, (char *, size_t))                                                                       \
  CALL(elf, int, elf_kind, (Elf *))                                                                                    \
  CALL(elf, int, elf_end, (Elf *))                                                                                     \
  CALL(elf, int, elf_errno, (void))                                                                                    \
  CALL(elf, const char *, elf_errmsg, (int))                                                                           \
  CALL(elf, Elf_Scn *, elf_nextscn, (Elf *, Elf_Scn *))                                                                \
  CALL(elf, int, elf_getshdrstrndx, (Elf *, size_t *))                                                                 \
  CALL(elf, char *, elf_strptr, (Elf *, size_t, size_t))                                                               \
  CALL(elf, CE_Data *, elf_getdata, (Elf_Scn *, CE_Data *))                                                            \
  CALL(elf, Elf64_Shdr *, gelf_getshdr, (Elf_Scn *, Elf64_Shdr *))                                                     \
  CALL(elf, Elf64_Ehdr *, gelf_getehdr, (Elf *, Elf64_Ehdr *))                                                         \
  CALL(elf, Elf64_Sym *, gelf_getsym, (CE_Data *, int, Elf64_Sym *))                                                   \
  CALL(elf, int, elf_getphdrnum, (Elf *, size_t *))                                                                    \
  CALL(elf, Elf64_Phdr *, gelf_getphdr, (Elf *, int, Elf64_Phdr *))                                                    \
  CALL(dw, ptrdiff_t, dwelf_elf_gnu_build_id, (Elf *, const void **))                                                    \
  CALL(dw, const char *, dwelf_elf_gnu_debuglink, (Elf *, uint32_t *))                                                 \
  CALL(dw, Dwarf *, dwarf_begin_elf, (Elf *, int, Elf_Scn *))                                                          \
  CALL(dw, int, dwarf_end, (Dwarf *))                                                                                  \
  CALL(dw, int, dwarf_nextcu, (Dwarf *, uint64_t, uint64_t *, size_t *, uint64_t *, uint8_t *, uint8_t *))             \
  CALL(dw, CE_Die *, dwarf_offdie, (Dwarf *, uint64_t, CE_Die *))                                                      \
  CALL(dw, uint64_t, dwarf_dieoffset, (CE_Die *))                                                                      \
  CALL(dw, int, dwarf_tag, (CE_Die *))                                                                                 \
  CALL(dw, int, dwarf_child, (CE_Die *, CE_Die *))                                                                     \
  CALL(dw, int, dwarf_siblingof, (CE_Die *, CE_Die *))                                                                 \
  CALL(dw, ptrdiff_t, dwarf_ranges, (CE_Die *, ptrdiff_t, uint64_t *, uint64_t *, uint64_t *))                         \
  CALL(dw, int, dwarf_haspc, (CE_Die *, uint64_t))                                                                     \
  CALL(dw, const char *, dwarf_diename, (CE_Die *))                                                                    \
  CALL(dw, CE_Attribute *, dwarf_attr, (CE_Die *, unsigned int, CE_Attribute *))                                       \
  CALL(dw, CE_Attribute *, dwarf_attr_integrate, (CE_Die *, unsigned int, CE_Attribute *))                             \
  CALL(dw, const char *, dwarf_formstring, (CE_Attribute *))                                                           \
  CALL(dw, int, dwarf_formudata, (CE_Attribute *, uint64_t *))                                                         \
  CALL(dw, Dwarf_Line *, dwarf_getsrc_die, (CE_Die *, uint64_t))                                                       \
  CALL(dw, const char *, dwarf_linesrc, (Dwarf_Line *, uint64_t *, uint64_t *))                                        \
  CALL(dw, int, dwarf_lineno, (Dwarf_Line *, int *))                                                                   \
  CALL(dw, int, dwarf_linecol, (Dwarf_Line *, int *))                                                                  \
  CALL(dw, int, dwarf_getsrcfiles, (CE_Die *, Dwarf_Files **, size_t *))                                               \
  CALL(dw, const char *, dwarf_filesrc, (Dwarf_Files *, size_t, uint64_t *, uint64_t *))

static struct {
#define DECLARE(library, result, name, parameters) result(*name) parameters;
  ENTRY_POINTS(DECLARE)
#undef DECLARE
} table;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];
static int is_loaded;

static void *open_library(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *sentence = dlerror();
    snprintf(problem, sizeof problem, "%s", sentence ? sentence : name);
  }
  return library;
}

static void load(void) {
  void *elf = open_library("libelf.so.1");
  void *dw = elf ? open_library("libdw.so.1") : NULL;
  if (!dw) return;
#define RESOLVE(library, result, name, parameters)                                                                     \
  if (!(table.name = (result(*) parameters)dlsym(library, #name))) {                                                   \
    snprintf(problem, sizeof problem, "lib%s.so.1 has no %s", #library, #name);                                        \
    return;                                                                                                            \
  }
  ENTRY_POINTS(RESOLVE)
#undef RESOLVE
  if (table.elf_version(ev_current) == 0) {
    snprintf(problem, sizeof problem, "libelf.so.1 does not know version %d of ELF", ev_current);
    return;
  }
  is_loaded = 1;
}

const char *ce_load(void) {
  pthread_once(&once, load);
  return is_loaded ? NULL : problem;
}

const char *ce_elf_error(void) {
  const char *sentence = table.elf_errmsg(table.elf_errno());
  return sentence ? sentence : "not readable as ELF";
}

Elf *ce_elf_open(int descriptor) { return table.elf_begin(descriptor, elf_c_read, NULL); }
Elf *ce_elf_memory(char *image, size_t size) { return table.elf_memory(image, size); }
int ce_elf_is_elf(Elf *elf) { return table.elf_kind(elf) == elf_k_elf; }
int ce_elf_end(Elf *elf) { return table.elf_end(elf); }
Elf_Scn *ce_elf_nextscn(Elf *elf, Elf_Scn *section) { return table.elf_nextscn(elf, section); }
int ce_gelf_getshdr(Elf_Scn *section, Elf64_Shdr *header) { return table.gelf_getshdr(section, header) ? 0 : -1; }
int ce_gelf_getehdr(Elf *elf, Elf64_Ehdr *header) { return table.gelf_getehdr(elf, header) ? 0 : -1; }

const char *ce_elf_section_name(Elf *elf, const Elf64_Shdr *header) {
  size_t names;
  return table.elf_getshdrstrndx(elf, &names) == 0 ? table.elf_strptr(elf, names, header->sh_name) : NULL;
}

const char *ce_elf_strptr(Elf *elf, size_t section, size_t offset) { return table.elf_strptr(elf, section, offset); }
CE_Data *ce_elf_getdata(Elf_Scn *section) { return table.elf_getdata(section, NULL); }
int ce_gelf_getsym(CE_Data *data, int index, Elf64_Sym *symbol) {
  return table.gelf_getsym(data, index, symbol) ? 0 : -1;
}
int ce_elf_getphdrnum(Elf *elf, size_t *count) { return table.elf_getphdrnum(elf, count); }
int ce_gelf_getphdr(Elf *elf, int index, Elf64_Phdr *header) { return table.gelf_getphdr(elf, index, header) ? 0 : -1; }
ptrdiff_t ce_build_id(Elf *elf, const void **bytes) { return table.dwelf_elf_gnu_build_id(elf, bytes); }
const char *ce_debuglink(Elf *elf, uint32_t *crc) { return table.dwelf_elf_gnu_debuglink(elf, crc); }

Dwarf *ce_dwarf_begin(Elf *elf) { return table.dwarf_begin_elf(elf, dwarf_c_read, NULL); }
void ce_dwarf_end(Dwarf *dwarf) { table.dwarf_end(dwarf); }

int ce_dwarf_nextcu(Dwarf *dwarf, uint64_t offset, uint64_t *next, uint64_t *first_entry) {
  size_t header_size;
  int answer = table.dwarf_nextcu(dwarf, offset, next, &header_size, NULL, NULL, NULL);
  if (answer == 0) *first_entry = offset + header_size;
  return answer;
}

int ce_dwarf_offdie(Dwarf *dwarf, uint64_t offset, CE_Die *result) {
  return table.dwarf_offdie(dwarf, offset, result) ? 0 : -1;
}
uint64_t ce_dwarf_dieoffset(CE_Die *die) { return table.dwarf_dieoffset(die); }
int ce_dwarf_tag(CE_Die *die) { return table.dwarf_tag(die); }
int ce_dwarf_child(CE_Die *die, CE_Die *result) { return table.dwarf_child(die, result); }
int ce_dwarf_next(CE_Die *die) { return table.dwarf_siblingof(die, die); }
ptrdiff_t ce_dwarf_ranges(CE_Die *die, ptrdiff_t offset, uint64_t *base, uint64_t *start, uint64_t *end) {
  return table.dwarf_ranges(die, offset, base, start, end);
}
int ce_dwarf_haspc(CE_Die *die, uint64_t pc) { return table.dwarf_haspc(die, pc); }
const char *ce_dwarf_diename(CE_Die *die) { return table.dwarf_diename(die); }

const char *ce_dwarf_text(CE_Die *die, unsigned int attribute) {
  CE_Attribute found;
  return table.dwarf_attr_integrate(die, attribute, &found) ? table.dwarf_formstring(&found) : NULL;
}

uint64_t ce_dwarf_number(CE_Die *die, unsigned int attribute) {
  CE_Attribute found;
  uint64_t value = 0;
  if (!table.dwarf_attr(die, attribute, &found) || table.dwarf_formudata(&found, &value) != 0) return 0;
  return value;
}

int ce_dwarf_line(CE_Die *unit, uint64_t address, const char **file, int *line, int *column) {
  Dwarf_Line *row = table.dwarf_getsrc_die(unit, address);
  if (!row) return -1;
  *file = table.dwarf_linesrc(row, NULL, NULL);
  if (!*file || table.dwarf_lineno(row, line) != 0) return -1;
  if (table.dwarf_linecol(row, column) != 0) *column = 0;
  return 0;
}

const char *ce_dwarf_file(CE_Die *unit, uint64_t number) {
  Dwarf_Files *files;
  size_t count;
  if (table.dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count) return NULL;
  return table.dwarf_filesrc(files, (size_t)number, NULL, NULL);
}
