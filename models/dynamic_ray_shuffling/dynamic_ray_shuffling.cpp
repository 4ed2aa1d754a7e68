#include "models/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

#include <fmt/format.h>

#include <utility>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

RayStates& operator|=(RayStates& states, const RayStates& other) {
  states.high |= other.high;
  states.low |= other.low;
  return states;
}

std::uint32_t* states_of(const Warp& warp) {
  constexpr auto row = static_cast<std::size_t>(kernel::SpecialRow::ray_state);
  return reinterpret_cast<std::uint32_t*>(warp.context.bank[2] + row * row_bytes);
}

/// Rays in all lanes move, so none may be at work on one.
void require_all_lanes(const Warp& warp) {
  if (warp.active == all_lanes) return;
  const kernel::Program& program = *warp.context.program;
  const auto& position = warp.context.position;
  throw ExecutionError(
      fmt::format("{}: rdctrl without lane {}, which has ended or is elsewhere, in kernel '{}' (block {}, warp {})",
                  kernel::place_of(program, program.instructions[warp.pc]), first_lane(~warp.active), program.name,
                  position.block, position.warp));
}

}  // namespace

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

void DynamicRayShuffling::begin(const kernel::Program& program, std::size_t warps) {
  registers_ = program.ray_registers;
  asked_ = false;
  controlled_ = reported_ = never;
  if (registers_.empty() || warps == 0) {
    shuffler_.reset();
    return;
  }
  shuffler_.emplace(parameters_, warps, warp_size, &statistics_);
  rows_.assign(shuffler_->rows() * registers_.size(), Row{});
}

DynamicRayShuffling::Row& DynamicRayShuffling::register_of(const Warp& warp, std::size_t ray_register) const {
  return *reinterpret_cast<Row*>(warp.context.bank[0] + registers_[ray_register] * row_bytes);
}

void DynamicRayShuffling::b_transport(RayRequest& request, sc_core::sc_time& /*delay*/) {
  Cycle& last = request.report ? reported_ : controlled_;
  request.refused = last == request.now;
  request.retry = request.now + 1;
  if (request.refused || request.only_ask) return;
  last = request.now;
  asked_ = true;
  if (request.report) {
    report(request);
  } else {
    answer(request);
  }
}

void DynamicRayShuffling::report(const RayRequest& request) {
  const std::uint32_t* const states = states_of(*request.warp);
  RayStates reported;
  for_each_lane(request.lanes,
                [&](unsigned lane) { reported |= uniform_row(static_cast<RayState>(states[lane]), lane_bit(lane)); });
  if (shuffler_->renaming().row_of(request.warp->slot)) shuffler_->report(request.warp->slot, request.lanes, reported);
}

void DynamicRayShuffling::answer(RayRequest& request) {
  const Warp& warp = *request.warp;
  require_all_lanes(warp);
  const auto had = shuffler_->renaming().row_of(warp.slot);
  const RayControl control = shuffler_->control(warp.slot);
  const bool keeps = control.answer == RayControl::Answer::row && had == control.row;
  if (had && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) row(*had)[i] = register_of(warp, i);
  }
  if (control.answer == RayControl::Answer::stall) {
    request.refused = true;
    request.retry = never;
    return;
  }
  if (control.answer == RayControl::Answer::row && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) register_of(warp, i) = row(control.row)[i];
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    states_of(warp)[lane] = static_cast<std::uint32_t>(control.states.at(lane));
  }
}

void DynamicRayShuffling::exchange(const RaySwap& swap) {
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    auto& from = row(swap.source)[i].words;
    auto& to = row(swap.destination)[i].words;
    for (LaneMask a = swap.source_lanes, b = swap.destination_lanes; a != 0; a &= a - 1, b &= b - 1) {
      std::swap(from[first_lane(a)], to[first_lane(b)]);
    }
  }
}

bool DynamicRayShuffling::granted(const std::optional<RegisterAccess>& access, Cycle now) {
  if (!access) return false;
  BankRequest request;
  request.slot = static_cast<std::uint32_t>(access->row);
  request.row = registers_[access->ray_register];
  request.now = now;
  sc_core::sc_time delay;
  (*banks[access->row % banks.size()])->b_transport(request, delay);
  return request.granted;
}

void DynamicRayShuffling::tick(Cycle now) {
  RegisterGrants grants;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    grants.write[unit] = granted(shuffler_->write(unit), now);
    grants.read[unit] = granted(shuffler_->read(unit), now);
  }
  for (const RaySwap& swap : shuffler_->step(grants)) exchange(swap);
  asked_ = false;
}

}  // namespace reconverge
