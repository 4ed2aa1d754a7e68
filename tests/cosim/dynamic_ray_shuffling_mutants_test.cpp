// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step itself: whether it finds each mutant of dynamic ray shuffling's RTL.

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VDrsMutants.h"
#include "models/cosim/dynamic_ray_shuffling/bench/lock_step.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "tests/cosim/mutants.hpp"

using namespace reconverge;

namespace {

/// A kind of random traffic, and the number of its runs.
struct Kind {
  double alike;
  double wild;
  std::uint32_t runs;
  unsigned rays = 150;   // of a run
  bool hurries = false;  // the register file grants all accesses, and warps report in many parts
};

/// Rays that diverge at once, rays that stay coherent, rays with state changes that no walk through a tree makes, and
/// long runs with many reports, which then read the table when the choice needs it.
constexpr std::array kinds{Kind{0, 0, 4}, Kind{1, 0, 4}, Kind{0, 1, 8}, Kind{0, 0, 2, 600, true}};

TrafficChances chances_of(const Kind& kind, std::uint32_t seed) {
  if (kind.hurries) return {.alike = kind.alike, .wild = kind.wild, .split = 0.9};
  return {.granted = 0.3 + 0.1 * (seed % 8),
          .alike = kind.alike,
          .wild = kind.wild,
          .impatient = 0.5 * (seed % 3),
          .split = 0.4 * (seed % 2)};
}

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  std::uint32_t seed = 0;
  for (const Kind& kind : kinds) {
    for (std::uint32_t run = 0; run < kind.runs; ++run) {
      ++seed;
      Traffic<LockStep<VDrsMutants>> traffic({}, {4, 8}, kind.rays, seed, chances_of(kind, seed));
      traffic.shuffler.partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
      const auto found = tests::difference_in([&] {
        // A mutant without observable difference ends as the block itself does.
        while (!traffic.done()) traffic.cycle();
      });
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Lock step finds mutants of dynamic ray shuffling's RTL") { CHECK(tests::found_mutants(difference) >= 200); }
