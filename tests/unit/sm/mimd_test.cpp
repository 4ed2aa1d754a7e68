// SPDX-License-Identifier: Apache-2.0
// The MIMD ideal through its sockets: which lanes issue together, and when.

#include "models/schemes/mimd/mimd.hpp"

#include "tests/unit/sm/scheme_bench.hpp"

namespace reconverge {
namespace {

using kernel::no_pc;

constexpr std::size_t slots = 4;
constexpr LaneMask low = 0x0000ffff;
constexpr LaneMask high = ~low;

struct Bench : tests::SchemeBench<Mimd> {
  explicit Bench(std::string_view body) : SchemeBench(body, slots) { start(0); }

  /// The lanes that the scheme selects in `now` among `free`.
  SchemeRequest select(Cycle now, LaneMask free = all_lanes) { return tell(SchemeEvent::select, 0, free, now); }
  /// All lanes of the path advance, and can issue the next instruction in `ready`.
  void advance(Cycle now, Cycle ready) {
    dependencies.serve = [ready](ReadinessRequest& request) { request.ready.fill(ready); };
    tell(SchemeEvent::advance, 0, paths[0].lanes, now);
  }
};

constexpr const char* additions = "add.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;";

}  // namespace

TEST_CASE("mimd: lanes at one instruction issue together, and again when their registers are ready") {
  Bench bench(additions);
  const auto first = bench.select(0);
  REQUIRE(first.answer == SchemeAnswer::run);
  CHECK(first.path == Path{0, all_lanes, no_pc});
  bench.advance(0, 6);
  REQUIRE(bench.dependencies.seen.size() == 1);
  CHECK(bench.dependencies.seen[0].pc == 1);
  CHECK(bench.dependencies.seen[0].lanes == all_lanes);
  const auto waiting = bench.select(1);
  CHECK(waiting.answer == SchemeAnswer::wait);
  CHECK(waiting.until == 6);
  CHECK_FALSE(waiting.from_memory);
  CHECK(bench.select(6).path == Path{1, all_lanes, no_pc});
  CHECK(bench.scheme.statistics().paths == 2);
}

TEST_CASE("mimd: lanes whose column is in use issue in the next cycle") {
  Bench bench(additions);
  CHECK(bench.select(0, low).path == Path{0, low, no_pc});
  bench.advance(0, 0);
  const auto none = bench.select(0, 0);
  CHECK(none.answer == SchemeAnswer::wait);
  CHECK(none.until == 0);
  // A lane issues only once a cycle, even if its registers are ready.
  CHECK(bench.select(0).path == Path{0, high, no_pc});
  bench.advance(0, 0);
  CHECK(bench.select(0).answer == SchemeAnswer::wait);
  CHECK(bench.select(1).path == Path{1, all_lanes, no_pc});
}

TEST_CASE("mimd: lanes that diverge at a branch continue in parallel after it") {
  Bench bench("@%p1 bra SKIP;\nadd.u32 %r1, %r1, 3;\nSKIP: add.u32 %r1, %r1, 3;");
  bench.select(0);
  bench.tell(SchemeEvent::branch, 0, high, 0, 4);
  CHECK(bench.dependencies.seen.size() == 2);
  CHECK(bench.select(3).until == 4);
  CHECK(bench.select(4).path == Path{1, low, no_pc});
  bench.advance(4, 9);
  CHECK(bench.select(4).path == Path{2, high, no_pc});
}

TEST_CASE("mimd: a lane that waits for memory can issue once the scheme is notified of its result") {
  Bench bench(additions);
  bench.select(0);
  bench.dependencies.serve = [](ReadinessRequest& request) {
    request.ready.fill(never);
    request.from_memory = request.lanes;
  };
  bench.tell(SchemeEvent::advance, 0, all_lanes, 0);
  const auto waiting = bench.select(1);
  CHECK(waiting.until == never);
  CHECK(waiting.from_memory);
  bench.dependencies.serve = [](ReadinessRequest& request) {
    request.ready.fill(never);
    for_each_lane(low, [&](unsigned lane) { request.ready[lane] = 30 + lane; });
  };
  CHECK(bench.tell(SchemeEvent::result, 0, low, 20).until == 30);
  CHECK(bench.dependencies.seen.back().lanes == low);
  CHECK(bench.select(30).path == Path{1, lane_bit(0), no_pc});
  // A lane with a known time keeps it. Only stalled lanes are looked up again.
  CHECK(bench.tell(SchemeEvent::result, 0, all_lanes, 30).until == never);
  CHECK(bench.dependencies.seen.back().lanes == high);
}

TEST_CASE("mimd: threads at a barrier do not issue until they are released") {
  Bench bench("bar.sync 0;\nadd.u32 %r1, %r1, 3;");
  bench.select(0);
  bench.tell(SchemeEvent::wait, 0, all_lanes, 0);
  const auto standing = bench.select(1);
  CHECK(standing.answer == SchemeAnswer::wait);
  CHECK(standing.until == never);
  bench.tell(SchemeEvent::release, 0, low, 5);
  CHECK(bench.select(5).path == Path{1, low, no_pc});
}

TEST_CASE("mimd: an exchange waits for its members and includes no other lanes") {
  Bench bench("vote.sync.ballot.b32 %r1, %p1, %r2;\nadd.u32 %r1, %r1, 3;");
  const bool members_there = GENERATE(true, false);
  bench.live[0] = members_there ? all_lanes : low;
  bench.exchanges.serve = [](ExchangeRequest& request) {
    request.passing = request.lanes;
    for_each_lane(low, [&](unsigned lane) { request.members[lane] = low; });
    for_each_lane(high, [&](unsigned lane) { request.members[lane] = high; });
  };
  if (members_there) {
    CHECK(bench.select(0).path == Path{0, low, no_pc});
    CHECK(bench.exchanges.seen[0].lanes == all_lanes);
    return;
  }
  // Lanes 16 to 31 have ended. The column of lane 0 is in use, so lanes that name lane 0 wait.
  const auto waiting = bench.select(0, low & ~lane_bit(0));
  CHECK(waiting.answer == SchemeAnswer::wait);
  CHECK(waiting.until == 0);
}

TEST_CASE("mimd: an exchange without named members runs for the waiting lanes when no other lane can arrive") {
  Bench bench("@%p1 bra SKIP;\nvote.ballot.b32 %r1, %p2;\nSKIP: bar.sync 0;");
  bench.select(0);
  bench.tell(SchemeEvent::branch, 0, high, 0, 1);
  CHECK(bench.select(1).path == Path{2, high, no_pc});
  bench.tell(SchemeEvent::wait, 0, high, 1);
  CHECK(bench.select(2).path == Path{1, low, no_pc});
}

TEST_CASE("mimd: threads start in free lanes while other lanes of the warp run") {
  Bench bench(additions);
  bench.select(0);
  bench.advance(0, 9);
  bench.live[0] = high;
  bench.start(0, low, 0, 3);
  CHECK(bench.scheme.statistics().refills == 16);
  CHECK(bench.select(3).path == Path{0, low, no_pc});
}

}  // namespace reconverge
