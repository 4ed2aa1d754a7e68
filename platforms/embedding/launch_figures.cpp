// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/launch_figures.hpp"

#include <boost/json/object.hpp>

#include "models/execution/operations/operation.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/figures.hpp"
#include "platforms/report/json_section.hpp"

namespace reconverge::embedding {

namespace {

/// Of a machine that counts instructions only.
std::vector<Figure> figures_of(const InstructionCounts& counts) {
  const auto warps = static_cast<double>(counts.warp_instructions);
  const auto threads = static_cast<double>(counts.thread_instructions);
  return {{"warp_instructions", "warp instructions", "Warp instructions executed.", "counted by the machine", warps},
          {"thread_instructions", "thread instructions", "Instructions of single threads.", "counted by the machine",
           threads},
          {"simd_efficiency", "share", "Lanes that worked, of all lanes of the executed warp instructions.",
           "thread_instructions / (32 * warp_instructions)", ratio(threads, warp_size * warps)}};
}

}  // namespace

std::vector<Figure> figures_of(const launch::LaunchResult& result, const Device& device) {
  if (!result.counters) return figures_of(result.instructions);
  return report::figures(measure(device.parameters(), *result.counters, std::nullopt, device.kinds()));
}

std::string counters_json(const launch::LaunchResult& result) {
  return configuration::pretty(result.counters ? report::values_of(*result.counters) : boost::json::object{});
}

}  // namespace reconverge::embedding
