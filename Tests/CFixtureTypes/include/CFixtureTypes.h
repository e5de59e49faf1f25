// Types of C as Swift imports them: what their metadata leaves out, a reader must do without.
#ifndef CFIXTURETYPES_H
#define CFIXTURETYPES_H

#include <stdint.h>

enum CFixtureColour { CFixtureColourRed = 0, CFixtureColourGreen = 1, CFixtureColourBlue = 7 };

typedef enum __attribute__((enum_extensibility(closed))) : int32_t { CFixtureClosedFirst = 1, CFixtureClosedSecond = 2 } CFixtureClosed;

union CFixtureUnion {
  uint32_t word;
  uint8_t bytes[4];
};

struct CFixtureRecord {
  int32_t count;
  double share;
  const char *name;
};

#endif
