// SPDX-License-Identifier: Apache-2.0
// The beginning, waiting and end of thread blocks, warps and threads in an SM.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/company.hpp"
#include "platforms/machines/gpu/residency.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/gpu/sm.hpp"

namespace reconverge {

using kernel::OperationClass;

namespace {

constexpr std::uint64_t most_local_bytes = std::uint64_t{4} << 30U;

/// Local memory of SMs is above the arena, far apart.
DeviceAddress local_address_of(std::uint32_t sm) { return (DeviceAddress{0x100} + sm) << 32U; }

/// Whether the instruction reveals where a thread runs, to itself or to other threads of its block or warp.
bool place_matters(const kernel::Instruction& instruction) {
  const auto reads_place = [](kernel::Operand operand) {
    if (!operand.present() || operand.bank() != kernel::Bank::special) return false;
    const auto row = static_cast<kernel::SpecialRow>(operand.row());
    return row == kernel::SpecialRow::laneid || row == kernel::SpecialRow::warpid;
  };
  return instruction.operation_class == OperationClass::barrier || kernel::asks_for_lanes(instruction) ||
         std::any_of(instruction.source.begin(), instruction.source.end(), reads_place);
}

SchemeRequest message_of(SchemeEvent event, const Warp& warp, LaneMask lanes, Cycle now) {
  SchemeRequest message;
  message.event = event;
  message.slot = warp.slot;
  message.lanes = lanes;
  message.path = warp.path;
  message.pc = warp.path.pc;
  message.live = warp.live;
  message.position = warp.context.position;
  message.block_slot = warp.block_slot;
  message.now = now;
  return message;
}

/// Threads may begin one by one, in any lane, only if no thread can observe it.
bool threads_are_alone(const Launch& launch) {
  if (launch.cooperative || uses_shared_memory(launch)) return false;
  const auto& instructions = launch.program->instructions;
  return std::none_of(instructions.begin(), instructions.end(), place_matters);
}

}  // namespace

std::uint64_t Sm::registers_for_warps(const Launch& launch) const {
  std::uint64_t left = parameters_.register_file.registers;
  for (const auto& scheme : schemes_) left -= std::min(left, scheme->registers_taken(*launch.program));
  return left;
}

std::size_t Sm::warps_that_fit(const Launch& launch) const {
  return reconverge::warps_that_fit(launch, parameters_, registers_for_warps(launch));
}

std::size_t Sm::blocks_that_fit(const Launch& launch, std::size_t warps) const {
  return reconverge::blocks_that_fit(launch, parameters_, registers_for_warps(launch), warps);
}

StartUnit Sm::start_unit(const Launch& launch) const {
  if (traits_.lanes_alone && threads_are_alone(launch)) return StartUnit::thread;
  return starts_by_warp(launch) ? StartUnit::warp : StartUnit::block;
}

bool Sm::starts_by_warp(const Launch& launch) const { return reconverge::starts_by_warp(launch, parameters_, traits_); }

std::uint64_t Sm::blocks_at_once(const Launch& launch) const {
  return reconverge::blocks_at_once(launch, parameters_, traits_, registers_for_warps(launch));
}

void Sm::divide_storage(const Launch& launch, std::uint64_t resident) {
  const std::vector<std::uint64_t>& carve_outs = parameters_.carve_outs;
  if (carve_outs.empty()) return;
  const std::uint64_t wanted = resident * (launch.program->shared_bytes + launch.dynamic_shared_bytes);
  const auto enough = std::ranges::find_if(carve_outs, [&](std::uint64_t kib) { return kib * 1024 >= wanted; });
  l1_.resize(parameters_.l1.capacity - (enough != carve_outs.end() ? *enough : carve_outs.back()) * 1024);
}

void Sm::begin(const Launch& launch, const ProgramImage& image, DeviceMemory& device, MemoryView* view, Cycle first) {
  launch_ = &launch;
  usable_warps_ = warps_that_fit(launch);
  const std::size_t blocks_resident = blocks_that_fit(launch, usable_warps_);
  const StartUnit unit = start_unit(launch);
  if (unit == StartUnit::block ? blocks_resident == 0 : usable_warps_ == 0) {
    throw InputError(
        {launch.program->file, 0, 0},
        fmt::format("a block of {} threads of kernel '{}' ({} registers a thread, {} bytes of shared memory) "
                    "does not fit in an SM",
                    launch.threads_per_block(), launch.program->name, launch.program->registers,
                    launch.program->shared_bytes + launch.dynamic_shared_bytes),
        "use smaller blocks, or raise sm.register_file.registers, sm.warp_slots or sm.shared_memory");
  }
  const std::uint64_t local_bytes = std::uint64_t{sms_} * usable_warps_ * warp_size * launch.local_bytes();
  if (local_bytes > most_local_bytes) {
    throw InputError(
        {launch.program->file, 0, 0},
        fmt::format("kernel '{}' needs {} bytes of local memory a thread, {} MiB for all that are resident",
                    launch.program->name, launch.local_bytes(), local_bytes >> 20U),
        "4096 MiB are possible: use a smaller stack, or lower gpu.sms or gpu.sm.warp_slots");
  }
  resident_warps_ = 0;
  abandoned_ = false;
  may_begin_ = true;
  next_age_ = 0;
  running_threads_ = ended_threads_ = 0;
  grid_.begin(launch, {unit, usable_warps_, blocks_resident, traits_.whole_blocks, !begun_by_schemes_.empty()}, first);
  for (auto& source : own_threads_) source->begin(launch, first + blocks_by_turns());

  register_file_.hold(usable_warps_ * launch.program->register_rows);
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  register_storage_->get_direct_mem_ptr(payload, dmi);
  setup_.set_view(view);
  setup_.begin(launch, image, device,
               {reinterpret_cast<std::byte*>(dmi.get_dmi_ptr()), index_, sms_, local_address_of(index_)},
               {usable_warps_, unit == StartUnit::block ? blocks_resident : 1});
  for (Warp& warp : warps_) {
    warp.live = 0;
    warp.path.lanes = 0;
    warp.at_barrier = false;
    warp.held_by_scheme = false;
  }
  divide_storage(launch, unit == StartUnit::block ? blocks_resident : 0);
  for (FirstLevelCache* cache : caches_) cache->invalidate();
  if (constant_l15_) constant_l15_->invalidate();
  scoreboard_->begin(image);
  const std::size_t warps = warps_to_come();
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    schemes_[i]->begin({launch, image, warps, usable_warps_});
    scheme_interfaces_[i]->begin(*launch.program);
    if (!schemes_[i]->memory().empty()) setup_.set_spawn_memory(schemes_[i]->memory());
    if (auto* const fetches = schemes_[i]->fetches()) setup_.set_fetches(fetches);
  }
  load_store_.begin();
  local_ = clock_.now();
  const std::vector<std::uint8_t> owners = owners_of_extensions(*launch.program, kinds_);
  for (auto& scheduler : schedulers_) scheduler->begin(image, owners, local_);
  for (auto& collector : collectors_) collector->begin();
  instruction_cache_.begin();
  for (auto& fetch : fetches_) fetch->begin(launch.program->instructions.size());
  woken_ = never;
  wake_at(first);
}

std::size_t Sm::warps_to_come() const {
  const std::uint64_t all = launch_->blocks();
  const std::uint64_t turns = blocks_by_turns();
  if (all > turns * sms_) {
    return start_unit(*launch_) == StartUnit::block ? turns * launch_->warps_per_block() : usable_warps_;
  }
  return (all + sms_ - 1 - index_) / sms_ * launch_->warps_per_block();
}

void Sm::begin_warp(ThreadSource& source, Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) {
  source_of_[warp.slot] = &source;
  warp.age = next_age_++;
  ++resident_warps_;
  ++statistics_.warps_launched;
  begin_threads(warp, lanes, pc, now);
  go_on(warp, now, now);
}

bool Sm::tell(SchemeEvent event, Warp& warp, LaneMask lanes, Cycle now) {
  SchemeRequest message = message_of(event, warp, lanes, now);
  sc_core::sc_time delay;
  paths_->b_transport(message, delay);
  take(message, warp);
  return !warp.held_by_scheme;
}

void Sm::take(const SchemeRequest& answered, Warp& warp) {
  if (answered.answer != SchemeAnswer::keep) warp.path = answered.path;
  warp.held_by_scheme = answered.answer == SchemeAnswer::wait;
  warp.held_for = answered.cause;
  warp.held_until = answered.until;
}

void Sm::tell_beside(SchemeEvent event, const Warp& warp, LaneMask lanes, Cycle now) {
  for (auto& socket : beside_) {
    SchemeRequest message = message_of(event, warp, lanes, now);
    sc_core::sc_time delay;
    (*socket)->b_transport(message, delay);
  }
}

std::size_t Sm::free_for_grid() const {
  std::uint64_t room = free();
  for (const auto& scheme : schemes_) room = std::min(room, scheme->room_for_threads() / warp_size);
  return room;
}

void Sm::go_on(const Warp& warp, Cycle now, Cycle from) {
  if (warp.held_by_scheme) {
    scheduler_of(warp).stand(warp, now, 0, warp.held_for, warp.held_until);
  } else if (has_path(warp)) {  // otherwise the path was set aside, and continues when it runs again
    scheduler_of(warp).resume(warp, now, from);
  }
}

void Sm::begin_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) {
  moved_ = true;
  statistics_.threads_launched += count_lanes(lanes);
  running_threads_ += count_lanes(lanes);
  scoreboard_->clear(warp.slot, lanes);
  warp.at_barrier = false;
  warp.homes.moved = false;
  warp.path.pc = pc;
  tell_beside(SchemeEvent::start, warp, lanes, now);
  tell(SchemeEvent::start, warp, lanes, now);
  warp.live |= lanes;
  if (observer_ != nullptr) observer_->threads_started(threads_note(warp, lanes, pc, now));
}

void Sm::join_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) {
  begin_threads(warp, lanes, pc, now);
  go_on(warp, now, now);
}

std::uint64_t Sm::threads_done() const {
  std::uint64_t followed = 0;
  for (const auto& scheme : schemes_) followed += scheme->threads_followed();
  return ended_threads_ - followed;
}

bool Sm::drained() const {
  return std::ranges::all_of(begun_by_schemes_, [](const ThreadSource* source) { return source->drained(); });
}

void Sm::threads_ended(Warp& warp, LaneMask lanes, Cycle now) {
  moved_ = true;
  may_begin_ = true;
  running_threads_ -= count_lanes(lanes);
  ended_threads_ += count_lanes(lanes);
  if (warp.homes.moved) {
    for_each_lane(lanes, [&](unsigned lane) {
      Warp& home = warps_[warp.homes.slot[lane]];
      home.live &= ~lane_bit(lane);
      if (home.live == 0) --resident_warps_;
    });
    if (observer_ != nullptr) observer_->threads_ended(threads_note(warp, lanes, kernel::no_pc, now));
    source_of_[warp.slot]->ended(warp, lanes, now);
    return;
  }
  warp.live &= ~lanes;
  tell_beside(SchemeEvent::exit, warp, lanes, now);
  if (observer_ != nullptr) observer_->threads_ended(threads_note(warp, lanes, kernel::no_pc, now));
  source_of_[warp.slot]->ended(warp, lanes, now);
  // Others may have taken their lanes.
  if (warp.live == 0) --resident_warps_;
}

void Sm::barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) {
  source_of_[warp.slot]->barrier_reached(warp, barrier, lanes, now);
}

void Sm::release_part(Warp& warp, LaneMask lanes, Cycle now) {
  SchemeRequest message = message_of(SchemeEvent::release, warp, lanes, now);
  sc_core::sc_time delay;
  paths_->b_transport(message, delay);
  if (message.answer == SchemeAnswer::keep) return;  // it runs others, or is about to
  take(message, warp);
  go_on(warp, now, now + 1);
}

void Sm::release(const std::vector<BlockBarriers::Released>& released, Cycle now) {
  if (released.empty()) return;
  moved_ = true;
  ++statistics_.barriers;
  for (const BlockBarriers::Released& one : released) {
    Warp& warp = *one.warp;
    if (warp.live == 0) continue;
    warp.at_barrier = false;
    if (traits_.independent) {
      release_part(warp, one.lanes, now);
      continue;
    }
    const bool runs = tell(SchemeEvent::release, warp, one.lanes, now);
    if (runs && warp.path.pc == warp.path.stop) tell(SchemeEvent::stop, warp, warp.path.lanes, now);
    go_on(warp, now, now + 1);
  }
}

}  // namespace reconverge
