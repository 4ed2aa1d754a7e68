// SPDX-License-Identifier: Apache-2.0
// Random inputs for model and RTL in lock step. Ends with 1 at the first difference, and if an important case is
// missing.
#include <algorithm>
#include <functional>
#include <iostream>
#include <random>
#include <stdexcept>

#include "lock_step.hpp"

namespace {

using namespace own_block;

/// Disjoint lanes, as those of the paths of a warp. Half of the inputs have few lanes, so that paths are often equal.
Waiting random_input(std::mt19937& random) {
  Waiting waiting{};
  const unsigned lanes = random() % 2 == 0 ? random() % 5 : reconverge::warp_size;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned path = random() % (waiting.size() + 1);  // the last: the lane does not wait
    if (path < waiting.size()) waiting[path] |= reconverge::lane_bit(lane);
  }
  return waiting;
}

bool has_tie(Waiting waiting) {
  std::ranges::sort(waiting, std::greater(), reconverge::count_lanes);
  return waiting[1] != 0 && count_lanes(waiting[0]) == count_lanes(waiting[1]);
}

void run() {
  std::mt19937 random(1);
  LockStep block;
  unsigned ties = 0;
  unsigned empty = 0;
  for (unsigned i = 0; i < 100'000; ++i) {
    if (i % 1000 == 0) block.reset();
    const Waiting waiting = random_input(random);
    ties += has_tie(waiting) ? 1 : 0;
    empty += block.choose(waiting) ? 0 : 1;
  }
  std::cout << block.decisions() << " decisions, " << ties << " among equal paths, " << empty << " without a path\n";
  if (ties < 1000 || empty < 1000) throw std::runtime_error("the inputs have too few ties, or too few without a path");
}

}  // namespace

int main() {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
