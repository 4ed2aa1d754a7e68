#pragma once
/// What warps ran, read from a trace: the picture of a report.

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

/// An instruction, up to the next of its warp slot.
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

/// What warps did in some cycles.
struct WarpTimeline {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<WarpRow> rows;  ///< for each warp slot of each SM that issued anything, in their order

  bool operator==(const WarpTimeline&) const = default;
};

/// Throws InputError when a slice of an instruction does not say its lanes and pc.
WarpTimeline warp_timeline(const Trace& trace);

}  // namespace reconverge::trace
