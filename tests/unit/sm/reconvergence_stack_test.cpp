// SPDX-License-Identifier: Apache-2.0
// The reconvergence stack through its sockets: the path that a warp runs after each event.

#include "models/schemes/reconvergence_stack/reconvergence_stack.hpp"

#include "tests/unit/sm/scheme_bench.hpp"

namespace reconverge {
namespace {

using kernel::no_pc;
using Bench = tests::SchemeBench<ReconvergenceStack>;

constexpr std::size_t slots = 4;
constexpr LaneMask low = 0x0000ffff;
constexpr LaneMask high = ~low;

constexpr const char* two_sides = R"(
setp.eq.u32 %p1, %r1, 0;
@%p1 bra SIDE;
add.u32 %r1, %r1, 1;
bra JOIN;
SIDE: add.u32 %r1, %r1, 2;
JOIN: add.u32 %r1, %r1, 1;)";
constexpr kernel::Pc branch = 1;
constexpr kernel::Pc side = 4;
constexpr kernel::Pc join = 5;

}  // namespace

TEST_CASE("reconvergence stack: a warp runs both paths, and all lanes from the reconvergence point") {
  Bench bench(two_sides, slots);
  auto answered = bench.start(2);
  CHECK(answered.answer == SchemeAnswer::run);
  CHECK(answered.path == Path{0, all_lanes, no_pc});
  bench.at(2, branch);
  answered = bench.tell(SchemeEvent::branch, 2, low);
  CHECK(answered.answer == SchemeAnswer::run);
  CHECK(answered.path == Path{side, low, join});
  bench.at(2, join);
  CHECK(bench.tell(SchemeEvent::stop, 2, low).path == Path{branch + 1, high, join});
  // The other path reaches the reconvergence point by a jump.
  bench.at(2, branch + 2);
  CHECK(bench.tell(SchemeEvent::branch, 2, high).path == Path{join, all_lanes, no_pc});
  const auto& statistics = bench.scheme.statistics();
  CHECK(statistics.branches == 2);
  CHECK(statistics.divergent_branches == 1);
  CHECK(statistics.reconvergences == 1);
}

TEST_CASE("reconvergence stack: each slot has a separate stack, which a new warp clears") {
  Bench bench(two_sides, slots);
  bench.start(0);
  bench.start(1);
  bench.at(0, branch);
  bench.at(1, branch);
  bench.tell(SchemeEvent::branch, 0, low);
  CHECK(bench.tell(SchemeEvent::branch, 1, 0).path == Path{branch + 1, all_lanes, no_pc});
  CHECK(bench.start(0, 0xff).path == Path{0, 0xff, no_pc});
  const auto ended = bench.tell(SchemeEvent::exit, 0, 0xff);
  CHECK(ended.answer == SchemeAnswer::done);
}

TEST_CASE("reconvergence stack: ended threads are removed from every path") {
  Bench bench(two_sides, slots);
  bench.start(0);
  bench.at(0, branch);
  bench.tell(SchemeEvent::branch, 0, low);
  // The other path runs and ends, and the remaining lanes continue at the reconvergence point.
  CHECK(bench.tell(SchemeEvent::exit, 0, 0x00ff).path == Path{branch + 1, high, join});
  CHECK(bench.tell(SchemeEvent::exit, 0, high).path == Path{join, 0xff00, no_pc});
  CHECK(bench.tell(SchemeEvent::exit, 0, 0xff00).answer == SchemeAnswer::done);
}

TEST_CASE("reconvergence stack: events that do not advance a path do not change it") {
  Bench bench(two_sides, slots);
  bench.start(0);
  for (const SchemeEvent event : {SchemeEvent::wait, SchemeEvent::release, SchemeEvent::ask, SchemeEvent::issued,
                                  SchemeEvent::stall, SchemeEvent::result}) {
    CHECK(bench.tell(event, 0, all_lanes).answer == SchemeAnswer::keep);
  }
  CHECK_THROWS_AS(bench.tell(SchemeEvent::select, 0, all_lanes), std::logic_error);
  CHECK(bench.scheme.next_event() == never);
}

}  // namespace reconverge
