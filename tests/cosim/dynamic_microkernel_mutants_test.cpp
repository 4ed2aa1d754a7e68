// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step of warp formation: whether it finds each mutant of its RTL.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VFormationMutants.h"
#include "testbenches/dynamic_microkernel/lock_step.hpp"

using namespace reconverge;

namespace {

constexpr unsigned mutants = MUTANTS;

using Compared = ComparedFormationWith<VFormationMutants>;

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  // The whole area and a part of it; fewer micro-kernels than lines, as many, and one more.
  for (std::uint32_t seed = 1; seed <= 64; ++seed) {
    const FormationTrafficShape shape{.lut_lines = 3,
                                      .fifo = 2,
                                      .regions = 6 - seed % 3 / 2,
                                      .warps = 3 + seed % 8,
                                      .micro_kernels = 2 + seed % 3,
                                      .pc_bits = 4};
    FormationTraffic<Compared> traffic(shape, seed, [](std::uint32_t /*regions*/) {
      return std::make_unique<Compared>(FormationPorts::Shape{6, 4});
    });
    traffic.pins().partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
    try {
      for (unsigned cycle = 0; cycle < 4000; ++cycle) traffic.cycle();
    } catch (const LockStepDifference& found) {
      return found.what();
    }
  }
  return std::nullopt;
}

}  // namespace

// The remaining mutants are observably equal to the block: `scripts/mutants` has abc prove it.
TEST_CASE("Lock step finds mutants of warp formation's RTL") {
  CHECK(difference(0).value_or("") == "");
  std::string survivors;
  unsigned found = 0;
  for (unsigned mutant = 1; mutant <= mutants; ++mutant) {
    if (difference(mutant)) {
      ++found;
    } else {
      survivors += fmt::format(" {}", mutant);
    }
  }
  fmt::print("found {} of {} mutants; not found:{}\n", found, mutants, survivors);
  CHECK(found >= 80);
}
