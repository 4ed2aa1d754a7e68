// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step of subwarp schedulers: whether it finds each mutant of their RTL.

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VSubwarpsMutants.h"
#include "models/cosim/subwarp_interleaving/bench/lock_step.hpp"
#include "tests/cosim/mutants.hpp"

using namespace reconverge;

namespace {

using Compared = ComparedSubwarpsWith<VSubwarpsMutants>;

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  for (std::uint32_t seed = 1; seed <= 64; ++seed) {
    // Entries that are threads have peers; entries that are subwarps have none.
    const SubwarpTrafficShape shape{.warps = 3,
                                    .entries = 4,
                                    .trigger = static_cast<SelectTrigger>(seed % 3),
                                    .threads = seed % 2 == 0,
                                    .scoreboards = 2,
                                    .outstanding = 3};
    SubwarpTraffic<Compared> traffic(shape, seed, [] {
      return std::make_unique<Compared>(SubwarpPorts::Shape{3, 4, 1, 2});
    });
    traffic.pins().partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
    const auto found = tests::difference_in([&] {
      for (unsigned cycle = 0; cycle < 4000; ++cycle) traffic.cycle();
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Lock step finds mutants of subwarp schedulers' RTL") { CHECK(tests::found_mutants(difference) >= 120); }
