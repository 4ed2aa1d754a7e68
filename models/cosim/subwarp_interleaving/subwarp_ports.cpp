// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"

#include <fmt/format.h>

namespace reconverge {

std::string SubwarpPorts::text_of(const Sizes& sizes) {
  return fmt::format("{} warps a scheduler with {} entries in the thread status table of each", sizes.warps,
                     sizes.entries);
}

}  // namespace reconverge
