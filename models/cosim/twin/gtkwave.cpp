// SPDX-License-Identifier: Apache-2.0
// GTKWave's C code, which also compiles as C++. Its files share macros and therefore form one translation unit.

#include "models/cosim/twin/gtkwave.hpp"

#include <zlib.h>

#include <cstdio>
#include <utility>

namespace {

thread_local bool write_error = false;

/// GTKWave does not check for write errors such as a full disk. A FILE keeps its error flag until it is closed.
int close_and_look(std::FILE* file) {
  const bool failed = std::ferror(file) != 0;
  const int result = std::fclose(file);  // NOLINT(cppcoreguidelines-owning-memory): GTKWave owns it
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
