// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"

#include <fmt/format.h>

#include <tuple>

namespace reconverge {

RayPorts::Sizes RayPorts::sizes_of(const DynamicRayShufflingParameters& parameters, std::size_t warps) {
  if (parameters.ideal) twin::refuse_rtl<RayPorts>("ideal shuffling");
  const DynamicRayShufflingParameters built;
  const auto pipeline = [](const DynamicRayShufflingParameters& one) {
    return std::tie(one.control_latency, one.report_latency, one.choice_latency, one.table_reads);
  };
  if (pipeline(parameters) != pipeline(built)) twin::refuse_rtl<RayPorts>("a pipeline with other latencies or ports");
  return {warps, parameters.backup_rows, parameters.swap_buffers, parameters.ray_registers};
}

std::string RayPorts::text_of(const Sizes& sizes) {
  return fmt::format("{}{} backup rows, {} swap buffers, {} ray registers",
                     sizes.warps == 0 ? "" : fmt::format("{} warps, ", sizes.warps), sizes.backup_rows,
                     sizes.swap_buffers, sizes.ray_registers);
}

}  // namespace reconverge
