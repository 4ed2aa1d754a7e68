// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cases that lock step of a block has to reach (models/cosim/<block>/bench), and how often random traffic reaches
/// them in the model.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::specification {

struct CoveredCase {
  std::string name;
  std::uint64_t count = 0;
};

struct Coverage {
  std::uint64_t cycles = 0;        ///< of the model
  std::vector<CoveredCase> cases;  ///< empty: the block has no RTL
};

/// Runs the traffic of the block's lock step, from fixed seeds, on the model.
Coverage coverage_of(std::string_view block);

}  // namespace reconverge::specification
