// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/state_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/multi_pass/pass_scheduler.hpp"

namespace reconverge {

void StateArrays::begin(const kernel::Partition& partition, std::uint64_t threads, std::uint64_t step) {
  const std::uint64_t groups = (threads + step * warp_size - 1) / (step * warp_size) * step;
  const std::uint64_t elements = groups * warp_size;
  const unsigned first = first_kernel(partition).from;
  for (unsigned which = 0; which < 2; ++which) {
    counters_[which].assign(elements, ended);
    stamps_[which].assign(elements, 0);
  }
  std::fill_n(counters_[first].begin(), threads, 0);
  exists_.assign(groups, 0);
  for (std::uint64_t group = 0; group * warp_size < threads; ++group) {
    exists_[group] = first_lanes(threads - group * warp_size);
  }
  newer_in_second_.assign(groups, first == 0 ? 0 : all_lanes);
  ended_.assign(groups, 0);
  arrays_.assign(partition.arrays.size(), {});
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const kernel::PassArray& array = partition.arrays[i];
    arrays_[i][0].assign(array.values.size() * elements, 0);
    if (array.double_buffered) arrays_[i][1].assign(array.values.size() * elements, 0);
  }
}

std::uint64_t StateArrays::threads_ended() const {
  std::uint64_t threads = 0;
  for (const LaneMask lanes : ended_) threads += count_lanes(lanes);
  return threads;
}

std::vector<std::uint64_t> StateArrays::waiting(std::size_t kernels) const {
  std::vector<std::uint64_t> threads(kernels, 0);
  for (std::uint64_t group = 0; group < groups(); ++group) {
    for_each_lane(exists_[group] & ~ended_[group], [&](unsigned lane) {
      const unsigned newer = newer_in_second_[group] >> lane & 1U;
      ++threads[counters(newer, group)[lane]];
    });
  }
  return threads;
}

std::string array_name(const kernel::Partition& partition, std::uint32_t array) {
  std::string text;
  for (const kernel::ValueId value : partition.arrays[array].values) {
    const std::uint32_t rows = partition.program->register_rows;
    if (!text.empty()) text += ' ';
    text += value < rows ? fmt::format("r{}", value) : fmt::format("p{}", value - rows);
  }
  return text;
}

}  // namespace reconverge
