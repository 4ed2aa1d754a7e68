// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/twin/lock_step_difference.hpp"

#include <fmt/format.h>

namespace reconverge::twin {

std::string text_of(const PortDifference& difference, std::string_view part) {
  const Port& port = difference.port;
  return fmt::format("{}{} is {:#x} in the model and {:#x} in RTL", port.name,
                     port.part ? fmt::format(" of {} {}", part, *port.part) : "", difference.model, difference.rtl);
}

std::string placed(std::string_view block, std::uint64_t cycle, std::string_view message) {
  return fmt::format("{}: cycle {}: {}", block, cycle, message);
}

}  // namespace reconverge::twin
