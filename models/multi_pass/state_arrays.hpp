// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The state of threads in memory between passes, an element for each thread: program counters, their timestamps, and
/// the arrays of a partition (Lashari 2008, sections 3.1 to 3.4). For errors and statistics, it also records which of a
/// thread's two program counters is newer; the machine does not have this information.

#include <vector>

#include "models/execution/region_lanes.hpp"
#include "models/kernel/partition/partition.hpp"
#include "models/multi_pass/messages.hpp"

namespace reconverge {

/// Structure of arrays: each word of an element has its own column, so that lanes access contiguous words. Elements of
/// 32 threads are a group.
class StateArrays {
 public:
  /// The program counter of a thread that has ended, infinity of section 3.1.
  static constexpr std::uint32_t ended = ~0U;

  /// Begins a launch: all threads are at the start of the first kernel. `step`: the number of groups is a multiple of
  /// it.
  void begin(const kernel::Partition& partition, std::uint64_t threads, std::uint64_t step);

  std::uint64_t groups() const { return exists_.size(); }
  /// Lanes of a group that have a thread.
  LaneMask exists(std::uint64_t group) const { return exists_[group]; }

  /// The program counters of a group, 32 words, in the first or the second array.
  std::uint32_t* counters(unsigned which, std::uint64_t group) { return counters_[which].data() + group * warp_size; }
  const std::uint32_t* counters(unsigned which, std::uint64_t group) const {
    return counters_[which].data() + group * warp_size;
  }
  std::uint32_t* stamps(unsigned which, std::uint64_t group) { return stamps_[which].data() + group * warp_size; }
  const std::uint32_t* stamps(unsigned which, std::uint64_t group) const {
    return stamps_[which].data() + group * warp_size;
  }
  /// A group's column of a word of an array of the partition. `which`: of the two copies, if there are two.
  std::uint32_t* column(std::uint32_t array, unsigned which, std::size_t word, std::uint64_t group) {
    return arrays_[array][which].data() + (word * groups() + group) * warp_size;
  }

  /// Threads whose newer program counter is in the second array.
  LaneMask& newer_in_second(std::uint64_t group) { return newer_in_second_[group]; }
  /// Threads that have ended, by their newer program counters.
  LaneMask& ended_lanes(std::uint64_t group) { return ended_[group]; }
  LaneMask ended_lanes(std::uint64_t group) const { return ended_[group]; }

  std::uint64_t threads_ended() const;
  /// Threads that wait for each kernel.
  std::vector<std::uint64_t> waiting(std::size_t kernels) const;

 private:
  using Column = std::vector<std::uint32_t>;
  std::array<Column, 2> counters_;
  std::array<Column, 2> stamps_;
  std::vector<std::array<Column, 2>> arrays_;
  std::vector<LaneMask> exists_;
  std::vector<LaneMask> newer_in_second_;
  std::vector<LaneMask> ended_;
};

/// The variables of an array, `r4 r5 p1`.
std::string array_name(const kernel::Partition& partition, std::uint32_t array);

}  // namespace reconverge
