// SPDX-License-Identifier: Apache-2.0
// The project with its own block files in docs/building.md: the build file comes from there.
#include <iostream>

#include "mine/all_blocks.hpp"
#include "mine/victim_cache.hpp"

int main() {
  mine::VictimCacheStatistics first;
  first.lookups[mine::VictimCacheLookups::hit] = 2;
  mine::VictimCacheStatistics total;
  total += first;
  total += first;
  const mine::VictimCacheParameters parameters;
  std::cout << mine::all_blocks().front()->name << ", " << to_string(parameters.policy) << ", " << parameters.lines
            << " lines, " << total.lookups[mine::VictimCacheLookups::hit] << " hits\n";
  return 0;
}
