#include "CFixtureTypes.h"
