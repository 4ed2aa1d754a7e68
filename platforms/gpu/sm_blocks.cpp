// How thread blocks, warps and threads come to an SM, wait for one another, and end.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/occupancy.hpp"
#include "platforms/gpu/sm.hpp"

namespace reconverge {

using kernel::OperationClass;

namespace {

constexpr std::uint64_t most_local_bytes = std::uint64_t{4} << 30U;

/// Local memory of SMs lies above the arena, far apart.
DeviceAddress local_address_of(std::uint32_t sm) { return (DeviceAddress{0x100} + sm) << 32U; }

/// Whether where a thread runs shows: to others of its block or warp, or to itself.
bool place_matters(const kernel::Instruction& instruction) {
  const auto reads_place = [](kernel::Operand operand) {
    if (!operand.present() || operand.bank() != kernel::Bank::special) return false;
    const auto row = static_cast<kernel::SpecialRow>(operand.row());
    return row == kernel::SpecialRow::laneid || row == kernel::SpecialRow::warpid;
  };
  return instruction.operation_class == OperationClass::barrier ||
         instruction.operation_class == OperationClass::warp ||
         std::any_of(instruction.source.begin(), instruction.source.end(), reads_place);
}

kernel::LaunchNeeds needs_of(const Launch& launch) {
  const kernel::Program& program = *launch.program;
  return {program.registers, std::uint64_t{program.shared_bytes} + launch.dynamic_shared_bytes,
          launch.threads_per_block()};
}

kernel::SmLimits limits_of(const SmParameters& parameters, std::uint64_t registers, std::uint64_t warp_slots) {
  return {registers, 1, parameters.shared_memory, warp_slots, parameters.block_slots};
}

/// Threads may begin one by one, in any lane, only where nobody can tell.
bool threads_are_alone(const Launch& launch) {
  if (launch.program->shared_bytes + launch.dynamic_shared_bytes != 0) return false;
  const auto& instructions = launch.program->instructions;
  return std::none_of(instructions.begin(), instructions.end(), place_matters);
}

/// Warps may begin one by one where none waits for, or shares memory with, another of its block.
bool warps_are_alone(const Launch& launch) {
  if (launch.program->shared_bytes + launch.dynamic_shared_bytes != 0) return false;
  const auto& instructions = launch.program->instructions;
  return std::none_of(instructions.begin(), instructions.end(), [](const kernel::Instruction& instruction) {
    return BlockBarriers::is_block_barrier(instruction);
  });
}

}  // namespace

std::uint64_t Sm::registers_for_warps(const Launch& launch) const {
  std::uint64_t left = parameters_.register_file.registers;
  for (const auto& scheme : schemes_) left -= std::min(left, scheme->registers_taken(*launch.program));
  return left;
}

std::size_t Sm::warps_that_fit(const Launch& launch) const {
  return occupancy(needs_of(launch), limits_of(parameters_, registers_for_warps(launch), parameters_.warp_slots),
                   kernel::LaunchUnit::warp)
      .warps;
}

std::size_t Sm::blocks_that_fit(const Launch& launch, std::size_t warps) const {
  return occupancy(needs_of(launch), limits_of(parameters_, registers_for_warps(launch), warps),
                   kernel::LaunchUnit::block)
      .blocks;
}

bool Sm::starts_by_warp(const Launch& launch) const {
  return parameters_.launch_unit == SmLaunchUnit::warp && !traits_.whole_blocks && warps_are_alone(launch);
}

std::uint64_t Sm::blocks_at_once(const Launch& launch) const {
  const std::uint64_t warps = warps_that_fit(launch);
  if (!starts_by_warp(launch)) return blocks_that_fit(launch, warps);
  return (warps + launch.warps_per_block() - 1) / launch.warps_per_block();
}

void Sm::begin(const Launch& launch, const ProgramImage& image, DeviceMemory& device) {
  launch_ = &launch;
  usable_warps_ = warps_that_fit(launch);
  const std::size_t blocks_resident = blocks_that_fit(launch, usable_warps_);
  refills_lanes_ = traits_.lanes_alone && threads_are_alone(launch);
  refills_ = refills_lanes_ || starts_by_warp(launch);
  if (refills_ ? usable_warps_ == 0 : blocks_resident == 0) {
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
  refill_open_ = false;
  refill_ended_ = 0;
  resident_warps_ = 0;
  next_age_ = 0;
  running_threads_ = own_threads_ = 0;
  block_slots_.resize(refills_ ? 1 : blocks_resident);
  for (Block& block : block_slots_) block.used = false;
  free_block_slots_ = block_slots_.size();

  register_file_.hold(usable_warps_ * launch.program->register_rows);
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  register_storage_->get_direct_mem_ptr(payload, dmi);
  setup_.begin(launch, image, device,
               {reinterpret_cast<std::byte*>(dmi.get_dmi_ptr()), index_, sms_, local_address_of(index_)}, usable_warps_,
               block_slots_.size());
  for (Warp& warp : warps_) {
    warp.live = 0;
    warp.path.lanes = 0;
    warp.at_barrier = false;
    warp.held_by_scheme = false;
  }
  for (L1Cache* cache : caches_) cache->invalidate();
  scoreboard_->begin(image);
  const std::size_t warps = warps_to_come();
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    schemes_[i]->begin({launch, image, warps});
    doors_[i]->begin(*launch.program);
  }
  local_ = clock_.now();
  const std::vector<std::uint8_t> owners = owners_of_extensions(*launch.program, kinds_);
  for (auto& scheduler : schedulers_) scheduler->begin(image, owners, local_);
  for (auto& collector : collectors_) collector->begin();
  instruction_cache_.begin();
  for (auto& fetch : fetches_) fetch->begin(launch.program->instructions.size());
  woken_ = local_;
  wake_.notify(sc_core::SC_ZERO_TIME);
}

std::size_t Sm::warps_to_come() const {
  const std::uint64_t all = launch_->grid.count();
  const std::uint64_t turns = blocks_by_turns();
  if (all > turns * sms_) return refills_ ? usable_warps_ : turns * launch_->warps_per_block();
  return (all + sms_ - 1 - index_) / sms_ * launch_->warps_per_block();
}

Cycle Sm::blocks_by_turns() const {
  // Lanes that are filled one by one take all blocks that they need at once.
  if (refills_lanes_) return 0;
  if (!refills_) return block_slots_.size();
  return usable_warps_ / ((launch_->threads_per_block() + warp_size - 1) / warp_size);
}

bool Sm::room_for_block() const {
  if (refills_) return resident_warps_ < usable_warps_;
  if (free_block_slots_ == 0) return false;
  if (!own_threads_may_come_) return true;
  const auto free = std::ranges::count_if(warps_, [this](const Warp& warp) { return is_free(warp); });
  return static_cast<std::uint64_t>(free) >= launch_->warps_per_block();
}

bool Sm::is_free_for(const Warp& warp, std::uint32_t block_slot) const {
  if (warp.slot >= usable_warps_) return false;
  // Any warp of a block may get a path as long as the block runs, so each block has slots of its own.
  return traits_.whole_blocks ? warp.slot / launch_->warps_per_block() == block_slot : warp.live == 0;
}

void Sm::admit(std::uint64_t block_index, Cycle now) {
  if (refills_) {
    refill_block_ = block_index;
    refill_thread_ = 0;
    refill_open_ = true;
    fill_warps(now);
    return;
  }
  const auto free =
      std::find_if(block_slots_.begin(), block_slots_.end(), [](const Block& block) { return !block.used; });
  const auto block_slot = static_cast<std::uint32_t>(free - block_slots_.begin());
  free->used = true;
  --free_block_slots_;
  free->live_threads = launch_->threads_per_block();
  admitted_.clear();
  setup_.clear_shared(block_slot);
  std::uint32_t thread = 0;
  for (Warp& warp : warps_) {
    if (thread == launch_->threads_per_block()) break;
    if (!is_free_for(warp, block_slot)) continue;
    warp.block_slot = block_slot;
    warp.in_block = true;
    setup_.attach(warp);
    warp.context.position = {static_cast<std::uint32_t>(block_index), thread / warp_size};
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < warp_size && thread < launch_->threads_per_block(); ++lane, ++thread) {
      setup_.set_thread(warp, lane, block_index, thread);
      lanes |= lane_bit(lane);
    }
    admitted_.push_back(&warp);
    warp.age = next_age_++;
    ++resident_warps_;
    ++statistics_.warps_launched;
    start_threads(warp, lanes, 0, now);
    scheduler_of(warp).resume(warp, now, now);
  }
  free->barriers.begin(admitted_);
}

bool Sm::tell(SchemeEvent event, Warp& warp, LaneMask lanes, Cycle now) {
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
  sc_core::sc_time delay;
  paths_->b_transport(message, delay);
  if (message.answer != SchemeAnswer::keep) warp.path = message.path;
  warp.held_by_scheme = message.answer == SchemeAnswer::wait;
  warp.held_for = message.cause;
  return !warp.held_by_scheme;
}

void Sm::start_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) {
  moved_ = true;
  statistics_.threads_launched += count_lanes(lanes);
  running_threads_ += count_lanes(lanes);
  scoreboard_->clear(warp.slot, lanes);
  warp.at_barrier = false;
  warp.homes.moved = false;
  warp.path.pc = pc;
  tell(SchemeEvent::start, warp, lanes, now);
  warp.live |= lanes;
}

bool Sm::drained() const {
  return own_threads_ == 0 && std::ranges::all_of(schemes_, [](const auto& scheme) { return scheme->drained(); });
}

bool Sm::room_for_own_threads() const {
  if (!own_threads_may_come_) return false;
  return std::ranges::any_of(schemes_, [](const auto& scheme) { return scheme->has_threads(); }) &&
         std::ranges::any_of(warps_, [this](const Warp& warp) { return is_free(warp); });
}

void Sm::start_own_threads(Cycle now) {
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    for (Warp& warp : warps_) {
      if (!schemes_[i]->has_threads()) break;
      if (!is_free(warp)) continue;
      StartRequest request;
      request.slot = warp.slot;
      request.now = now;
      request.others_wait = refill_open_ || !blocks->exhausted();
      sc_core::sc_time delay;
      (*own_starts_[i])->b_transport(request, delay);
      if (request.path.lanes == 0) break;
      warp.in_block = false;
      warp.block_slot = 0;
      setup_.attach(warp);
      warp.context.shared_bytes = 0;  // that of a block is not theirs
      for_each_lane(request.path.lanes,
                    [&](unsigned lane) { setup_.set_own_thread(warp, lane, request.identity[lane]); });
      warp.age = next_age_++;
      ++resident_warps_;
      ++statistics_.warps_launched;
      own_threads_ += count_lanes(request.path.lanes);
      start_threads(warp, request.path.lanes, request.path.pc, now);
      scheduler_of(warp).resume(warp, now, now);
    }
  }
}

/// Starts whole warps with threads of the open block, handed out one by one, while slots are free.
void Sm::fill_warps(Cycle now) {
  for (Warp& warp : warps_) {
    if (warp.slot >= usable_warps_ || !refill_open_) break;
    if (warp.live != 0) continue;
    warp.block_slot = 0;
    warp.in_block = true;
    setup_.attach(warp);
    warp.age = next_age_++;
    ++resident_warps_;
    ++statistics_.warps_launched;
    refill(warp, all_lanes, now);
    scheduler_of(warp).resume(warp, now, now);
  }
}

bool Sm::refill(Warp& warp, LaneMask lanes, Cycle start) {
  LaneMask started = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (!refill_open_) {
      if (!refills_lanes_) return;  // a warp has threads of one block
      const auto block = blocks->next_block(index_, start);
      if (!block) return;
      refill_block_ = *block;
      refill_thread_ = 0;
      refill_open_ = true;
    }
    warp.context.position = {static_cast<std::uint32_t>(refill_block_), refill_thread_ / warp_size};
    setup_.set_thread(warp, lane, refill_block_, refill_thread_++);
    refill_open_ = refill_thread_ < launch_->threads_per_block();
    started |= lane_bit(lane);
  });
  if (started == 0) return false;
  start_threads(warp, started, 0, start);
  return true;
}

void Sm::threads_ended(Warp& warp, LaneMask lanes, Cycle now) {
  moved_ = true;
  if (!warp.homes.moved) {
    warp.live &= ~lanes;
  } else {
    for_each_lane(lanes, [&](unsigned lane) { warps_[warp.homes.slot[lane]].live &= ~lane_bit(lane); });
  }
  running_threads_ -= count_lanes(lanes);
  if (!warp.in_block) {
    own_threads_ -= count_lanes(lanes);
    if (warp.live == 0) --resident_warps_;
    blocks->threads_ended(now);
    return;
  }
  if (refills_) {
    // Blocks have no end of their own here: one is reported for as many threads as make one.
    refill_ended_ += count_lanes(lanes);
    for (; refill_ended_ >= launch_->threads_per_block(); refill_ended_ -= launch_->threads_per_block())
      blocks->block_ended(now);
    if (refills_lanes_ && refill(warp, lanes, now + 1)) return;
    if (warp.live == 0) --resident_warps_;
    return;
  }
  Block& block = block_slots_[warp.block_slot];
  block.live_threads -= count_lanes(lanes);
  if (warp.live == 0) --resident_warps_;
  if (block.live_threads == 0) {
    end_block(block, now);
  } else {
    release(block.barriers.threads_ended(), now);
  }
}

void Sm::barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) {
  if (!warp.in_block) {
    throw ExecutionError(fmt::format("{}: a barrier of a block, executed by threads that belong to none",
                                     kernel::place_of(*launch_->program, barrier)));
  }
  release(block_slots_[warp.block_slot].barriers.arrive(warp, barrier, lanes), now);
}

void Sm::release(const std::vector<BlockBarriers::Released>& released, Cycle now) {
  if (released.empty()) return;
  moved_ = true;
  ++statistics_.barriers;
  for (const BlockBarriers::Released& one : released) {
    Warp& warp = *one.warp;
    if (warp.live == 0) continue;
    warp.at_barrier = false;
    bool runs = tell(SchemeEvent::release, warp, one.lanes, now);
    if (runs && warp.path.pc == warp.path.stop) runs = tell(SchemeEvent::stop, warp, warp.path.lanes, now);
    // A warp whose path has stepped aside goes on when its path does.
    if (runs && has_path(warp)) scheduler_of(warp).resume(warp, now, now + 1);
    if (!runs) scheduler_of(warp).stand(warp, now, 0, warp.held_for);
  }
}

void Sm::end_block(Block& block, Cycle now) {
  block.used = false;
  ++free_block_slots_;
  if (traits_.whole_blocks) {
    for (Warp* warp : block.barriers.warps()) scheduler_of(*warp).stand(*warp, now);
  }
  blocks->block_ended(now);
}

}  // namespace reconverge
