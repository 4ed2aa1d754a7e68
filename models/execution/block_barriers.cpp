// SPDX-License-Identifier: Apache-2.0
#include "models/execution/block_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/execution/operations/lanewise.hpp"

namespace reconverge {

using kernel::BarrierMode;
using kernel::Instruction;

namespace {

BarrierMode mode_of(const Instruction& instruction) { return static_cast<BarrierMode>(instruction.variant); }

[[noreturn]] void fail(const Warp& warp, const Instruction& instruction, std::string_view what) {
  const auto& program = *warp.context.program;
  throw ExecutionError(fmt::format("{}: {} in kernel '{}' (block {}, warp {})", kernel::place_of(program, instruction),
                                   what, program.name, warp.context.position.block, warp.context.position.warp));
}

std::uint32_t thread_count(const Warp& warp, const Instruction& instruction, unsigned lane) {
  if (!instruction.source[1].present()) return 0;
  const std::uint32_t threads = operations::Reader<std::uint32_t>(warp.context, instruction.source[1])[lane];
  if (threads == 0 || threads % warp_size != 0) {
    fail(warp, instruction, fmt::format("a barrier of {} threads: it takes a multiple of {}", threads, warp_size));
  }
  return threads;
}

}  // namespace

bool BlockBarriers::is_block_barrier(const Instruction& instruction) {
  return instruction.opcode == kernel::Opcode::bar && mode_of(instruction) != BarrierMode::warp_sync;
}

bool BlockBarriers::waits(const Instruction& instruction) { return mode_of(instruction) != BarrierMode::arrive; }

void BlockBarriers::Barrier::clear() {
  threads = 0;
  arrived.clear();
  waiting.clear();
  voters = 0;
  votes = 0;
}

void BlockBarriers::begin(std::span<Warp* const> warps) {
  warps_.assign(warps.begin(), warps.end());
  block_slot_ = warps_.empty() ? 0 : warps_.front()->block_slot;
  for (Barrier& barrier : barriers_) barrier.clear();
  completed_ = 0;
}

const std::vector<BlockBarriers::Released>& BlockBarriers::arrive(Warp& warp, const Instruction& instruction,
                                                                  LaneMask lanes) {
  released_.clear();
  // A barrier number in a register may differ between lanes.
  while (lanes != 0) {
    std::uint32_t number = static_cast<std::uint32_t>(instruction.offset);
    LaneMask together = lanes;
    if (instruction.offset < 0) {
      const operations::Reader<std::uint32_t> numbers(warp.context, instruction.source[0]);
      number = numbers[first_lane(lanes)];
      for_each_lane(lanes, [&](unsigned lane) {
        if (numbers[lane] != number) together &= ~lane_bit(lane);
      });
    }
    if (number >= count) fail(warp, instruction, fmt::format("barrier {} does not exist: there are 0 to 15", number));
    lanes &= ~together;
    note(barriers_[number], warp, instruction, together);
    if (complete(barriers_[number])) release(barriers_[number]);
  }
  return released_;
}

void BlockBarriers::note(Barrier& barrier, Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const std::uint32_t threads = thread_count(warp, instruction, first_lane(lanes));
  if (barrier.arrived.empty()) {
    barrier.arrived.assign(warps_.size(), 0);
    barrier.threads = threads;
  } else if (barrier.threads != threads) {
    fail(warp, instruction, "threads give this barrier different thread counts");
  }
  barrier.arrived[warp.context.position.warp] |= lanes;
  if (waits(instruction)) barrier.waiting.push_back({&warp, &instruction, lanes});
  if (mode_of(instruction) >= BarrierMode::red_popc) {
    barrier.voters += count_lanes(lanes);
    barrier.votes += count_lanes(operations::predicate(instruction, warp.context, 2) & lanes);
  }
}

bool BlockBarriers::complete(const Barrier& barrier) const {
  if (barrier.arrived.empty()) return false;
  std::uint32_t threads = 0;
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const bool missing = (threads_in(*warps_[i]) & ~barrier.arrived[i]) != 0;
    if (missing && barrier.threads == 0) return false;
    if (!missing && barrier.arrived[i] != 0) threads += warp_size;
  }
  return threads >= barrier.threads;
}

void BlockBarriers::release(Barrier& barrier) {
  ++completed_;
  for (const Waiting& waiting : barrier.waiting) {
    const Instruction& instruction = *waiting.instruction;
    ExecutionContext& context = waiting.warp->context;
    if (mode_of(instruction) == BarrierMode::red_popc) {
      alignas(64) std::array<std::uint32_t, warp_size> result{};
      result.fill(barrier.votes);
      operations::write_lanes<std::uint32_t>(context, instruction.destination[0], result.data(), waiting.lanes);
    } else if (mode_of(instruction) != BarrierMode::sync) {
      const bool any = barrier.votes != 0;
      const bool holds = mode_of(instruction) == BarrierMode::red_and ? barrier.votes == barrier.voters : any;
      operations::write_predicate(context, instruction.destination[0], holds ? all_lanes : 0, waiting.lanes);
    }
    const auto known =
        std::find_if(released_.begin(), released_.end(), [&](const Released& one) { return one.warp == waiting.warp; });
    if (known == released_.end()) {
      released_.push_back({waiting.warp, waiting.lanes});
    } else {
      known->lanes |= waiting.lanes;
    }
  }
  barrier.clear();
}

const std::vector<BlockBarriers::Released>& BlockBarriers::threads_ended() {
  released_.clear();
  for (Barrier& barrier : barriers_) {
    if (complete(barrier)) release(barrier);
  }
  return released_;
}

void require_whole_warp(const Warp& warp, const Instruction& barrier, LaneMask lanes) {
  if (lanes == warp.live) return;
  fail(warp, barrier,
       fmt::format("a barrier that not all threads of the warp reach together (lane {} is elsewhere)",
                   first_lane(warp.live & ~lanes)));
}

std::string BlockBarriers::describe_waiting() const {
  std::string text;
  for (const Barrier& barrier : barriers_) {
    for (const Waiting& waiting : barrier.waiting) {
      const auto& context = waiting.warp->context;
      text += fmt::format("\n  block {} warp {} lanes {:#010x} at {}, a barrier that not all threads reach",
                          context.position.block, context.position.warp, waiting.lanes,
                          kernel::place_of(*context.program, *waiting.instruction));
    }
  }
  return text;
}

}  // namespace reconverge
