// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/rtl_block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  std::string built;
  for (const RtlConfiguration& one : rtl_configurations()) {
    built += fmt::format("{}{} warps, {} backup rows, {} swap buffers, {} ray registers", built.empty() ? "" : "; ",
                         one.warps, one.backup_rows, one.swap_buffers, one.ray_registers);
  }
  throw ParameterError(
      "gpu.sm.dynamic_ray_shuffling.implementation",
      fmt::format("no RTL was built for {}; built were: {}", what, built.empty() ? "none" : built),
      "take one of these, `model`, or another list (cmake -DRECONVERGE_RTL=..., which needs Verilator)");
}

bool matches(const RtlConfiguration& one, const DynamicRayShufflingParameters& parameters) {
  return one.backup_rows == parameters.backup_rows && one.swap_buffers == parameters.swap_buffers &&
         one.ray_registers == parameters.ray_registers;
}

std::string text_of(const DynamicRayShufflingParameters& parameters) {
  return fmt::format("{} backup rows, {} swap buffers, {} ray registers", parameters.backup_rows,
                     parameters.swap_buffers, parameters.ray_registers);
}

}  // namespace

void require_rtl(const DynamicRayShufflingParameters& parameters) {
  if (parameters.ideal) refuse("ideal shuffling");
  if (std::ranges::none_of(rtl_configurations(), [&](const auto& one) { return matches(one, parameters); })) {
    refuse(text_of(parameters));
  }
}

std::unique_ptr<RtlBlock> make_rtl(const DynamicRayShufflingParameters& parameters, std::size_t warps) {
  require_rtl(parameters);
  for (const RtlConfiguration& one : rtl_configurations()) {
    if (matches(one, parameters) && one.warps == warps) return one.make();
  }
  refuse(fmt::format("a launch of {} warps with {}", warps, text_of(parameters)));
}

}  // namespace reconverge
