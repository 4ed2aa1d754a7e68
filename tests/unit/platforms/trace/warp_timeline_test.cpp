// SPDX-License-Identifier: Apache-2.0
/// The timeline of warps from a trace.

#include "platforms/trace/warp_timeline.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/trace/sm_trace.hpp"

using namespace reconverge;
using namespace reconverge::trace;
using Catch::Contains;

namespace {

Trace two_warps() {
  Trace trace;
  Names names(trace.names);
  trace.tracks = {{1, 0, TrackKind::process, "SM 3", 4, 0},
                  {2, 1, TrackKind::thread, "warp slot 0", 4, 1},
                  {3, 1, TrackKind::thread, "warp slot 5", 4, 6},
                  {4, 1, TrackKind::thread, "warp slot 6", 4, 7}};
  const auto instruction = [&](std::uint32_t track, std::uint64_t begin, std::uint64_t end, std::uint64_t lanes,
                               std::uint64_t pc) {
    trace.slices.push_back(
        {track,
         names.of(instruction_category),
         names.of("add"),
         begin,
         end,
         1,
         {{names.of("pc"), ArgumentKind::number, pc}, {names.of("lanes"), ArgumentKind::number, lanes}},
         {}});
  };
  trace.slices.push_back({1, names.of(warp_category), names.of("block 0 warp 0"), 2, 9, 0, {}, {}});
  instruction(1, 2, 5, 32, 0);
  instruction(2, 4, 30, 7, 12);
  instruction(1, 5, 9, 10, 1);
  trace.slices.push_back({3, names.of(warp_category), names.of("block 9 warp 0"), 0, 90, 0, {}, {}});
  return trace;
}

}  // namespace

TEST_CASE("a timeline has a row for each warp slot that issued, with cycles, lanes and pc") {
  const Trace trace = two_warps();
  const WarpTimeline expected{
      2, 30, {{"SM 3 warp slot 0", {{2, 5, 32, 0}, {5, 9, 10, 1}}}, {"SM 3 warp slot 5", {{4, 30, 7, 12}}}}};
  CHECK(warp_timeline(trace) == expected);
  CHECK(warp_timeline(from_perfetto(to_perfetto(trace))) == expected);
  CHECK(warp_timeline(Trace()) == WarpTimeline{});
}

TEST_CASE("an instruction without lanes is refused") {
  Trace trace = two_warps();
  trace.slices[1].arguments.pop_back();
  CHECK_THROWS_WITH(warp_timeline(trace), Contains("cycle 2") && Contains("lanes"));
}
