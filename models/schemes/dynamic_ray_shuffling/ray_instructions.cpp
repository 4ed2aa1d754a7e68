// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace reconverge {

namespace {

using kernel::DataType;
using kernel::ExtensionInstruction;

constexpr auto initial = static_cast<std::uint32_t>(RayState::fetch);

std::uint32_t control_value(std::uint32_t state) { return state; }

std::uint32_t checked_state(std::uint32_t state) {
  if (state >= ray_states) throw std::domain_error(fmt::format("ray state {}: there are 0 to 3", state));
  return state;
}

ExtensionInstruction report_of(std::string_view mnemonic, DataType type) {
  return {.mnemonic = mnemonic,
          .writes_state = "%ray_state",
          .initial_state = initial,
          .sources = {type},
          .type = type,
          .value = checked_state};
}

}  // namespace

std::span<const ExtensionInstruction> ray_instructions() {
  static const std::array all = {ExtensionInstruction{.mnemonic = "rdctrl.b32",
                                                      .reads_state = true,
                                                      .initial_state = initial,
                                                      .destinations = {DataType::b32},
                                                      .registers = true,
                                                      .type = DataType::b32,
                                                      .value = control_value},
                                 report_of("mov.u32", DataType::u32), report_of("mov.b32", DataType::b32)};
  return all;
}

}  // namespace reconverge
