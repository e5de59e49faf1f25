#ifndef THROWER_H
#define THROWER_H

#ifdef __cplusplus
extern "C" {
#endif

// Throws and catches `count` C++ exceptions, each through two calls. Returns how many were caught.
long throw_and_catch(long count);

// The file that the process takes _Unwind_RaiseException from: what a throw goes through.
const char *unwinder_of_throws(void);

#ifdef __cplusplus
}
#endif
#endif
