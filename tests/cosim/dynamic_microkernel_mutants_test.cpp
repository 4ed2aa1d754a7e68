// SPDX-License-Identifier: Apache-2.0
/// Tests the lock step of warp formation: whether it finds each mutant of its RTL.

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "VFormationMutants.h"
#include "models/cosim/dynamic_microkernel/bench/lock_step.hpp"
#include "tests/cosim/mutants.hpp"

using namespace reconverge;

namespace {

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
    const auto found = tests::difference_in([&] {
      for (unsigned cycle = 0; cycle < 4000; ++cycle) traffic.cycle();
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Lock step finds mutants of warp formation's RTL") { CHECK(tests::found_mutants(difference) >= 80); }
