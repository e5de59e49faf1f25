#include "Thrower.h"

#include <dlfcn.h>

namespace {
struct Refusal {
  long number;
};

__attribute__((noinline)) long refuse(long number) { throw Refusal{number}; }
__attribute__((noinline)) long pass_on(long number) { return refuse(number) + 1; }
}  // namespace

extern "C" int _Unwind_RaiseException(void *);

long throw_and_catch(long count) {
  long caught = 0;
  for (long number = 0; number < count; number++) {
    try {
      caught += pass_on(number);
    } catch (const Refusal &refusal) {
      caught += refusal.number == number;
    }
  }
  return caught;
}

const char *unwinder_of_throws(void) {
  Dl_info information;
  return dladdr(reinterpret_cast<void *>(&_Unwind_RaiseException), &information) ? information.dli_fname : "nothing";
}
