// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Lock steps that are repeated with several seeds.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <string>

#include "models/cosim/twin/lock_step_difference.hpp"
#include "tests/repetition.hpp"

namespace reconverge::tests {

/// Calls `run(seed)` for `count` seeds from 1 on, or from RECONVERGE_SEED on. A difference fails the test and leaves
/// its waveform in <name>_<seed>.vcd. Returns "seeds <first> to <last>".
template <typename Run>
std::string run_seeds(std::uint32_t count, const std::string& name, const Run& run) {
  constexpr const char* variable = "RECONVERGE_SEED";
  const auto first = static_cast<std::uint32_t>(from_environment(variable, 1));
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    INFO(variable << "=" << seed);
    try {
      run(seed);
    } catch (const LockStepDifference& difference) {
      const std::string file = fmt::format("{}_{}.vcd", name, seed);
      std::ofstream(file) << difference.waveform();
      FAIL(difference.what() << "; waveform in " << file);
    }
  }
  return fmt::format("seeds {} to {}", first, first + count - 1);
}

}  // namespace reconverge::tests
