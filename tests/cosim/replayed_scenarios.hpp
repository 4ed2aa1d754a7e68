// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The scenarios of specification pages in lock step with the RTL.

#include <vector>

#include "models/cosim/twin/verilated_partners.hpp"
#include "platforms/specification/scenario.hpp"

namespace reconverge::tests {

/// Throws LockStepDifference at the first output that differs. `Class`: Verilator's, of the size of the scenarios.
template <typename Ports, typename Class>
void replay(const std::vector<specification::Scenario<Ports>>& scenarios) {
  for (const specification::Scenario<Ports>& scenario : scenarios) {
    twin::ComparedWith<Ports, Class> rtl(scenario.recording.shape());
    for (const auto& [inputs, outputs] : scenario.recording.cycles()) rtl.cycle(inputs, outputs);
  }
}

}  // namespace reconverge::tests
