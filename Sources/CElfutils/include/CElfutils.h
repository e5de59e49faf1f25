// elfutils (libelf, libdw), reached at run time: a program that never asks for a symbol needs neither the libraries nor their
// headers. Declarations of the few calls that are used, each under the library's own name behind `ce_`; no policy.
//
// Names, types and semantics: libelf.h and elfutils/libdw.h of elfutils 0.188; both libraries have kept them since 0.150
// (symbol versions ELFUTILS_1.0 to ELFUTILS_0.157). Call nothing before `ce_load` has returned NULL.
#ifndef CELFUTILS_H
#define CELFUTILS_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Elf Elf;
typedef struct Elf_Scn Elf_Scn;
typedef struct Dwarf Dwarf;
typedef struct Dwarf_Line_s Dwarf_Line;

// Elf_Data of libelf.h.
typedef struct {
  void *d_buf;
  int d_type;
  unsigned int d_version;
  size_t d_size;
  int64_t d_off;
  size_t d_align;
} CE_Data;

// Dwarf_Die and Dwarf_Attribute of libdw.h: the caller's memory, the library's contents.
typedef struct {
  void *addr;
  void *cu;
  void *abbrev;
  long padding;
} CE_Die;
typedef struct {
  unsigned int code;
  unsigned int form;
  unsigned char *valp;
  void *cu;
} CE_Attribute;

// Opens libelf.so.1 and libdw.so.1, once in a process. NULL when all of the calls below can be made, or the loader's sentence
// about what is missing.
const char *ce_load(void);

// The message of the last error of libelf on this thread.
const char *ce_elf_error(void);

Elf *ce_elf_open(int descriptor);                   // elf_begin(ELF_C_READ): reads, and maps nothing that could vanish
Elf *ce_elf_memory(char *image, size_t size);       // elf_memory: the image must outlive the handle
int ce_elf_is_elf(Elf *elf);                        // elf_kind(elf) == ELF_K_ELF
int ce_elf_end(Elf *elf);
Elf_Scn *ce_elf_nextscn(Elf *elf, Elf_Scn *section);
int ce_gelf_getshdr(Elf_Scn *section, Elf64_Shdr *header);
int ce_gelf_getehdr(Elf *elf, Elf64_Ehdr *header);
const char *ce_elf_section_name(Elf *elf, const Elf64_Shdr *header);
const char *ce_elf_strptr(Elf *elf, size_t section, size_t offset);
CE_Data *ce_elf_getdata(Elf_Scn *section);
int ce_gelf_getsym(CE_Data *data, int index, Elf64_Sym *symbol);
int ce_elf_getphdrnum(Elf *elf, size_t *count);
int ce_gelf_getphdr(Elf *elf, int index, Elf64_Phdr *header);
ptrdiff_t ce_build_id(Elf *elf, const void **bytes);  // dwelf_elf_gnu_build_id
const char *ce_debuglink(Elf *elf, uint32_t *crc);  // dwelf_elf_gnu_debuglink

Dwarf *ce_dwarf_begin(Elf *elf);                    // dwarf_begin_elf(DWARF_C_READ): the handle must outlive the answer
void ce_dwarf_end(Dwarf *dwarf);
// dwarf_nextcu, reduced to where the unit's first entry and the next unit are. 0, 1 at the end, -1 on an error.
int ce_dwarf_nextcu(Dwarf *dwarf, uint64_t offset, uint64_t *next, uint64_t *first_entry);
int ce_dwarf_offdie(Dwarf *dwarf, uint64_t offset, CE_Die *result);
uint64_t ce_dwarf_dieoffset(CE_Die *die);
int ce_dwarf_tag(CE_Die *die);
int ce_dwarf_child(CE_Die *die, CE_Die *result);    // 0 found, 1 none, -1 error
int ce_dwarf_next(CE_Die *die);                     // dwarf_siblingof, in place: 0 found, 1 none, -1 error
ptrdiff_t ce_dwarf_ranges(CE_Die *die, ptrdiff_t offset, uint64_t *base, uint64_t *start, uint64_t *end);
int ce_dwarf_haspc(CE_Die *die, uint64_t pc);
const char *ce_dwarf_diename(CE_Die *die);
// The text of an attribute, followed through DW_AT_abstract_origin and DW_AT_specification; NULL where there is none.
const char *ce_dwarf_text(CE_Die *die, unsigned int attribute);
// The number of an attribute of the entry itself; 0 where there is none.
uint64_t ce_dwarf_number(CE_Die *die, unsigned int attribute);
// The row of the line table for an address: 0 and the file, line and column, or -1.
int ce_dwarf_line(CE_Die *unit, uint64_t address, const char **file, int *line, int *column);
// The name of a file of a unit by its number; NULL where there is none.
const char *ce_dwarf_file(CE_Die *unit, uint64_t number);

#endif
