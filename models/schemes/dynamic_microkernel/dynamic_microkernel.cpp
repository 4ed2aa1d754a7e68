// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/dynamic_microkernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "blocks/sm.hpp"
#include "models/core/error.hpp"
#include "models/protocols/observer.hpp"
#include "models/schemes/dynamic_microkernel/spawn_checks.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"

namespace reconverge {

namespace {

/// Device address of spawn memory that does not fit on chip: above the local memory of the SMs.
DeviceAddress device_address_of(std::uint32_t sm) { return (DeviceAddress{0x4000} + sm) << 32U; }

}  // namespace

DynamicMicrokernel::DynamicMicrokernel(sc_core::sc_module_name name, const DynamicMicrokernelParameters& parameters,
                                       const SchemePlace& place, MakeFormation make)
    : Scheme(name, place.parameters.scheduler.count),
      parameters_(parameters),
      sm_(place.sm),
      by_state_(parameters.state_bytes),
      formation_(make("formation", parameters)),
      steps_(formation_->steps()),
      scheduler_("scheduler"),
      states_("states"),
      memory_("memory"),
      choices_("choices"),
      claims_("claims"),
      releases_("releases"),
      slots_(place.parameters.warp_slots) {
  one_thread_ = parameters.implementation != DynamicMicrokernelImplementation::model;
  choices_.bind(scheduler_.choices);
  scheduler_.full_warps.bind(formation_->full_warps());
  scheduler_.partial_warps.bind(formation_->partial_warps());
  claims_.bind(states_.claims);
  releases_.bind(states_.releases);
}

void DynamicMicrokernel::begin(const SchemeLaunch& launch) {
  program_ = launch.launch.program;
  const std::size_t locations = spawn_locations(*program_).size();
  active_ = locations != 0;
  has_threads_ = yields_to_grid_ = false;
  waiting_threads_ = followed_threads_ = 0;
  spawned_in_ = forced_in_ = began_in_ = never;
  ended_.clear();
  next_event_ = never;
  std::ranges::fill(slots_, Slot{});
  const std::uint64_t threads = active_ ? launch.slots * warp_size : 0;
  const SpawnMemorySize size = spawn_memory_of(threads, locations, parameters_.state_bytes);
  const std::uint64_t blocks = (launch.slots + launch.launch.warps_per_block() - 1) / launch.launch.warps_per_block();
  const std::uint64_t shared = blocks * (program_->shared_bytes + launch.launch.dynamic_shared_bytes);
  const bool in_device = size.bytes() + shared > parameters_.on_chip;
  memory_.begin(size.bytes(), in_device ? device_address_of(sm_) : 0, parameters_.bank_conflicts);
  formation_begin_ = static_cast<SpawnAddress>(size.state_bytes);
  formation_->begin(formation_begin_, size.formation_entries);
  scheduler_.begin();
  states_.begin(threads);
  launch_warps_ = launch.launch.warps_per_block();
  room_for_threads_ = ~std::uint64_t{0};
  if (active_) update_waiting();
}

void DynamicMicrokernel::write_row(std::uint32_t slot, kernel::SpecialRow row, LaneMask lanes,
                                   const std::array<std::uint32_t, warp_size>& words) {
  RowRequest request;
  request.slot = slot;
  request.bank = kernel::Bank::special;
  request.row = static_cast<std::uint16_t>(row);
  request.write = lanes;
  request.words = words;
  send(register_rows, request);
}

void DynamicMicrokernel::start(SchemeRequest& request) {
  if (!active_) return;
  Slot& slot = slots_[request.slot];
  if (!slot.warp) claim_states(slot, request);
  slot.live |= request.lanes;
  slot.spawned &= ~request.lanes;
  scheduler_.began(slot.warp.has_value(), count_lanes(request.lanes));
  update_waiting();
}

void DynamicMicrokernel::claim_states(Slot& slot, const SchemeRequest& request) {
  std::array<std::uint32_t, warp_size> addresses{};
  for_each_lane(request.lanes, [&](unsigned lane) {
    StateClaim claim{request.slot * warp_size + lane};
    send(claims_, claim);
    slot.state[lane] = claim.state;
    addresses[lane] = address_of(claim.state);
  });
  write_row(request.slot, kernel::SpecialRow::extension_0, request.lanes, addresses);
}

void DynamicMicrokernel::begin_threads(StartRequest& request) {
  if (began_in_ == request.now) return;  // the FIFO has one port
  WarpChoice choice;
  choice.launch_left = request.others_wait;
  choice.launch_room = launch_has_room();
  send(choices_, choice);
  if (!choice.warp) return;
  began_in_ = request.now;
  const NewWarp& warp = *choice.warp;
  Slot& slot = slots_[request.slot];
  slot = Slot{};
  slot.warp = warp;
  request.path = {warp.pc, 0, kernel::no_pc};
  for (unsigned lane = 0; lane < warp.threads; ++lane) {
    request.path.lanes |= lane_bit(lane);
    request.identity[lane] = warp.first() + lane * formation_entry_bytes;
    slot.state[lane] = state_in(request.identity[lane]);
    memory_.expect(address_of(slot.state[lane]), parameters_.state_bytes);
  }
  if (observer_ != nullptr) observer_->spawned_begin({observed_sm_, request.slot, part_of(warp.first())});
  waiting_threads_ -= warp.threads;
  ++(choice.forced ? statistics_.partial_warps : statistics_.full_warps);
  if (choice.forced) {
    forced_in_ = request.now;
    statistics_.partial_threads += warp.threads;
  }
  retry(DynamicMicrokernelCause::new_warp_fifo, request.now);
  update_waiting();
  end_cycle(request.now);
}

void DynamicMicrokernel::exit(SchemeRequest& request) {
  if (!active_) return;
  Slot& slot = slots_[request.slot];
  for_each_lane(request.lanes & ~slot.spawned, [&](unsigned lane) {
    StateRelease release{slot.state[lane]};
    send(releases_, release);
    ++statistics_.states_left;
  });
  followed_threads_ += count_lanes(request.lanes & slot.spawned);
  slot.live &= ~request.lanes;
  scheduler_.ended(slot.warp.has_value(), count_lanes(request.lanes));
  if (slot.live == 0 && slot.warp) {
    ended_.push_back(*slot.warp);
    next_event_ = request.now;
    slot.warp.reset();
  }
  update_waiting();
}

void DynamicMicrokernel::tick(Cycle /*now*/) {
  for (const NewWarp& warp : ended_) formation_->release(warp);
  ended_.clear();
  formation_->step();
  next_event_ = never;
  update_waiting();
}

void DynamicMicrokernel::update_waiting() {
  const bool full = formation_->has_full();
  has_threads_ = full || (formation_->has_partial() && scheduler_.may_force());
  room_for_threads_ = states_.free();
  yields_to_grid_ = !full && scheduler_.launch_goes_on(launch_has_room());
}

void DynamicMicrokernel::note_spawn(const SchemeRequest& request) const {
  std::optional<std::uint32_t> last;
  // Entries of one region are contiguous.
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint32_t part = part_of(offer_.address[lane]);
    if (part != last) observer_->threads_spawned({observed_sm_, request.slot, part});
    last = part;
  });
}

void DynamicMicrokernel::require_unspawned(const SchemeRequest& request) const {
  const LaneMask again = request.lanes & slots_[request.slot].spawned;
  if (again == 0) return;
  throw ExecutionError(fmt::format(
      "{}: a thread spawns a second time in kernel '{}' (warp slot {}, lane {}): its state belongs to the first thread "
      "that it created, so it may only end",
      kernel::place_of(*program_, *request.instruction), program_->name, request.slot, first_lane(again)));
}

void DynamicMicrokernel::hold(SchemeRequest& request, DynamicMicrokernelCause cause, Cycle until) {
  request.answer = SchemeAnswer::wait;
  request.cause = static_cast<std::uint8_t>(cause);
  request.until = until;
}

void DynamicMicrokernel::retry(DynamicMicrokernelCause cause, Cycle now) {
  RetryRequest request{static_cast<std::uint8_t>(cause), now + 1};
  send(retries, request);
}

void DynamicMicrokernel::ask(SchemeRequest& request) {
  if (!is_spawn(*request.instruction) || request.lanes == 0) return;
  require_unspawned(request);
  if (spawned_in_ == request.now || forced_in_ == request.now)
    return hold(request, DynamicMicrokernelCause::spawn_port, request.now + 1);
  end_cycle(request.now);
  offer_ = formation_->offer(request.instruction->target, request.lanes);
  switch (offer_.stall) {
    case Formation::Stall::area:
      throw std::logic_error("the formation area has no room for new threads");  // see departure 3
    case Formation::Stall::fifo:
      return hold(request, DynamicMicrokernelCause::new_warp_fifo, never);
    case Formation::Stall::none:
      break;
  }
  write_row(request.slot, kernel::SpecialRow::extension_1, request.lanes, offer_.address);
}

void DynamicMicrokernel::issued(SchemeRequest& request) {
  if (!is_spawn(*request.instruction) || request.lanes == 0) return;
  spawned_in_ = request.now;
  Slot& slot = slots_[request.slot];
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint32_t pointer = memory_.word(offer_.address[lane]);
    if (pointer == address_of(slot.state[lane])) return;
    throw ExecutionError(
        fmt::format("{}: a thread spawns with the pointer {:#x} in kernel '{}' (warp slot {}, lane {}), and its state "
                    "is at {:#x}",
                    kernel::place_of(*program_, *request.instruction), pointer, program_->name, request.slot, lane,
                    address_of(slot.state[lane])));
  });
  formation_->create(request.instruction->target, request.lanes);
  if (observer_ != nullptr) note_spawn(request);
  slot.spawned |= request.lanes;
  const unsigned threads = count_lanes(request.lanes);
  ++statistics_.spawns;
  statistics_.threads_spawned += threads;
  waiting_threads_ += threads;
  update_waiting();
  end_cycle(request.now);
}

}  // namespace reconverge
