// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step itself: whether it finds each mutant of dynamic ray shuffling's RTL.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VDrsMutants.h"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "testbenches/dynamic_ray_shuffling/lock_step.hpp"

using namespace reconverge;

namespace {

constexpr unsigned mutants = MUTANTS;

/// A kind of random traffic, and the number of its runs.
struct Kind {
  double alike;
  double wild;
  std::uint32_t runs;
};

/// Rays that diverge at once, rays that stay coherent, and rays that change states as no walk through a tree would.
constexpr std::array kinds{Kind{0, 0, 4}, Kind{1, 0, 4}, Kind{0, 1, 8}};

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  std::uint32_t seed = 0;
  for (const Kind& kind : kinds) {
    for (std::uint32_t run = 0; run < kind.runs; ++run) {
      ++seed;
      Traffic<LockStep<VDrsMutants>> traffic({}, {4, 8}, 150, seed, {0.3 + 0.1 * (seed % 8), kind.alike, kind.wild});
      traffic.shuffler.partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
      try {
        // A mutant without observable difference ends as the block itself does.
        while (!traffic.done()) traffic.cycle();
      } catch (const LockStepDifference& found) {
        return found.what();
      }
    }
  }
  return std::nullopt;
}

}  // namespace

// The remaining mutants are observably equal to the block: `scripts/mutants` has abc prove it.
TEST_CASE("Lock step finds mutants of dynamic ray shuffling's RTL") {
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
  CHECK(found >= 200);
}
