// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Whether lock step finds the mutants of a block. MUTANTS is their number.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "models/cosim/twin/lock_step_difference.hpp"

namespace reconverge::tests {

/// The difference that ends `run`, if any.
template <typename Run>
std::optional<std::string> difference_in(const Run& run) {
  try {
    run();
  } catch (const LockStepDifference& found) {
    return found.what();
  }
  return std::nullopt;
}

/// How many mutants differ from the model; mutant 0, the block itself, must not. `difference`: the first one of a
/// mutant, if any. `scripts/mutants` reads the line that this prints, and has abc prove that the other mutants are
/// observably equal to the block.
template <typename Difference>
unsigned found_mutants(const Difference& difference) {
  constexpr unsigned mutants = MUTANTS;
  CHECK(difference(0U).value_or("") == "");
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
  return found;
}

}  // namespace reconverge::tests
