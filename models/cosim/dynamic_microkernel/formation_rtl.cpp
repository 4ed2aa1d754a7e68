// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/formation_rtl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  std::string built;
  for (const FormationConfiguration& one : formation_configurations()) {
    built += fmt::format("{}{} LUT lines, a FIFO of {}, {} parts of the formation area", built.empty() ? "" : "; ",
                         one.lut_lines, one.fifo, one.regions);
  }
  throw ParameterError(
      "gpu.sm.dynamic_microkernel.implementation",
      fmt::format("no RTL was built for {}; built were: {}", what, built.empty() ? "none" : built),
      "take one of these, `model`, or another list (cmake -DRECONVERGE_FORMATION_RTL=..., which needs Verilator)");
}

bool matches(const FormationConfiguration& one, const DynamicMicrokernelParameters& parameters) {
  return one.lut_lines == parameters.lut_lines && one.fifo == parameters.fifo;
}

std::string text_of(const DynamicMicrokernelParameters& parameters) {
  return fmt::format("{} LUT lines and a FIFO of {}", parameters.lut_lines, parameters.fifo);
}

}  // namespace

void require_formation_rtl(const DynamicMicrokernelParameters& parameters) {
  if (std::ranges::none_of(formation_configurations(), [&](const auto& one) { return matches(one, parameters); })) {
    refuse(text_of(parameters));
  }
}

std::unique_ptr<FormationRtl> make_formation_rtl(const DynamicMicrokernelParameters& parameters,
                                                 std::uint32_t regions) {
  require_formation_rtl(parameters);
  for (const FormationConfiguration& one : formation_configurations()) {
    if (matches(one, parameters) && regions <= one.regions) return one.make();
  }
  refuse(fmt::format("a formation area of {} parts with {}", regions, text_of(parameters)));
}

}  // namespace reconverge
