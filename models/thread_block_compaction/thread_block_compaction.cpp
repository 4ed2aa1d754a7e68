#include "models/thread_block_compaction/thread_block_compaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "models/execution/thread_moves.hpp"

namespace reconverge {

using kernel::Pc;

std::uint64_t warp_buffer_bytes(std::uint64_t warp_slots) {
  const auto number_bits = static_cast<std::uint64_t>(std::bit_width(most_block_warps * warp_size - 1));
  return number_bits * warp_size * warp_slots / 8;
}

ThreadBlockCompaction::ThreadBlockCompaction(sc_core::sc_module_name name,
                                             const ThreadBlockCompactionParameters& parameters, std::size_t block_slots)
    : sc_module(name), events("events"), resumed("resumed"), parameters_(parameters), blocks_(block_slots) {
  events.bind(*this);
}

void ThreadBlockCompaction::begin(const kernel::Program& program) {
  if (program_ == &program) return;
  program_ = &program;
  may_part_ = analyse_divergence(program, kernel::Together::block).branch;
}

void ThreadBlockCompaction::b_transport(DivergenceRequest& request, sc_core::sc_time& /*delay*/) {
  Warp& warp = *request.warp;
  Block& block = blocks_[warp.block_slot];
  switch (request.event) {
    case DivergenceEvent::start:
      start(block, request);
      break;
    case DivergenceEvent::branch:
      branch(block, request);
      break;
    case DivergenceEvent::call:
      depart(block, request);
      stop_at(block, warp, {Meeting::Kind::call, request.pc});
      break;
    case DivergenceEvent::leave:
      block.stack.leave(row_of(block, warp), request.lanes);
      warp.active &= ~request.lanes;
      go_on(block, warp);
      break;
    case DivergenceEvent::exit:
      end_threads(block, request);
      break;
    case DivergenceEvent::reconverge:
      stop_at(block, warp, {Meeting::Kind::reconvergence, request.pc});
      break;
    case DivergenceEvent::whole_warp:
      if (!block.stack.at_home()) stop_at(block, warp, {Meeting::Kind::whole_warps, request.pc});
      break;
    case DivergenceEvent::arrive:
      arrive(block, request);
      break;
    case DivergenceEvent::wait:
      wait(block, request);
      break;
    case DivergenceEvent::select:
    case DivergenceEvent::advance:
    case DivergenceEvent::release:
    case DivergenceEvent::answer:
      break;  // the lanes of a row move together: the scheduler does these by itself
  }
}

void ThreadBlockCompaction::start(Block& block, const DivergenceRequest& request) {
  Warp& warp = *request.warp;
  if (warp.context.position.warp == 0) {
    block.warps.clear();
    block.live = 0;
    block.meeting = {};
    block.awaited = 0;
    block.waited = 0;
    block.departures.clear();
    block.row_in.clear();
    block.lies_in.clear();
    block.turn = 0;
    block.stack.start(request.pc);
  }
  block.stack.add_warp(request.lanes);
  block.row_in.push_back(block.warps.size());
  block.lies_in.emplace_back().fill(static_cast<std::uint8_t>(block.warps.size()));
  block.warps.push_back(&warp);
  block.departures.emplace_back();
  block.live += count_lanes(request.lanes);
  ++block.awaited;
  warp.live = request.lanes;
  warp.active = request.lanes;
  warp.pc = request.pc;
  warp.reconvergence = kernel::no_pc;
  warp.at_meeting = false;
}

void ThreadBlockCompaction::depart(Block& block, const DivergenceRequest& request) {
  BlockStack::Departure& departure = block.departures[row_of(block, *request.warp)];
  departure.taken = request.lanes;
  for_each_lane(request.lanes,
                [&](unsigned lane) { departure.target[lane] = request.warp->target_of(*request.instruction, lane); });
}

void ThreadBlockCompaction::branch(Block& block, const DivergenceRequest& request) {
  Warp& warp = *request.warp;
  if (may_part_[request.pc]) {
    depart(block, request);
    stop_at(block, warp, {Meeting::Kind::branch, request.pc});
    return;
  }
  warp.pc = request.lanes != 0 ? warp.target_of(*request.instruction, first_lane(request.lanes)) : request.pc + 1;
  if (warp.pc == warp.reconvergence) stop_at(block, warp, {Meeting::Kind::reconvergence, warp.pc});
}

void ThreadBlockCompaction::end_threads(Block& block, const DivergenceRequest& request) {
  Warp& warp = *request.warp;
  const std::size_t row = row_of(block, warp);
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint8_t home = block.stack.current().rows[row].home[lane];
    block.warps[home]->live &= ~lane_bit(lane);
  });
  block.stack.exit(row, request.lanes);
  block.live -= count_lanes(request.lanes);
  warp.active &= ~request.lanes;
  if (block.live != 0) go_on(block, warp);
}

void ThreadBlockCompaction::go_on(Block& block, Warp& warp) {
  if (warp.active == 0) {
    warp.at_meeting = true;  // with nothing: the others do not wait for it
  } else if (++warp.pc == warp.reconvergence) {
    stop_at(block, warp, {Meeting::Kind::reconvergence, warp.pc});
  }
}

void ThreadBlockCompaction::stop_at(Block& block, Warp& warp, const Meeting& meeting) {
  if (block.meeting.kind != Meeting::Kind::none && block.meeting != meeting) {
    throw std::logic_error(fmt::format("warps of one path stop at {} and {}: the branch between them parts the block",
                                       kernel::place_of(*program_, block.meeting.pc),
                                       kernel::place_of(*program_, meeting.pc)));
  }
  block.meeting = meeting;
  warp.at_meeting = true;
}

void ThreadBlockCompaction::arrive(Block& block, const DivergenceRequest& request) {
  block.waited -= request.now;
  if (--block.awaited != 0) return;
  const std::size_t came = block.stack.current().rows.size();
  statistics_.wait_cycles += block.waited + came * request.now;
  block.waited = 0;
  const bool formed = meet(block);
  place(block, request.now, formed);
}

bool ThreadBlockCompaction::waits(const Block& block, const BlockStack::Path& path) {
  return std::ranges::all_of(path.rows, [&](const ThreadRow& row) {
    const int home = only_home(row);
    return row.lanes == 0 || (home >= 0 && block.warps[static_cast<std::size_t>(home)]->at_barrier);
  });
}

void ThreadBlockCompaction::wait(Block& block, const DivergenceRequest& request) {
  const auto& path = block.stack.current();
  const bool together = std::ranges::all_of(path.rows, [&](const ThreadRow& row) {
    return row.lanes == 0 || block.warps[static_cast<std::size_t>(only_home(row))]->pc == request.pc;
  });
  if (!together || !waits(block, path)) return;
  const auto others_wait = [&](const BlockStack::Path& other) { return waits(block, other); };
  if (!block.stack.step_aside(request.pc, others_wait)) return;
  block.meeting = {};
  block.waited = 0;
  place(block, request.now, false);
}

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
  choose_warps(block);
  move_states(block);
  block.awaited = path.rows.size();
  block.departures.assign(path.rows.size(), {});
  for (std::size_t i = 0; i < block.warps.size(); ++i) {
    Warp& warp = *block.warps[i];
    const std::size_t row = block.row_in[i];
    ResumeRequest request{&warp, now, never};
    warp.at_meeting = false;
    warp.active = 0;
    if (row != no_row) {
      warp.active = path.rows[row].lanes;
      warp.pc = path.pc;
      warp.reconvergence = path.reconvergence;
      if (!warp.at_barrier) request.cycle = now + 1 + (formed ? row * parameters_.warp_interval : 0);
    }
    sc_core::sc_time delay;
    resumed->b_transport(request, delay);
  }
}

void ThreadBlockCompaction::choose_warps(Block& block) {
  const auto& rows = block.stack.current().rows;
  const bool at_home = block.stack.at_home();
  std::ranges::fill(block.row_in, no_row);
  const std::uint64_t homes = homes_of(rows);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (at_home) {
      block.row_in[static_cast<std::size_t>(only_home(rows[row]))] = row;
      continue;
    }
    do {
      block.turn = block.turn + 1 < block.warps.size() ? block.turn + 1 : 0;
    } while ((homes >> block.turn & 1U) == 0);
    block.row_in[block.turn] = row;
  }
  next_lies_in_ = block.lies_in;
  if (at_home) {
    for (std::size_t i = 0; i < block.warps.size(); ++i) next_lies_in_[i].fill(static_cast<std::uint8_t>(i));
    return;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    // Threads that run lie where their row is, of the others as many as can where they lie already.
    std::uint64_t homeless = (std::uint64_t{1} << block.warps.size()) - 1;
    std::uint64_t empty = homeless;
    const auto lies = [&](std::size_t warp, std::uint8_t home) {
      next_lies_in_[warp][lane] = home;
      homeless &= ~(std::uint64_t{1} << home);
      empty &= ~(std::uint64_t{1} << warp);
    };
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
      const std::size_t row = block.row_in[i];
      if (row != no_row && (rows[row].lanes >> lane & 1U) != 0) lies(i, rows[row].home[lane]);
    }
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      const auto warp = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint8_t home = block.lies_in[warp][lane];
      if ((homeless >> home & 1U) != 0) lies(warp, home);
    }
    while (empty != 0) {
      lies(static_cast<std::size_t>(std::countr_zero(empty)), static_cast<std::uint8_t>(std::countr_zero(homeless)));
    }
  }
}

void ThreadBlockCompaction::move_states(Block& block) {
  const std::size_t count = block.warps.size();
  moves_.assign(count * count, 0);
  bool moved = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::array<std::uint8_t, most_block_warps> lay_in{};
    for (std::size_t i = 0; i < count; ++i) lay_in[block.lies_in[i][lane]] = static_cast<std::uint8_t>(i);
    for (std::size_t to = 0; to < count; ++to) {
      const std::size_t from = lay_in[next_lies_in_[to][lane]];
      moves_[to * count + from] |= lane_bit(lane);
      moved = moved || from != to;
    }
  }
  if (!moved) return;
  move_threads(block.warps, moves_);
  block.lies_in.swap(next_lies_in_);
}

}  // namespace reconverge
