// SPDX-License-Identifier: Apache-2.0
// The code of GTKWave, in C that is C++ as well: one unit, as its parts share macros.

#include "models/cosim/twin/gtkwave.hpp"

#include <zlib.h>

#include <cstdio>
#include <utility>

namespace {

thread_local bool write_error = false;

/// Nobody there looks whether a disk is full. An error stays with its file until that is closed.
int close_and_look(std::FILE* file) {
  const bool failed = std::ferror(file) != 0;
  const int result = std::fclose(file);  // NOLINT(cppcoreguidelines-owning-memory): GTKWave's
  write_error = write_error || failed || result != 0;
  return result;
}
int close_and_look(gzFile file) {
  const int result = gzclose(file);
  write_error = write_error || result == Z_ERRNO;
  return result;
}

}  // namespace

bool reconverge::twin::take_write_error() { return std::exchange(write_error, false); }

#define fclose close_and_look
#define gzclose close_and_look
#define FST_CONFIG_INCLUDE "fst_config.h"
// NOLINTBEGIN(bugprone-suspicious-include)
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
// NOLINTEND(bugprone-suspicious-include)
