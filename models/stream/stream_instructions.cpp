// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_instructions.hpp"

#include <array>

namespace reconverge {

std::span<const kernel::ExtensionInstruction> stream_instructions() {
  static const std::array all = {
      kernel::ExtensionInstruction{.mnemonic = "emit", .target = true, .fork = kernel::Fork::record},
      kernel::ExtensionInstruction{.mnemonic = "emit.stack", .target = true, .fork = kernel::Fork::stack}};
  return all;
}

}  // namespace reconverge
