#include "CLibunwind.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resolve(const char *library_name, const char *const *names, void **const *targets, char *problem,
                     size_t size) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *sentence = dlerror();
    snprintf(problem, size, "%s", sentence ? sentence : library_name);
    return NULL;
  }
  for (size_t index = 0; names[index]; index++) {
    *targets[index] = dlsym(library, names[index]);
    if (!*targets[index]) {
      snprintf(problem, size, "%s has no %s", library_name, names[index]);
      return NULL;
    }
  }
  return library;
}

// unw_cursor_t has 127 words and unw_context_t is ucontext_t (968 bytes) on x86-64; larger ones do no harm.
typedef struct { uint64_t words[256]; } cursor_storage;
typedef struct { uint64_t words[256]; } context_storage __attribute__((aligned(16)));

// -- This thread ----------------------------------------------------------------------------------------------------

static struct {
  int (*backtrace)(void **, int);
#ifdef __x86_64__
  int (*getcontext)(void *);
  int (*init_local)(void *, void *);
  int (*step)(void *);
  int (*get_reg)(void *, int, uint64_t *);
#endif
} local;

static pthread_once_t local_once = PTHREAD_ONCE_INIT;
static char local_problem[512];
static int local_is_loaded;

static void load_local(void) {
#ifdef __x86_64__
  static const char *const names[] = {"unw_backtrace", "_Ux86_64_getcontext", "_ULx86_64_init_local", "_ULx86_64_step",
                                      "_ULx86_64_get_reg", NULL};
  static void **const targets[] = {(void **)&local.backtrace, (void **)&local.getcontext, (void **)&local.init_local,
                                   (void **)&local.step, (void **)&local.get_reg};
#else
  static const char *const names[] = {"unw_backtrace", NULL};
  static void **const targets[] = {(void **)&local.backtrace};
#endif
  local_is_loaded = resolve("libunwind.so.8", names, targets, local_problem, sizeof local_problem) != NULL;
}

const char *clu_load_local(void) {
  pthread_once(&local_once, load_local);
  return local_is_loaded ? NULL : local_problem;
}

enum { frames_on_stack = 256 };

// Neither inlined nor left by a tail call: the first address is always one of this function.
__attribute__((noinline)) size_t clu_backtrace(uintptr_t *addresses, size_t capacity, size_t skip) {
  void *nearby[frames_on_stack];
  void **buffer = nearby;
  size_t wanted = capacity + skip + 1;
  size_t left_out = skip + 1;
  size_t room = wanted < frames_on_stack ? wanted : frames_on_stack;
  size_t count = (size_t)local.backtrace(buffer, (int)room);
  // A deep stack, of which more is wanted: once more, into a buffer that grows.
  while (count == room && room < wanted) {
    size_t larger = room * 4 < wanted ? room * 4 : wanted;
    void **grown = malloc(larger * sizeof *grown);
    if (!grown) break;
    if (buffer != nearby) free(buffer);
    buffer = grown;
    room = larger;
    count = (size_t)local.backtrace(buffer, (int)room);
  }
  size_t stored = count > left_out ? count - left_out : 0;
  memcpy(addresses, buffer + left_out, stored * sizeof *addresses);
  if (buffer != nearby) free(buffer);
  return stored;
}

int clu_find_frame(uintptr_t address, size_t occurrence, struct clu_frame *frame, uint64_t *caller_stack_pointer) {
#ifdef __x86_64__
  context_storage context;
  cursor_storage cursor;
  if (local.getcontext(&context) != 0 || local.init_local(&cursor, &context) != 0) return -1;
  do {
    *frame = (struct clu_frame){0};
    if (local.get_reg(&cursor, clu_instruction_pointer, &frame->instruction_pointer) != 0) return -1;
    if (frame->instruction_pointer != address || occurrence-- > 0) continue;
    if (local.get_reg(&cursor, clu_frame_pointer, &frame->frame_pointer) != 0) frame->frame_pointer = 0;
    if (local.get_reg(&cursor, clu_context_register, &frame->context_register) != 0) frame->context_register = 0;
    *caller_stack_pointer = 0;
    if (local.step(&cursor) > 0) local.get_reg(&cursor, clu_stack_pointer, caller_stack_pointer);
    return 0;
  } while (local.step(&cursor) > 0);
#else
  (void)address;
  (void)occurrence;
  (void)frame;
  (void)caller_stack_pointer;
#endif
  return -1;
}

// swift/Runtime/Concurrency.h: a load of a thread-local. Weak, because a program without concurrency has no such call.
extern void *optional_current_task(void) __asm__("swift_task_getCurrent") __attribute__((weak));
void *clu_current_task(void) { return optional_current_task ? optional_current_task() : NULL; }

// -- Any address space ----------------------------------------------------------------------------------------------

#ifdef __x86_64__

// unw_dyn_info_t with a remote table. `load_offset` came with 1.6 and moved what follows it; which of the two the library
// has is found out by asking.
struct dynamic_info {
  void *next, *previous;
  uint64_t start_ip, end_ip, gp;
  int32_t format, padding;
  uint64_t tail[5];
};
enum { format_remote_table = 2, error_no_info = 10, cache_global = 1 };

// unw_accessors_t. Later versions have appended calls to it, all of them optional: zeros.
struct accessors {
  int (*find_proc_info)(void *, uint64_t, void *, int, void *);
  void (*put_unwind_info)(void *, void *, void *);
  int (*get_dyn_info_list_addr)(void *, uint64_t *, void *);
  int (*access_mem)(void *, uint64_t, uint64_t *, int, void *);
  int (*access_reg)(void *, int, uint64_t *, int, void *);
  int (*access_fpreg)(void *, int, void *, int, void *);
  int (*resume)(void *, void *, void *);
  int (*get_proc_name)(void *, uint64_t, char *, size_t, uint64_t *, void *);
  void *later[16];
};

static struct {
  void *(*create_addr_space)(struct accessors *, int);
  void (*destroy_addr_space)(void *);
  int (*set_caching_policy)(void *, int);
  int (*init_remote)(void *, void *, void *);
  int (*step)(void *);
  int (*get_reg)(void *, int, uint64_t *);
  int (*is_signal_frame)(void *);
  int (*search_unwind_table)(void *, uint64_t, struct dynamic_info *, void *, int, void *);
} remote;

static pthread_once_t remote_once = PTHREAD_ONCE_INIT;
static char remote_problem[512];
static int remote_is_loaded;

static void load_remote(void) {
  static const char *const names[] = {"_Ux86_64_create_addr_space",
                                      "_Ux86_64_destroy_addr_space",
                                      "_Ux86_64_set_caching_policy",
                                      "_Ux86_64_init_remote",
                                      "_Ux86_64_step",
                                      "_Ux86_64_get_reg",
                                      "_Ux86_64_is_signal_frame",
                                      "_Ux86_64_dwarf_search_unwind_table",
                                      NULL};
  static void **const targets[] = {(void **)&remote.create_addr_space,  (void **)&remote.destroy_addr_space,
                                   (void **)&remote.set_caching_policy, (void **)&remote.init_remote,
                                   (void **)&remote.step,               (void **)&remote.get_reg,
                                   (void **)&remote.is_signal_frame,    (void **)&remote.search_unwind_table};
  remote_is_loaded = resolve("libunwind-x86_64.so.8", names, targets, remote_problem, sizeof remote_problem) != NULL;
}

const char *clu_load_remote(void) {
  pthread_once(&remote_once, load_remote);
  return remote_is_loaded ? NULL : remote_problem;
}

// What the callbacks of one unwind share.
struct unwind {
  const struct clu_source *source;
  const uint64_t *registers;
  int table_was_missing;
};

static int find_proc_info(void *space, uint64_t ip, void *info, int need_unwind_info, void *argument) {
  struct unwind *unwind = argument;
  struct clu_unwind_table table;
  int answer = -error_no_info;
  if (unwind->source->find_table(unwind->source->context, ip, &table) == 0) {
    for (int has_load_offset = 1; has_load_offset >= 0 && answer < 0; has_load_offset--) {
      struct dynamic_info dynamic = {.start_ip = table.start, .end_ip = table.end, .format = format_remote_table};
      uint64_t *remote_table = dynamic.tail + has_load_offset;
      remote_table[1] = table.header_address;
      remote_table[2] = table.entry_count;  // in words: an entry has two halves
      remote_table[3] = table.table_address;
      answer = remote.search_unwind_table(space, ip, &dynamic, info, need_unwind_info, argument);
    }
  }
  if (answer < 0) unwind->table_was_missing = 1;
  return answer;
}

// What search_unwind_table allocates comes from libunwind's own pool, and libunwind itself gives it back there.
static void put_unwind_info(void *space, void *info, void *argument) {
  (void)space;
  (void)info;
  (void)argument;
}

static int get_dyn_info_list_addr(void *space, uint64_t *address, void *argument) {
  (void)space;
  (void)address;
  (void)argument;
  return -error_no_info;
}

static int access_mem(void *space, uint64_t address, uint64_t *value, int is_write, void *argument) {
  (void)space;
  struct unwind *unwind = argument;
  return is_write || unwind->source->read_word(unwind->source->context, address, value) != 0 ? -1 : 0;
}

static int access_reg(void *space, int number, uint64_t *value, int is_write, void *argument) {
  (void)space;
  struct unwind *unwind = argument;
  if (is_write || number < 0 || number >= clu_register_count) return -3;  // UNW_EBADREG
  *value = unwind->registers[number];
  return 0;
}

static int access_fpreg(void *space, int number, void *value, int is_write, void *argument) {
  (void)space;
  (void)number;
  (void)value;
  (void)is_write;
  (void)argument;
  return -3;
}

static int refuse_resume(void *space, void *cursor, void *argument) {
  (void)space;
  (void)cursor;
  (void)argument;
  return -8;  // UNW_EINVAL
}

static int no_proc_name(void *space, uint64_t address, char *name, size_t size, uint64_t *offset, void *argument) {
  (void)space;
  (void)address;
  (void)name;
  (void)size;
  (void)offset;
  (void)argument;
  return -error_no_info;
}

struct clu_space *clu_space_create(void) {
  static struct accessors calls = {.find_proc_info = find_proc_info,
                                   .put_unwind_info = put_unwind_info,
                                   .get_dyn_info_list_addr = get_dyn_info_list_addr,
                                   .access_mem = access_mem,
                                   .access_reg = access_reg,
                                   .access_fpreg = access_fpreg,
                                   .resume = refuse_resume,
                                   .get_proc_name = no_proc_name};
  void *space = remote.create_addr_space(&calls, 0);
  if (space) remote.set_caching_policy(space, cache_global);
  return space;
}

void clu_space_destroy(struct clu_space *space) { remote.destroy_addr_space(space); }

size_t clu_unwind(struct clu_space *space, const struct clu_source *source, const uint64_t registers[clu_register_count],
                  struct clu_frame *frames, size_t capacity, enum clu_end *end) {
  struct unwind unwind = {source, registers, 0};
  cursor_storage cursor;
  *end = clu_end_broken;
  if (remote.init_remote(&cursor, space, &unwind) != 0) return 0;
  size_t count = 0;
  int is_interrupted = 1, is_guessed = 0;
  while (1) {
    struct clu_frame frame = {.is_interrupted = is_interrupted, .is_guessed = is_guessed};
    if (remote.get_reg(&cursor, clu_instruction_pointer, &frame.instruction_pointer) != 0) return count;
    if (remote.get_reg(&cursor, clu_stack_pointer, &frame.stack_pointer) != 0) return count;
    // Not known everywhere, and needed only where it is.
    if (remote.get_reg(&cursor, clu_frame_pointer, &frame.frame_pointer) != 0) frame.frame_pointer = 0;
    if (remote.get_reg(&cursor, clu_context_register, &frame.context_register) != 0) frame.context_register = 0;
    if (frame.instruction_pointer == 0 && count > 0) {
      *end = clu_end_complete;
      return count;
    }
    // A caller's frame lies above its callee's, but for a handler on a stack of its own: a table is wrong, or the stack was
    // overwritten.
    if (count > 0 && !is_interrupted && frames[count - 1].stack_pointer >= frame.stack_pointer) return count;
    if (count == capacity) {
      *end = clu_end_limit;
      return count;
    }
    frames[count++] = frame;
    int is_signal_frame = remote.is_signal_frame(&cursor) > 0;
    // The trampoline of a handler was never called: its first instruction is where the handler returns to.
    if (is_signal_frame) frames[count - 1].is_interrupted = 1;
    unwind.table_was_missing = 0;
    int answer = remote.step(&cursor);
    if (answer <= 0) {
      *end = answer == 0 && !unwind.table_was_missing ? clu_end_complete : clu_end_broken;
      return count;
    }
    is_interrupted = is_signal_frame;
    is_guessed = unwind.table_was_missing;
  }
}

#else

static const char *const remote_problem = "unwinding another address space is only done on x86-64";
const char *clu_load_remote(void) { return remote_problem; }
struct clu_space *clu_space_create(void) { return NULL; }
void clu_space_destroy(struct clu_space *space) { (void)space; }
size_t clu_unwind(struct clu_space *space, const struct clu_source *source, const uint64_t registers[clu_register_count],
                  struct clu_frame *frames, size_t capacity, enum clu_end *end) {
  (void)space;
  (void)source;
  (void)registers;
  (void)frames;
  (void)capacity;
  *end = clu_end_broken;
  return 0;
}

#endif
