// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_block_compaction/thread_block_compaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "blocks/sm.hpp"
#include "models/execution/thread_moves.hpp"

namespace reconverge {

using kernel::Pc;

std::uint64_t warp_buffer_bytes(std::uint64_t warp_slots) {
  const auto number_bits = static_cast<std::uint64_t>(std::bit_width(most_block_warps * warp_size - 1));
  return number_bits * warp_size * warp_slots / 8;
}

ThreadBlockCompaction::ThreadBlockCompaction(sc_core::sc_module_name name,
                                             const ThreadBlockCompactionParameters& parameters, std::size_t warp_slots,
                                             std::size_t block_slots, std::size_t schedulers)
    : Scheme(name, schedulers), parameters_(parameters), blocks_(block_slots), places_(warp_slots) {}

void ThreadBlockCompaction::begin(const SchemeLaunch& launch) {
  next_event_ = never;
  for (Block& block : blocks_) block.awaited = no_row;
  if (prepared_ == kernel::key_of(*launch.launch.program)) return;
  prepared_ = kernel::key_of(*launch.launch.program);
  program_ = launch.launch.program;
  may_part_ = analyse_divergence(*program_, kernel::Together::block).branch;
}

void ThreadBlockCompaction::start(SchemeRequest& request) {
  places_[request.slot] = {request.block_slot, request.position.warp};
  Block& block = block_of(request);
  if (request.position.warp == 0) {
    block.slots.clear();
    block.live = 0;
    block.meeting = {};
    block.awaited = 0;
    block.complete = 0;
    block.waited = 0;
    block.departures.clear();
    block.turn = 0;
    block.stack.start(request.path.pc);
  }
  block.stack.add_warp(request.lanes);
  Slot& slot = block.slots.emplace_back();
  slot.number = request.slot;
  slot.row = request.position.warp;
  slot.lies_in.fill(static_cast<std::uint8_t>(request.position.warp));
  block.departures.emplace_back();
  block.live += count_lanes(request.lanes);
  ++block.awaited;
  Scheme::start(request);
}

void ThreadBlockCompaction::depart(const SchemeRequest& request) {
  BlockStack::Departure& departure = block_of(request).departures[slot_of(request).row];
  departure.taken = request.lanes;
  for_each_lane(request.lanes, [&](unsigned lane) { departure.target[lane] = request.targets[lane]; });
}

void ThreadBlockCompaction::branch(SchemeRequest& request) {
  if (may_part_[request.pc]) {
    depart(request);
    return stop_at(request, {Meeting::Kind::branch, request.pc});
  }
  request.path.pc = request.lanes != 0 ? request.targets[first_lane(request.lanes)] : request.pc + 1;
  request.answer = SchemeAnswer::run;
  if (request.path.pc == request.path.stop) stop(request);
}

void ThreadBlockCompaction::call(SchemeRequest& request) {
  depart(request);
  stop_at(request, {Meeting::Kind::call, request.pc});
}

void ThreadBlockCompaction::leave(SchemeRequest& request) {
  block_of(request).stack.leave(slot_of(request).row, request.lanes);
  go_on(request);
}

void ThreadBlockCompaction::exit(SchemeRequest& request) {
  Block& block = block_of(request);
  block.stack.exit(slot_of(request).row, request.lanes);
  block.live -= count_lanes(request.lanes);
  if (block.live != 0) return go_on(request);
  request.path.lanes = 0;
  request.answer = SchemeAnswer::done;
}

void ThreadBlockCompaction::stop(SchemeRequest& request) {
  stop_at(request, {Meeting::Kind::reconvergence, request.path.pc});
}

void ThreadBlockCompaction::ask(SchemeRequest& request) {
  if (!block_of(request).stack.at_home()) stop_at(request, {Meeting::Kind::whole_warps, request.pc});
}

void ThreadBlockCompaction::go_on(SchemeRequest& request) {
  request.path.lanes &= ~request.lanes;
  request.answer = SchemeAnswer::run;
  if (request.path.lanes == 0) {
    arrive(request);  // without threads: the other warps do not wait for it
  } else if (++request.path.pc == request.path.stop) {
    stop(request);
  }
}

void ThreadBlockCompaction::stop_at(SchemeRequest& request, const Meeting& meeting) {
  Block& block = block_of(request);
  if (block.meeting.kind != Meeting::Kind::none && block.meeting != meeting) {
    throw std::logic_error(fmt::format("warps of one path stop at {} and {}: the branch between them parts the block",
                                       kernel::place_of(*program_, block.meeting.pc),
                                       kernel::place_of(*program_, meeting.pc)));
  }
  block.meeting = meeting;
  arrive(request);
}

void ThreadBlockCompaction::arrive(SchemeRequest& request) {
  request.answer = SchemeAnswer::wait;
  Block& block = block_of(request);
  const bool control = request.event != SchemeEvent::ask && request.instruction != nullptr &&
                       request.instruction->operation_class == kernel::OperationClass::control;
  const Cycle there = std::max(request.now + 1, control ? request.result : 0);
  block.waited -= there;
  block.complete = std::max(block.complete, there);
  if (--block.awaited == 0) next_event_ = std::min(next_event_, block.complete);
}

void ThreadBlockCompaction::tick(Cycle now) {
  next_event_ = never;
  for (Block& block : blocks_) {
    if (block.awaited != 0) continue;
    if (block.complete > now) {
      next_event_ = std::min(next_event_, block.complete);
      continue;
    }
    statistics_.wait_cycles += block.waited + block.stack.current().rows.size() * block.complete;
    const bool formed = meet(block);
    place(block, now, formed);
  }
}

bool ThreadBlockCompaction::waits(const Block& block, const BlockStack::Path& path) {
  return std::ranges::all_of(path.rows, [&](const ThreadRow& row) {
    const int home = only_home(row);
    return row.lanes == 0 || (home >= 0 && block.slots[static_cast<std::size_t>(home)].at_barrier);
  });
}

void ThreadBlockCompaction::wait(SchemeRequest& request) {
  slot_of(request).at_barrier = true;
  slot_of(request).behind_barrier = request.path.pc;
  Block& block = block_of(request);
  const auto& path = block.stack.current();
  if (!waits(block, path)) return;
  const bool together = std::ranges::all_of(path.rows, [&](const ThreadRow& row) {
    return row.lanes == 0 || block.slots[static_cast<std::size_t>(only_home(row))].behind_barrier == request.path.pc;
  });
  if (!together) return;
  const auto others_wait = [&](const BlockStack::Path& other) { return waits(block, other); };
  if (!block.stack.step_aside(request.path.pc, others_wait)) return;
  block.meeting = {};
  place(block, request.now, false);
}

void ThreadBlockCompaction::release(SchemeRequest& request) { slot_of(request).at_barrier = false; }

bool ThreadBlockCompaction::meet(Block& block) {
  const Meeting meeting = std::exchange(block.meeting, {});
  const auto note = [&](const BlockStack::Parted& parted) {
    if (parted.rows == 0) return false;
    ++statistics_.compactions;
    statistics_.threads_compacted += parted.threads;
    statistics_.warps_formed += parted.rows;
    ++statistics_.depth[std::min(block.stack.depth(), statistics_.depth.size() - 1)];
    return true;
  };
  switch (meeting.kind) {
    case Meeting::Kind::none:
      block.stack.drop();
      return false;
    case Meeting::Kind::branch:
      ++statistics_.branches;
      return note(block.stack.branch(program_->instructions[meeting.pc], meeting.pc, block.departures));
    case Meeting::Kind::call:
      return note(block.stack.call(meeting.pc, block.departures));
    case Meeting::Kind::reconvergence:
      ++statistics_.reconvergences;
      block.stack.reconverge();
      return false;
    case Meeting::Kind::whole_warps:
      ++statistics_.gatherings;
      block.stack.gather(meeting.pc);
      return true;
  }
  return false;
}

void ThreadBlockCompaction::place(Block& block, Cycle now, bool formed) {
  if (waits(block, block.stack.current())) {
    block.stack.step_aside(block.stack.current().pc, [&](const auto& other) { return waits(block, other); });
  }
  const BlockStack::Path& path = block.stack.current();
  choose_slots(block);
  move_states(block);
  block.awaited = path.rows.size();
  block.complete = 0;
  block.waited = 0;
  block.departures.assign(path.rows.size(), {});
  for (const Slot& slot : block.slots) {
    ResumeRequest request;
    request.slot = slot.number;
    request.now = now;
    if (slot.row != no_row) {
      request.path = {path.pc, path.rows[slot.row].lanes, path.reconvergence};
      if (!slot.at_barrier) request.cycle = now + 1 + (formed ? slot.row * parameters_.warp_interval : 0);
    }
    send(resumed, request);
  }
}

void ThreadBlockCompaction::choose_slots(Block& block) {
  const auto& path_rows = block.stack.current().rows;
  const bool at_home = block.stack.at_home();
  for (Slot& slot : block.slots) slot.row = no_row;
  const std::uint64_t homes = homes_of(path_rows);
  for (std::size_t row = 0; row < path_rows.size(); ++row) {
    if (at_home) {
      block.slots[static_cast<std::size_t>(only_home(path_rows[row]))].row = row;
      continue;
    }
    do {
      block.turn = block.turn + 1 < block.slots.size() ? block.turn + 1 : 0;
    } while ((homes >> block.turn & 1U) == 0);
    block.slots[block.turn].row = row;
  }
  next_lies_in_.clear();
  for (const Slot& slot : block.slots) next_lies_in_.push_back(slot.lies_in);
  if (at_home) {
    for (std::size_t i = 0; i < block.slots.size(); ++i) next_lies_in_[i].fill(static_cast<std::uint8_t>(i));
    return;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    // Running threads are placed in the slot of their row; as many of the other threads as possible stay in place.
    std::uint64_t homeless = (std::uint64_t{1} << block.slots.size()) - 1;
    std::uint64_t empty = homeless;
    const auto lies = [&](std::size_t warp, std::uint8_t home) {
      next_lies_in_[warp][lane] = home;
      homeless &= ~(std::uint64_t{1} << home);
      empty &= ~(std::uint64_t{1} << warp);
    };
    for (std::size_t i = 0; i < block.slots.size(); ++i) {
      const std::size_t row = block.slots[i].row;
      if (row != no_row && (path_rows[row].lanes >> lane & 1U) != 0) lies(i, path_rows[row].home[lane]);
    }
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      const auto warp = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint8_t home = block.slots[warp].lies_in[lane];
      if ((homeless >> home & 1U) != 0) lies(warp, home);
    }
    while (empty != 0) {
      lies(static_cast<std::size_t>(std::countr_zero(empty)), static_cast<std::uint8_t>(std::countr_zero(homeless)));
    }
  }
}

void ThreadBlockCompaction::move_states(Block& block) {
  const std::size_t count = block.slots.size();
  moves_.assign(count * count, 0);
  bool moved = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::array<std::uint8_t, most_block_warps> lay_in{};
    for (std::size_t i = 0; i < count; ++i) lay_in[block.slots[i].lies_in[lane]] = static_cast<std::uint8_t>(i);
    for (std::size_t to = 0; to < count; ++to) {
      const std::size_t from = lay_in[next_lies_in_[to][lane]];
      moves_[to * count + from] |= lane_bit(lane);
      moved = moved || from != to;
    }
  }
  if (!moved) return;
  moved_slots_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    moved_slots_.push_back(block.slots[i].number);
    block.slots[i].lies_in = next_lies_in_[i];
  }
  MoveRequest request{moved_slots_, moves_};
  send(moves, request);
}

const SchemeKind& thread_block_compaction_scheme() {
  static const SchemeKind kind{.part = scheme_part<ThreadBlockCompactionParameters>(),
                               .traits = {.tracking = DependencyTracking::thread, .whole_blocks = true, .asks = true},
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 const SmParameters& sm = place.parameters;
                                 return std::make_unique<ThreadBlockCompaction>(
                                     name, sm.schemes.of<ThreadBlockCompactionParameters>(), sm.warp_slots,
                                     sm.block_slots, sm.scheduler.count);
                               }};
  return kind;
}

}  // namespace reconverge
