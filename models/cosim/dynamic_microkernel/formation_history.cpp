// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/formation_history.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge {

void FormationHistory::add(std::uint64_t cycle, const FormationInputs& inputs, const FormationOutputs& expected) {
  const auto left = [&](const char* what, const std::optional<FormationWarp>& warp) {
    if (warp)
      events_.push_back(
          fmt::format("cycle {}: a {} warp of {:#x} leaves part {}", cycle, what, warp->pc, warp->region));
  };
  if (inputs.pop) left("full", expected.full);
  if (inputs.force) left("partial", expected.partial);
  if (!inputs.spawn) return;
  const char* const end = inputs.commit                                  ? ""
                          : expected.spawn && expected.spawn->stall != 0 ? ", which stalls"
                                                                         : ", in vain";
  events_.push_back(fmt::format("cycle {}: lanes {:#x} spawn at {:#x}{}", cycle, inputs.lanes, inputs.pc, end));
}

std::string FormationHistory::text(std::optional<unsigned> /*lane*/) const {
  std::string text;
  std::for_each(events_.rbegin(), events_.rend(), [&text](const std::string& event) { text += "; " + event; });
  return text;
}

}  // namespace reconverge
