// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_states/subwarp_instructions.hpp"

#include <array>
#include <string_view>

namespace reconverge {

using kernel::ExtensionInstruction;

namespace {

constexpr std::string_view hint = "subwarp_first";

void nothing(kernel::ExtensionThread& /*thread*/) {}

}  // namespace

std::span<const ExtensionInstruction> subwarp_instructions() {
  static const std::array all = {
      ExtensionInstruction{.mnemonic = "subwarp_yield", .compute = nothing},
      ExtensionInstruction{.mnemonic = hint, .told = false, .target = true, .compute = nothing}};
  return all;
}

std::vector<kernel::Pc> first_by_hint(const kernel::Program& program) {
  std::vector<kernel::Pc> pcs;
  for (const kernel::Instruction& instruction : program.instructions) {
    if (instruction.extension == kernel::no_extension) continue;
    if (program.extensions[instruction.extension].mnemonic == hint) pcs.push_back(instruction.target);
  }
  return pcs;
}

}  // namespace reconverge
