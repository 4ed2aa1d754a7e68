#include "models/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/dynamic_ray_shuffling/dynamic_ray_shuffling_by.hpp"

namespace reconverge {

DynamicRayShuffling::DynamicRayShuffling(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                                         std::size_t schedulers)
    : sc_module(name), rays("rays"), parameters_(parameters) {
  rays.bind(*this);
  for (std::size_t i = 0; i < schedulers; ++i) {
    banks.push_back(std::make_unique<Bank>(fmt::format("banks_{}", i).c_str()));
  }
}

std::uint64_t DynamicRayShuffling::extra_registers() const {
  return parameters_.extra_bank ? 0 : RayShuffler::extra_registers(parameters_);
}

void require_all_lanes(const Warp& warp) {
  if (warp.active == all_lanes) return;
  const kernel::Program& program = *warp.context.program;
  const auto& position = warp.context.position;
  throw ExecutionError(
      fmt::format("{}: rdctrl without lane {}, which has ended or is elsewhere, in kernel '{}' (block {}, warp {})",
                  kernel::place_of(program, program.instructions[warp.pc]), first_lane(~warp.active), program.name,
                  position.block, position.warp));
}

template class DynamicRayShufflingBy<RayShuffler>;

}  // namespace reconverge
