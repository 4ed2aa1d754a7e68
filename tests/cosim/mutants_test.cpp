/// The lock step itself, tested: of each mutant of dynamic ray shuffling's RTL, whether it is found.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VDrsMutants.h"
#include "models/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "testbenches/dynamic_ray_shuffling/lock_step.hpp"

using namespace reconverge;

namespace {

constexpr unsigned mutants = MUTANTS;

/// A kind of random traffic, and how many runs of it.
struct Kind {
  double alike;
  double wild;
  std::uint32_t runs;
};

/// Rays that part at once, rays that stay alike, and rays that no tree ties to the order of their states.
constexpr std::array kinds{Kind{0, 0, 4}, Kind{1, 0, 4}, Kind{0, 1, 8}};

/// The first difference from the model, if there is one.
std::optional<std::string> difference(unsigned mutant) {
  std::uint32_t seed = 0;
  for (const Kind& kind : kinds) {
    for (std::uint32_t run = 0; run < kind.runs; ++run) {
      ++seed;
      Traffic<LockStep<VDrsMutants>> traffic({}, 4, 8, 150, seed, 0.3 + 0.1 * (seed % 8), kind.alike, kind.wild);
      traffic.shuffler.partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
      try {
        // What differs in nothing that can be seen ends as the block itself does.
        while (!traffic.done()) traffic.cycle();
      } catch (const LockStepDifference& found) {
        return found.what();
      }
    }
  }
  return std::nullopt;
}

}  // namespace

// Those that are left are equal to the block in all that can be seen: `scripts/mutants` has abc prove it.
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
