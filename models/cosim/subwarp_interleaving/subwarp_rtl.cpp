// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/subwarp_rtl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

const SubwarpConfiguration* find(std::uint32_t warps, unsigned entries) {
  const auto all = subwarp_configurations();
  const auto found = std::ranges::find_if(
      all, [&](const SubwarpConfiguration& one) { return one.entries == entries && warps <= one.warps; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void require_subwarp_rtl(std::uint32_t warps, unsigned entries) {
  if (find(warps, entries) != nullptr) return;
  std::string built;
  for (const SubwarpConfiguration& one : subwarp_configurations()) {
    built += fmt::format("{}{} warps of {} entries", built.empty() ? "" : "; ", one.warps, one.entries);
  }
  throw ParameterError(
      "gpu.sm.subwarp_interleaving.implementation",
      fmt::format("no RTL was built for {} warps a scheduler with {} entries in the thread status table of each; built "
                  "were: {}",
                  warps, entries, built.empty() ? "none" : built),
      "take one of these, `model`, or another list (cmake -DRECONVERGE_SUBWARP_RTL=..., which needs Verilator)");
}

std::unique_ptr<SubwarpRtl> make_subwarp_rtl(std::uint32_t warps, unsigned entries) {
  require_subwarp_rtl(warps, entries);
  return find(warps, entries)->make();
}

}  // namespace reconverge
