// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

namespace reconverge::fuzz {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace reconverge::fuzz

/// SystemC's library asks for it; nothing calls it.
extern "C" int sc_main(int /*count*/, char** /*arguments*/) { return 0; }
