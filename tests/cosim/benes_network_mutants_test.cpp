// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step of Benes networks: whether it finds each mutant of the RTL.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VBenesMutants.h"
#include "testbenches/benes_network/lock_step.hpp"

using namespace reconverge;

namespace {

constexpr unsigned mutants = MUTANTS;

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  using Compared = ComparedNetworkWith<VBenesMutants>;
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    NetworkTraffic<Compared> traffic({.ports = 8, .register_every = 2, .data_bits = 2}, seed,
                                     std::make_unique<Compared>(NetworkPorts::Shape{8, 2}));
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
TEST_CASE("Lock step finds mutants of a Benes network's RTL") {
  CHECK(difference(0).value_or("").empty());
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
