// SPDX-License-Identifier: Apache-2.0
// A team whose threads count in one variable: the thread sanitizer must report it.

#include <cstdio>

#include "models/core/team.hpp"

int main() {
  reconverge::Team team(2);
  unsigned count = 0;
  for (unsigned task = 0; task < 1000; ++task) team.run(16, [&](std::size_t) { ++count; });
  std::printf("%u\n", count);
}
