// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step of Benes networks: whether it finds each mutant of the RTL.

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VBenesMutants.h"
#include "models/cosim/benes_network/bench/lock_step.hpp"
#include "tests/cosim/mutants.hpp"

using namespace reconverge;

namespace {

/// The first difference from the model, if any.
std::optional<std::string> difference(unsigned mutant) {
  using Compared = ComparedNetworkWith<VBenesMutants>;
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    NetworkTraffic<Compared> traffic({.ports = 8, .register_every = 2, .data_bits = 2}, seed,
                                     std::make_unique<Compared>(NetworkPorts::Shape{8, 2}));
    traffic.pins().partner().verilated().mutsel = static_cast<std::uint8_t>(mutant);
    const auto found = tests::difference_in([&] {
      for (unsigned cycle = 0; cycle < 4000; ++cycle) traffic.cycle();
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Lock step finds mutants of a Benes network's RTL") { CHECK(tests::found_mutants(difference) >= 80); }
