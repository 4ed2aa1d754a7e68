// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/grid_threads.hpp"

#include <algorithm>

namespace reconverge {

void GridThreads::begin(const Launch& launch, const Shape& shape, Cycle now) {
  launch_ = &launch;
  shape_ = shape;
  open_ = false;
  ended_ = 0;
  blocks_.resize(shape.unit == StartUnit::block ? shape.blocks : 1);
  for (Block& block : blocks_) block.used = false;
  free_blocks_ = blocks_.size();
  idle_lanes_ = shape.warps * warp_size;
  turns_end_ = now + blocks_by_turns();
}

Cycle GridThreads::blocks_by_turns() const {
  switch (shape_.unit) {
    case StartUnit::block:
      return blocks_.size();
    case StartUnit::warp:
      return shape_.warps / launch_->warps_per_block();
    case StartUnit::thread:
      return shape_.warps * warp_size / launch_->threads_per_block();
  }
  return 0;
}

void GridThreads::start(Cycle now) {
  // Lanes that ended may have begun a block whose other threads still wait for a lane.
  const bool lane_by_lane = shape_.unit == StartUnit::thread;
  if (open_ && has_room()) lane_by_lane ? fill_lanes(now) : fill_warps(now);
  // One block a cycle, so that SMs share the blocks evenly.
  if (!has_room()) return;
  const auto block = source_->next_block(sm_, now);
  if (!block) return;
  if (shape_.unit == StartUnit::block) {
    admit(*block, now);
  } else {
    open(*block);
    lane_by_lane ? fill_lanes(now) : fill_warps(now);
  }
}

void GridThreads::open(std::uint64_t block) {
  block_ = block;
  thread_ = 0;
  open_ = true;
}

bool GridThreads::is_free_for(const Warp& warp, std::uint32_t block_slot) const {
  // Any warp of a block may get a path as long as the block runs, so each block has separate slots.
  return shape_.keeps_slots ? warp.slot / launch_->warps_per_block() == block_slot : warp.live == 0;
}

void GridThreads::admit(std::uint64_t block_index, Cycle now) {
  const auto free = std::ranges::find_if(blocks_, [](const Block& block) { return !block.used; });
  const auto block_slot = static_cast<std::uint32_t>(free - blocks_.begin());
  free->used = true;
  --free_blocks_;
  free->live_threads = launch_->threads_per_block();
  admitted_.clear();
  slots_.setup().clear_shared(block_slot);
  std::uint32_t thread = 0;
  for (Warp& warp : slots_.slots()) {
    if (thread == launch_->threads_per_block()) break;
    if (!is_free_for(warp, block_slot)) continue;
    warp.block_slot = block_slot;
    slots_.setup().attach(warp);
    warp.context.position = {static_cast<std::uint32_t>(block_index), thread / warp_size};
    const unsigned threads = std::min(warp_size, launch_->threads_per_block() - thread);
    slots_.setup().set_threads(warp, 0, threads, block_index, thread);
    thread += threads;
    admitted_.push_back(&warp);
    slots_.begin_warp(*this, warp, all_lanes >> (warp_size - threads), 0, now);
  }
  free->barriers.begin(admitted_);
}

void GridThreads::fill_warps(Cycle now) {
  for (Warp& warp : slots_.slots()) {
    if (!open_ || slots_.free_for_grid() == 0) break;
    if (warp.live != 0) continue;
    warp.block_slot = 0;
    slots_.setup().attach(warp);
    const LaneMask lanes = next_threads(warp, all_lanes, false, now);
    slots_.begin_warp(*this, warp, lanes, 0, now);
  }
}

void GridThreads::fill_lanes(Cycle now) {
  for (Warp& warp : slots_.slots()) {
    if (!open_) break;
    const LaneMask idle = ~warp.live;
    if (idle == 0) continue;
    const bool starts = warp.live == 0;
    if (starts) {
      warp.block_slot = 0;
      slots_.setup().attach(warp);
    }
    const LaneMask lanes = next_threads(warp, idle, false, now);
    idle_lanes_ -= count_lanes(lanes);
    starts ? slots_.begin_warp(*this, warp, lanes, 0, now) : slots_.join_threads(warp, lanes, 0, now);
  }
}

LaneMask GridThreads::next_threads(Warp& warp, LaneMask lanes, bool next, Cycle start) {
  LaneMask set_up = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (!open_) {
      if (!next) return;
      const auto block = source_->next_block(sm_, start);
      if (!block) return;
      open(*block);
    }
    warp.context.position = {static_cast<std::uint32_t>(block_), thread_ / warp_size};
    slots_.setup().set_thread(warp, lane, block_, thread_++);
    open_ = thread_ < launch_->threads_per_block();
    set_up |= lane_bit(lane);
  });
  return set_up;
}

void GridThreads::ended(Warp& warp, LaneMask lanes, Cycle now) {
  if (shape_.unit != StartUnit::block) {
    // The end of a single block is not tracked here: one end is reported for each block's number of ended threads.
    ended_ += count_lanes(lanes);
    for (; ended_ >= launch_->threads_per_block(); ended_ -= launch_->threads_per_block())
      source_->block_ended(sm_, now);
    if (shape_.unit == StartUnit::warp) return;
    const LaneMask next = next_threads(warp, lanes, now + 1 >= turns_end_, now + 1);
    idle_lanes_ += count_lanes(lanes) - count_lanes(next);
    if (next != 0) slots_.begin_threads(warp, next, 0, now + 1);
    return;
  }
  Block& block = blocks_[warp.block_slot];
  block.live_threads -= count_lanes(lanes);
  if (block.live_threads == 0) {
    end_block(block, now);
  } else {
    slots_.release(block.barriers.threads_ended(), now);
  }
}

void GridThreads::barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) {
  slots_.release(blocks_[warp.block_slot].barriers.arrive(warp, barrier, lanes), now);
}

void GridThreads::end_block(Block& block, Cycle now) {
  block.used = false;
  ++free_blocks_;
  if (shape_.keeps_slots) {
    for (const Warp* warp : block.barriers.warps()) slots_.vacate(*warp, now);
  }
  source_->block_ended(sm_, now);
}

std::string GridThreads::describe_barriers() const {
  std::string text;
  for (const Block& block : blocks_) text += block.barriers.describe_waiting();
  return text;
}

}  // namespace reconverge
