// SPDX-License-Identifier: Apache-2.0
// Thread block compaction through its sockets: when the warps of a block reconverge, the slots in which their threads
// continue, and the moves of threads.

#include "models/schemes/thread_block_compaction/thread_block_compaction.hpp"
#include "tests/unit/sm/scheme_bench.hpp"

namespace reconverge::tests {
namespace {

using kernel::no_pc;

constexpr LaneMask low = 0x0000ffff;
constexpr LaneMask high = ~low;
constexpr std::uint32_t a = 5;  // slots of the block's warps
constexpr std::uint32_t b = 2;
constexpr Cycle interval = 10;

constexpr const char* two_sides = R"(
mov.u32 %r1, %tid.x;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra SIDE;
add.u32 %r1, %r1, 1;
bra JOIN;
SIDE: add.u32 %r1, %r1, 2;
JOIN: add.u32 %r1, %r1, 1;
vote.sync.ballot.b32 %r1, %p1, -1;)";
constexpr kernel::Pc branch = 2;
constexpr kernel::Pc side = 5;
constexpr kernel::Pc join = 6;
constexpr kernel::Pc vote = 7;

ThreadBlockCompactionParameters parameters() {
  ThreadBlockCompactionParameters result;
  result.warp_interval = interval;
  return result;
}

/// A block of two warps.
struct Bench : SchemeBench<ThreadBlockCompaction> {
  explicit Bench(std::string_view body = two_sides) : SchemeBench(body, parameters(), std::size_t{8}, std::size_t{2}) {
    begin();
  }
  void begin() {
    start(a, all_lanes, 0);
    start(b, all_lanes, 1);
  }

  /// Both warps reach the branch, which completes in cycle 14. The given lanes take it.
  void part(LaneMask taken_by_a, LaneMask taken_by_b) {
    at(a, branch);
    at(b, branch);
    tell(SchemeEvent::branch, a, taken_by_a, 10, 14);
    tell(SchemeEvent::branch, b, taken_by_b, 10, 14);
    scheme.tick(14);
  }
  /// The only warp of the path reaches its end. The warps of the next path start one cycle after reconvergence.
  void stop(std::uint32_t slot, Cycle now) {
    at(slot, paths[slot].stop);
    tell(SchemeEvent::stop, slot, paths[slot].lanes, now);
    scheme.tick(now + 1);
  }
  /// The cycle in which the slot continues, as last reported by the scheme.
  Cycle resumed_in(std::uint32_t slot) const {
    Cycle cycle = never;
    for (const ResumeRequest& request : resumed.seen) {
      if (request.slot == slot) cycle = request.cycle;
    }
    return cycle;
  }
};

}  // namespace

TEST_CASE("compaction: warps wait until all branches are complete, and complementary warps form one") {
  Bench bench;
  bench.at(a, branch);
  bench.at(b, branch);
  CHECK(bench.tell(SchemeEvent::branch, a, low, 10, 20).answer == SchemeAnswer::wait);
  CHECK(bench.scheme.next_event() == never);
  CHECK(bench.tell(SchemeEvent::branch, b, high, 12, 14).answer == SchemeAnswer::wait);
  CHECK(bench.scheme.next_event() == 20);
  bench.scheme.tick(19);
  CHECK(bench.resumed.seen.empty());
  bench.scheme.tick(20);
  // It is the second slot's turn; the first slot waits.
  REQUIRE(bench.resumed.seen.size() == 2);
  CHECK(bench.paths[b] == Path{side, all_lanes, join});
  CHECK(bench.resumed_in(b) == 21);
  CHECK(bench.paths[a].lanes == 0);
  CHECK(bench.resumed_in(a) == never);
  const auto& statistics = bench.scheme.statistics();
  CHECK(statistics.branches == 1);
  CHECK(statistics.compactions == 1);
  CHECK(statistics.warps_formed == 2);
  CHECK(statistics.threads_compacted == 64);
  CHECK(statistics.wait_cycles == 6);
}

TEST_CASE("compaction: threads move once for both paths, and back at the reconvergence point") {
  Bench bench;
  bench.part(low, high);
  REQUIRE(bench.moved.size() == 1);
  CHECK(bench.moved[0].slots == std::vector<std::uint32_t>{a, b});
  // By destination and source warp: the low lanes of both warps are swapped, and the others stay.
  CHECK(bench.moved[0].lanes == std::vector<LaneMask>{high, low, low, high});
  bench.stop(b, 30);
  CHECK(bench.paths[a] == Path{branch + 1, all_lanes, join});
  CHECK(bench.paths[b].lanes == 0);
  CHECK(bench.resumed_in(a) == 32);
  CHECK(bench.moved.size() == 1);
  bench.stop(a, 40);
  CHECK(bench.paths[a] == Path{join, all_lanes, no_pc});
  CHECK(bench.paths[b] == Path{join, all_lanes, no_pc});
  CHECK(bench.resumed_in(a) == 42);
  CHECK(bench.resumed_in(b) == 42);
  REQUIRE(bench.moved.size() == 2);
  CHECK(bench.moved[1].lanes == std::vector<LaneMask>{high, low, low, high});
  CHECK(bench.scheme.statistics().reconvergences == 2);
}

TEST_CASE("compaction: threads in the same lanes form two warps, one after the other") {
  Bench bench;
  bench.part(low, low);
  CHECK(bench.paths[a].lanes == low);
  CHECK(bench.paths[b].lanes == low);
  const std::vector<Cycle> both{std::min(bench.resumed_in(a), bench.resumed_in(b)),
                                std::max(bench.resumed_in(a), bench.resumed_in(b))};
  CHECK(both == std::vector<Cycle>{15, 15 + interval});
}

TEST_CASE("compaction: a branch that is uniform over the block stops no warp") {
  Bench bench("bra L;\nadd.u32 %r1, %r1, 1;\nL: add.u32 %r1, %r1, 2;");
  const auto answered = bench.tell(SchemeEvent::branch, a, all_lanes);
  CHECK(answered.answer == SchemeAnswer::run);
  CHECK(answered.path == Path{2, all_lanes, no_pc});
  CHECK(bench.scheme.next_event() == never);
}

TEST_CASE("compaction: an instruction for whole warps waits until threads are at home") {
  Bench bench;
  bench.at(a, vote);
  CHECK(bench.tell(SchemeEvent::ask, a, all_lanes).answer == SchemeAnswer::keep);
  // The path contains the vote.
  bench.part(low, high);
  bench.at(b, vote);
  CHECK(bench.tell(SchemeEvent::ask, b, all_lanes, 20).answer == SchemeAnswer::wait);
  CHECK(bench.scheme.next_event() == 21);
  bench.scheme.tick(21);
  CHECK(bench.paths[a] == Path{vote, low, join});
  CHECK(bench.paths[b] == Path{vote, high, join});
  CHECK(bench.resumed_in(a) == 22);
  CHECK(bench.resumed_in(b) == 22 + interval);
  CHECK(bench.tell(SchemeEvent::ask, a, low, 22).answer == SchemeAnswer::keep);
  CHECK(bench.scheme.statistics().gatherings == 1);
  REQUIRE(bench.moved.size() == 2);
  CHECK(bench.moved[1].lanes == std::vector<LaneMask>{high, low, low, high});
}

TEST_CASE("compaction: no warp waits for an ended warp, and the block ends with its last threads") {
  Bench bench;
  bench.at(a, join);
  bench.at(b, branch);
  CHECK(bench.tell(SchemeEvent::exit, a, all_lanes, 5).answer == SchemeAnswer::wait);
  CHECK(bench.scheme.next_event() == never);
  bench.tell(SchemeEvent::branch, b, low, 10, 14);
  CHECK(bench.scheme.next_event() == 14);
  bench.scheme.tick(14);
  CHECK(bench.paths[b] == Path{side, low, join});
  CHECK(bench.tell(SchemeEvent::exit, b, 0xff, 20).answer == SchemeAnswer::wait);
  bench.scheme.tick(21);
  CHECK(bench.paths[b] == Path{branch + 1, high, join});
  CHECK(bench.tell(SchemeEvent::exit, b, high, 30).answer == SchemeAnswer::wait);
  bench.scheme.tick(31);
  CHECK(bench.paths[b] == Path{join, 0xff00, no_pc});
  const auto last = bench.tell(SchemeEvent::exit, b, 0xff00, 40);
  CHECK(last.answer == SchemeAnswer::done);
  CHECK(last.path.lanes == 0);
}

TEST_CASE("compaction: when all threads of a path wait at a barrier, the other path runs") {
  Bench bench;
  bench.part(all_lanes, 0);
  REQUIRE(bench.paths[a] == Path{side, all_lanes, join});
  bench.tell(SchemeEvent::wait, a, all_lanes, 20);
  CHECK(bench.paths[b] == Path{branch + 1, all_lanes, join});
  CHECK(bench.resumed_in(b) == 21);
  CHECK(bench.paths[a].lanes == 0);
  // After its release, the path continues when the other path has reached the reconvergence point.
  bench.tell(SchemeEvent::release, a, all_lanes, 25);
  bench.stop(b, 30);
  CHECK(bench.paths[a] == Path{side, all_lanes, join});
  CHECK(bench.resumed_in(a) == 32);
}

TEST_CASE("compaction: it is an error of the analysis if warps of one path stop at different pcs") {
  Bench bench;
  bench.at(a, branch);
  bench.tell(SchemeEvent::branch, a, low, 10, 14);
  bench.at(b, join);
  CHECK_THROWS_AS(bench.tell(SchemeEvent::stop, b, all_lanes, 10), std::logic_error);
}

TEST_CASE("compaction: a block in reused slots sees no state of the earlier block") {
  Bench bench;
  bench.part(low, high);
  bench.begin();
  CHECK(bench.paths[a] == Path{0, all_lanes, no_pc});
  CHECK(bench.paths[b] == Path{0, all_lanes, no_pc});
  bench.part(all_lanes, all_lanes);
  CHECK(bench.paths[a] == Path{side, all_lanes, no_pc});
  CHECK(bench.paths[b] == Path{side, all_lanes, no_pc});
  CHECK(bench.moved.size() == 1);
}

}  // namespace reconverge::tests
