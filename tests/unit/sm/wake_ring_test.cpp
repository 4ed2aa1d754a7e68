// SPDX-License-Identifier: Apache-2.0
// Warps continue in the cycle that was last set for them, for near and far cycles, and for small and large steps.

#include "models/sm/wake_ring.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

namespace reconverge {
namespace {

/// Reference: a linear search.
struct Plain {
  std::array<Cycle, WakeRing::capacity> due;
  Plain() { due.fill(never); }
  Cycle next() const { return *std::min_element(due.begin(), due.end()); }
  std::uint64_t take(Cycle now) {
    std::uint64_t taken = 0;
    for (unsigned i = 0; i < due.size(); ++i) {
      if (due[i] > now) continue;
      taken |= std::uint64_t{1} << i;
      due[i] = never;
    }
    return taken;
  }
};

}  // namespace

TEST_CASE("warps continue in the cycle that was set last") {
  // The maximum distance of a set cycle, and the maximum step of time: within the ring, around its end, and beyond.
  const auto reach = GENERATE(5U, 63U, 64U, 65U, 130U, 1000U);
  const auto step = GENERATE(1U, 3U, 70U);
  std::mt19937 random(reach * 100 + step);
  const Cycle begin = 12345;
  WakeRing ring;
  Plain plain;
  ring.begin(begin);
  Cycle first = begin;  // first cycle that has not been taken
  std::size_t taken = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    const auto entry = static_cast<unsigned>(random() % WakeRing::capacity);
    const Cycle cycle = random() % 8 == 0 ? never : first + random() % (reach + 1);
    ring.set(entry, cycle);
    plain.due[entry] = cycle;
    REQUIRE(ring.due(entry) == cycle);
    REQUIRE(ring.next() == plain.next());
    if (random() % 2 == 0) continue;
    const Cycle now = first + random() % step;
    const std::uint64_t expected = plain.take(now);
    REQUIRE(ring.take(now) == expected);
    REQUIRE(ring.next() == plain.next());
    taken += expected != 0 ? 1 : 0;
    first = now + 1;
  }
  REQUIRE(taken > 100);
}

TEST_CASE("a warp set for a past cycle continues in the next cycle") {
  WakeRing ring;
  ring.begin(100);
  REQUIRE(ring.take(150) == 0);
  ring.set(3, 120);
  REQUIRE(ring.next() == 151);
  REQUIRE(ring.take(151) == 1U << 3U);
  REQUIRE(ring.due(3) == never);
  REQUIRE(ring.next() == never);
}

}  // namespace reconverge
