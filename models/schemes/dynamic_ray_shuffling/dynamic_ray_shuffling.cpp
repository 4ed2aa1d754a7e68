// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling_by.hpp"

namespace reconverge {

DynamicRayShuffling::DynamicRayShuffling(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                                         std::size_t warp_slots, std::size_t schedulers)
    : Scheme(name, schedulers),
      parameters_(parameters),
      has_control_(warp_slots),
      waiting_since_(warp_slots),
      stack_target_("stacks", *this) {
  one_thread_ = parameters.implementation != DynamicRayShufflingImplementation::model;
}

std::uint64_t DynamicRayShuffling::registers_taken(const kernel::Program& program) const {
  if (program.extension_registers.empty() || parameters_.extra_bank) return 0;
  return RayShuffler::extra_registers(parameters_);
}

void DynamicRayShuffling::begin(const SchemeLaunch& launch) {
  program_ = launch.launch.program;
  registers_ = program_->extension_registers;
  has_control_.assign(has_control_.size(), false);
  waiting_since_.assign(waiting_since_.size(), std::nullopt);
  next_event_ = never;
  begin_shuffling(registers_.empty() ? 0 : launch.warps);
  stacks_ = RowStacks(registers_.empty() ? RayStacks{} : launch.launch.ray_stacks);
}

DynamicRayShuffling::StackTarget::StackTarget(sc_core::sc_module_name name, DynamicRayShuffling& block)
    : sc_module(name), accesses("accesses"), block_(block) {
  accesses.bind(*this);
}

void DynamicRayShuffling::StackTarget::b_transport(StackRequest& request, sc_core::sc_time& /*delay*/) {
  if (!block_.stacks_.hold(request.access)) return;
  if (const auto row = block_.row_of(request.slot)) {
    block_.stacks_.place(*row, request.local_address, request.access);
  }
}

void DynamicRayShuffling::require_all_lanes(const SchemeRequest& request) const {
  if (request.path.lanes == all_lanes) return;
  throw ExecutionError(
      fmt::format("{}: rdctrl without lane {}, which has ended or is elsewhere, in kernel '{}' (block {}, warp {})",
                  kernel::place_of(*program_, *request.instruction), first_lane(~request.path.lanes), program_->name,
                  request.position.block, request.position.warp));
}

LaneWords DynamicRayShuffling::read(std::uint32_t slot, kernel::Bank bank, std::size_t row) {
  RowRequest request;
  request.slot = slot;
  request.bank = bank;
  request.row = static_cast<std::uint16_t>(row);
  send(register_rows, request);
  return {request.words};
}

void DynamicRayShuffling::write(std::uint32_t slot, kernel::Bank bank, std::size_t row, const LaneWords& words) {
  RowRequest request;
  request.slot = slot;
  request.bank = bank;
  request.row = static_cast<std::uint16_t>(row);
  request.write = all_lanes;
  request.words = words.words;
  send(register_rows, request);
}

template class DynamicRayShufflingBy<IdealShuffler>;
template class DynamicRayShufflingBy<RayShuffler>;

}  // namespace reconverge
