// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Compacts the threads of several warps into fewer, keeping each thread in its lane (Fung and Aamodt, HPCA 2011; as
/// used in DRS section 4.3).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/lane_mask.hpp"

namespace reconverge {

/// A row of the warp buffer: a warp with threads from several warps of the block. A thread is identified by its lane
/// and its home, the warp that it began in.
struct ThreadRow {
  std::array<std::uint8_t, warp_size> home{};  ///< valid only for lanes in `lanes`
  LaneMask lanes = 0;
};

/// The home of all threads of the row, or -1 if there are several.
int only_home(const ThreadRow& row);

/// The homes of the rows' threads, as a bit mask.
std::uint64_t homes_of(std::span<const ThreadRow> rows);

/// Appends rows with the threads `chosen[i]` of `rows[i]` to `compacted`: as many rows as the lane with the most
/// threads needs. In each lane, a priority encoder assigns the threads of earlier rows first, one to each new row.
void compact(std::span<const ThreadRow> rows, std::span<const LaneMask> chosen, std::vector<ThreadRow>& compacted);

}  // namespace reconverge
