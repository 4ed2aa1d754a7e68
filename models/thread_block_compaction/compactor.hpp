#pragma once
/// Threads of several warps put together into fewer, each in the lane that it always has (Fung and Aamodt, HPCA 2011;
/// as used in DRS section 4.3).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/lane_mask.hpp"

namespace reconverge {

/// A row of the warp buffer: a warp made of threads from several warps of the block. Which thread of a lane's column it
/// is, the warp says that the thread began in: its home.
struct ThreadRow {
  std::array<std::uint8_t, warp_size> home{};  ///< of lanes in `lanes` alone
  LaneMask lanes = 0;
};

/// The warp that all threads of the row began in, or -1 when there are several.
int only_home(const ThreadRow& row);

/// The warps that threads of the rows began in, as bits.
std::uint64_t homes_of(std::span<const ThreadRow> rows);

/// Adds to `compacted` the rows that the threads `chosen[i]` of `rows[i]` fit in: as many as there are threads in the
/// lane with most of them. In each lane a priority encoder takes those of earlier rows first, one for each new row.
void compact(std::span<const ThreadRow> rows, std::span<const LaneMask> chosen, std::vector<ThreadRow>& compacted);

}  // namespace reconverge
