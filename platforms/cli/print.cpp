// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/print.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "models/core/printable.hpp"

namespace reconverge::cli {

namespace {

/// The stream records that a write failed, but not why.
int errno_of_failure = 0;

void put(std::string_view text, std::FILE* stream) {
  const std::string shown = printable(text);
  const bool failed = std::fwrite(shown.data(), 1, shown.size(), stream) != shown.size();
  if (failed && stream == stdout && errno_of_failure == 0) errno_of_failure = errno;
}

}  // namespace

void print(std::string_view text) { put(text, stdout); }

void print_beside(std::string_view text) { put(text, stderr); }

int output_error() { return errno_of_failure; }

bool nobody_reads() {
  if (std::ferror(stdout) == 0) return false;
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace reconverge::cli
