#include "models/kernel/extension.hpp"

#include <array>

namespace reconverge::kernel {

namespace {

ExtensionInstruction set_ray_state(std::string_view mnemonic, DataType type) {
  return {.mnemonic = mnemonic,
          .special_destination = "%ray_state",
          .sources = {type},
          .type = type,
          .what = Extension::set_ray_state};
}

}  // namespace

std::span<const ExtensionInstruction> known_extensions() {
  static const std::array all = {ExtensionInstruction{.mnemonic = "rdctrl.b32",
                                                      .destinations = {DataType::b32},
                                                      .ray_registers = true,
                                                      .type = DataType::b32,
                                                      .what = Extension::read_control},
                                 set_ray_state("mov.u32", DataType::u32), set_ray_state("mov.b32", DataType::b32)};
  return all;
}

}  // namespace reconverge::kernel
