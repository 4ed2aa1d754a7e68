#include "platforms/cli/print.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "models/core/printable.hpp"

namespace reconverge::cli {

void print(std::string_view text) {
  const std::string shown = printable(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

bool nobody_reads() {
  if (std::ferror(stdout) == 0) return false;
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace reconverge::cli
