/// The lock step itself, tested: of each mutant of dynamic ray shuffling's RTL, whether it is found.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VDrsMutants.h"
#include "testbenches/dynamic_ray_shuffling/lock_step.hpp"
#include "testbenches/dynamic_ray_shuffling/traffic.hpp"

using namespace reconverge;

namespace {

constexpr unsigned mutants = 240;

/// The first difference from the model under random traffic, if there is one within `runs`: with rays that part at
/// once, and with rays that stay alike.
std::optional<std::string> difference(unsigned mutant, std::uint32_t runs) {
  for (std::uint32_t seed = 1; seed <= runs; ++seed) {
    Traffic<LockStep<VDrsMutants>> traffic({}, 4, 8, 150, seed, 0.3 + 0.1 * (seed % 8), seed <= runs / 2 ? 0 : 1);
    traffic.shuffler.partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
    try {
      // What differs in nothing that can be seen ends as the block itself does.
      while (!traffic.done()) traffic.cycle();
    } catch (const LockStepDifference& found) {
      return found.what();
    }
  }
  return std::nullopt;
}

}  // namespace

// Those that are left may be equal to the block in all that can be seen: `scripts/mutants` asks abc.
TEST_CASE("Lock step finds mutants of dynamic ray shuffling's RTL") {
  constexpr std::uint32_t runs = 8;
  CHECK(difference(0, runs).value_or("") == "");
  std::string survivors;
  unsigned found = 0;
  for (unsigned mutant = 1; mutant <= mutants; ++mutant) {
    if (difference(mutant, runs)) {
      ++found;
    } else {
      survivors += fmt::format(" {}", mutant);
    }
  }
  fmt::print("found {} of {} mutants; not found:{}\n", found, mutants, survivors);
  CHECK(found >= 200);
}
