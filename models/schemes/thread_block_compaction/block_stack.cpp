// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_block_compaction/block_stack.hpp"

#include <algorithm>
#include <bit>

namespace reconverge {

using kernel::Pc;

void BlockStack::start(Pc pc) {
  depth_ = 0;
  push(pc, kernel::no_pc);
}

void BlockStack::add_warp(LaneMask lanes) {
  auto& rows = paths_[0].rows;
  ThreadRow& row = rows.emplace_back();
  row.home.fill(static_cast<std::uint8_t>(rows.size() - 1));
  row.lanes = lanes;
}

BlockStack::Path& BlockStack::push(Pc pc, Pc reconvergence) {
  if (depth_ == paths_.size()) paths_.emplace_back();
  Path& path = paths_[depth_++];
  path.pc = pc;
  path.reconvergence = reconvergence;
  path.rows.clear();
  path.caller = false;
  return path;
}

bool BlockStack::at_home() const {
  // If other threads have ended, two rows may contain only threads of the same warp.
  std::uint64_t homes = 0;
  return std::ranges::all_of(current().rows, [&homes](const ThreadRow& row) {
    if (row.lanes == 0) return true;
    const int home = only_home(row);
    if (home < 0 || (homes >> home & 1U) != 0) return false;
    homes |= std::uint64_t{1} << home;
    return true;
  });
}

BlockStack::Side& BlockStack::side_to(Pc pc) {
  const auto begin = sides_.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(side_count_);
  const auto known = std::find_if(begin, end, [pc](const Side& side) { return side.pc == pc; });
  if (known != end) return *known;
  if (side_count_ == sides_.size()) sides_.emplace_back();
  Side& side = sides_[side_count_++];
  side.pc = pc;
  side.lanes.assign(source_.size(), 0);
  return side;
}

void BlockStack::find_sides(Pc on, std::span<const Departure> departures) {
  source_ = current().rows;
  side_count_ = 0;
  for (std::size_t row = 0; row < source_.size(); ++row) {
    const Departure& departure = departures[row];
    for_each_lane(departure.taken & source_[row].lanes,
                  [&](unsigned lane) { side_to(departure.target[lane]).lanes[row] |= lane_bit(lane); });
  }
  for (std::size_t row = 0; row < source_.size(); ++row) {
    const LaneMask others = source_[row].lanes & ~departures[row].taken;
    if (others != 0) side_to(on).lanes[row] |= others;
  }
}

void BlockStack::push_sides(std::size_t count, Pc meeting, Parted& parted) {
  for (std::size_t i = count; i-- > 0;) {
    const Side& side = sides_[i];
    if (side.pc == meeting) continue;
    Path& path = push(side.pc, meeting);
    compact(source_, side.lanes, path.rows);
    parted.rows += path.rows.size();
    for (const ThreadRow& row : path.rows) parted.threads += count_lanes(row.lanes);
  }
}

BlockStack::Parted BlockStack::branch(const kernel::Instruction& branch, Pc pc, std::span<const Departure> departures) {
  find_sides(pc + 1, departures);
  Path& path = paths_[depth_ - 1];
  Parted parted{side_count_};
  if (side_count_ <= 1) {
    if (side_count_ == 1) path.pc = sides_[0].pc;
  } else {
    // All threads wait at the reconvergence point in a new path, unless the path below already waits at this pc. This
    // keeps the stack flat in loops.
    const Pc meeting = branch.reconvergence;
    path.pc = meeting;
    if (meeting == path.reconvergence) --depth_;
    push_sides(side_count_, meeting, parted);
  }
  resume_next();
  return parted;
}

BlockStack::Parted BlockStack::call(Pc pc, std::span<const Departure> departures) {
  find_sides(pc + 1, departures);
  Path& path = paths_[depth_ - 1];
  path.pc = pc + 1;
  const bool some_stay = side_count_ != 0 && sides_[side_count_ - 1].pc == pc + 1;
  const std::size_t called = side_count_ - (some_stay ? 1 : 0);
  Parted parted{side_count_};
  if (called != 0) path.caller = true;
  if (called == 1 && !some_stay) {
    push(sides_[0].pc, kernel::no_pc).rows = source_;
  } else {
    push_sides(called, kernel::no_pc, parted);
  }
  resume_next();
  return parted;
}

void BlockStack::reconverge() {
  --depth_;
  resume_next();
}

void BlockStack::gather(Pc pc) {
  Path& path = paths_[depth_ - 1];
  path.pc = pc;
  by_home_.clear();
  for (const ThreadRow& row : path.rows) {
    for_each_lane(row.lanes, [&](unsigned lane) {
      if (by_home_.size() <= row.home[lane]) by_home_.resize(row.home[lane] + std::size_t{1}, 0);
      by_home_[row.home[lane]] |= lane_bit(lane);
    });
  }
  path.rows.clear();
  for (std::size_t home = 0; home < by_home_.size(); ++home) {
    if (by_home_[home] == 0) continue;
    ThreadRow& row = path.rows.emplace_back();
    row.home.fill(static_cast<std::uint8_t>(home));
    row.lanes = by_home_[home];
  }
}

void BlockStack::remove(std::size_t row, LaneMask lanes, bool everywhere) {
  const ThreadRow threads = paths_[depth_ - 1].rows[row];
  for (std::size_t i = depth_; i-- > 0;) {
    Path& path = paths_[i];
    if (path.caller && !everywhere) return;
    for (ThreadRow& other : path.rows) {
      for_each_lane(other.lanes & lanes, [&](unsigned lane) {
        if (other.home[lane] == threads.home[lane]) other.lanes &= ~lane_bit(lane);
      });
    }
  }
}

void BlockStack::resume_next() {
  // Remove paths whose threads have all ended and paths that are at their own reconvergence point.
  for (; depth_ != 0; --depth_) {
    Path& path = paths_[depth_ - 1];
    std::erase_if(path.rows, [](const ThreadRow& row) { return row.lanes == 0; });
    if (path.rows.empty() || path.pc == path.reconvergence) continue;
    path.caller = false;
    // After many threads have ended, warps without a separate slot may remain.
    if (path.rows.size() > static_cast<std::size_t>(std::popcount(homes_of(path.rows)))) {
      source_ = path.rows;
      path.rows.clear();
      compact(source_, std::vector<LaneMask>(source_.size(), all_lanes), path.rows);
    }
    return;
  }
}

}  // namespace reconverge
