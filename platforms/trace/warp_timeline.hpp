// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The instructions of warps, read from a trace, for the picture in a report.

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

/// An instruction, lasting to the next one of its warp slot.
struct WarpSpan {
  std::uint64_t begin = 0;  ///< cycle
  std::uint64_t end = 0;    ///< first cycle after it
  std::uint64_t lanes = 0;
  std::uint64_t pc = 0;

  bool operator==(const WarpSpan&) const = default;
};

struct WarpRow {
  std::string name;  ///< SM 0 warp slot 3
  std::vector<WarpSpan> spans;

  bool operator==(const WarpRow&) const = default;
};

/// The instructions of warps during some cycles.
struct WarpTimeline {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<WarpRow> rows;  ///< for each warp slot of each SM that issued anything, in order

  bool operator==(const WarpTimeline&) const = default;
};

/// Throws InputError if a slice of an instruction lacks its lanes or pc.
WarpTimeline warp_timeline(const Trace& trace);

}  // namespace reconverge::trace
