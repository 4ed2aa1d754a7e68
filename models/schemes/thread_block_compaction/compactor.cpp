// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_block_compaction/compactor.hpp"

namespace reconverge {

int only_home(const ThreadRow& row) {
  if (row.lanes == 0) return -1;
  const std::uint8_t home = row.home[first_lane(row.lanes)];
  bool same = true;
  for_each_lane(row.lanes, [&](unsigned lane) { same = same && row.home[lane] == home; });
  return same ? home : -1;
}

std::uint64_t homes_of(std::span<const ThreadRow> rows) {
  std::uint64_t homes = 0;
  for (const ThreadRow& row : rows) {
    for_each_lane(row.lanes, [&](unsigned lane) { homes |= std::uint64_t{1} << row.home[lane]; });
  }
  return homes;
}

void compact(std::span<const ThreadRow> rows, std::span<const LaneMask> chosen, std::vector<ThreadRow>& compacted) {
  const std::size_t first = compacted.size();
  std::array<std::uint8_t, warp_size> taken{};  // by lane: threads that have a row
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for_each_lane(chosen[i] & rows[i].lanes, [&](unsigned lane) {
      const std::size_t row = first + taken[lane]++;
      if (row == compacted.size()) compacted.emplace_back();
      compacted[row].home[lane] = rows[i].home[lane];
      compacted[row].lanes |= lane_bit(lane);
    });
  }
}

}  // namespace reconverge
