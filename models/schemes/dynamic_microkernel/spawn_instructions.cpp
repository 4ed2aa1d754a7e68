// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"

#include <array>

namespace reconverge {

namespace {

using kernel::DataType;
using kernel::ExtensionInstruction;
using kernel::Space;

constexpr ExtensionInstruction access_of(std::string_view mnemonic) {
  ExtensionInstruction access;
  access.mnemonic = mnemonic;
  access.memory = true;
  access.told = false;
  access.space = Space::spawn;
  return access;
}

}  // namespace

std::span<const ExtensionInstruction> spawn_instructions() {
  static const std::array all = {
      ExtensionInstruction{.mnemonic = "spawn",
                           .sources = {DataType::b32},
                           .stores_at_state = true,
                           .target = true,
                           .space = Space::spawn,
                           .type = DataType::b32},
      ExtensionInstruction{.mnemonic = "mov %spawnMemAddr", .reads_identity = "%spawnMemAddr", .told = false},
      access_of("ld.spawnMem"), access_of("st.spawnMem")};
  return all;
}

}  // namespace reconverge
