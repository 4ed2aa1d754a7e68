// The code of GTKWave, in C that is C++ as well: one unit, as its parts share macros.

#define FST_CONFIG_INCLUDE "fst_config.h"
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
