// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/formation_ports.hpp"

#include <fmt/format.h>

namespace reconverge {

std::string FormationPorts::text_of(const Sizes& sizes) {
  return fmt::format("{} LUT lines and a FIFO of {}{}", sizes.lut_lines, sizes.fifo,
                     sizes.regions == 0 ? "" : fmt::format(" and {} parts of the formation area", sizes.regions));
}

}  // namespace reconverge
