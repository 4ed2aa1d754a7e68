// SPDX-License-Identifier: Apache-2.0
// GTKWave's code, which is C and also valid C++, as one translation unit, because its parts share macros.

#include "models/cosim/twin/gtkwave.hpp"

#include <zlib.h>

#include <cstdio>
#include <utility>

namespace {

thread_local bool write_error = false;

/// GTKWave's code does not check for a full disk. The error flag of a file stays set until the file is closed.
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
