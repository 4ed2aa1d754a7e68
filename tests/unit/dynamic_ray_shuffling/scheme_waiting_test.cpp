// SPDX-License-Identifier: Apache-2.0
// The scheme's counter of the cycles in which warps wait for a row.

#include <algorithm>
#include <array>
#include <optional>

#include "tests/unit/dynamic_ray_shuffling/shuffling_bench.hpp"

namespace reconverge::tests {
namespace {

using Bench = ShufflingBench<RayShuffler>;

/// The cycles of a warp's requests, from its first stall to its answer.
struct Wait {
  std::optional<Cycle> first, last;
  bool over = false;

  /// The warp asks in this cycle; does not end the cycle. Returns the cycle in which the warp asks again, unless it
  /// retries earlier.
  template <typename AnyBench>
  Cycle ask(AnyBench& bench, std::uint32_t slot) {
    const std::uint64_t taken = bench.statistics().control_reads;
    const SchemeRequest answered = bench.ask(slot);
    over = answered.answer == SchemeAnswer::keep;
    if (bench.statistics().control_reads != taken) {
      last = bench.now;
      if (!first) first = last;
    }
    return answered.until;
  }
  Cycle cycles() const { return *last - *first; }
};

/// The second warp stalls, and asks again when it is due or in every cycle. After 100 cycles the first warp releases
/// its row, and the second gets a row.
template <typename AnyBench>
Wait wait_for_row(AnyBench& bench, bool in_every_cycle) {
  bench.mix_all_rows();
  const Cycle released = bench.now + 100;
  Cycle due = 0;
  Wait wait;
  for (unsigned cycle = 0; cycle < 1000 && !wait.over; ++cycle) {
    bench.retries.seen.clear();
    if (bench.now == released) {
      bench.ask(0);
    } else if (in_every_cycle || bench.now >= due) {
      due = wait.ask(bench, 1);
    }
    bench.end_cycle();
    if (!bench.retries.seen.empty()) due = std::min(due, bench.now);
  }
  REQUIRE(wait.over);
  CHECK(*wait.last > released);
  return wait;
}

}  // namespace

TEST_CASE("shuffling: a warp that gets its answer without a stall has no waiting cycles") {
  Bench bench;
  bench.control(0);
  CHECK(bench.statistics().waiting_cycles == 0);
  // The other warp's rdctrl waits for the answer to the first, and does not count as a request yet.
  bench.ask(0);
  REQUIRE(bench.ask(1).answer == SchemeAnswer::wait);
  bench.end_cycle();
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.statistics().control_reads == 3);
  CHECK(bench.statistics().waiting_cycles == 0);
}

TEST_CASE("shuffling: waiting cycles are the stalls of a warp that asks in every cycle") {
  std::array<Cycle, 2> waited{};
  for (const bool in_every_cycle : {false, true}) {
    ShufflingBench<IdealShuffler> bench;
    const Wait wait = wait_for_row(bench, in_every_cycle);
    waited.at(in_every_cycle ? 1 : 0) = wait.cycles();
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
    // In one cycle, the first warp asks instead of the second, and stalls.
    CHECK(bench.statistics().stalls == (in_every_cycle ? wait.cycles() : 2));
  }
  CHECK(waited[0] == waited[1]);
  CHECK(waited[0] > 100);
}

TEST_CASE("shuffling: waiting cycles run from the first stalled request to the answered request") {
  std::array<Cycle, 2> waited{};
  for (const bool in_every_cycle : {false, true}) {
    Bench bench;
    const Wait wait = wait_for_row(bench, in_every_cycle);
    waited.at(in_every_cycle ? 1 : 0) = wait.cycles();
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
    // After a stall, the block accepts the warp's request only when a row may be available.
    CHECK(bench.statistics().stalls == 2);
    // The wait has ended: the next answer adds nothing.
    bench.tell(SchemeEvent::issued, 1, all_lanes, bench.now);
    bench.end_cycle();
    REQUIRE(bench.control(1) == SchemeAnswer::keep);
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
  }
  CHECK(waited[0] == waited[1]);
}

TEST_CASE("shuffling: waiting cycles of warps that wait at the same time add up") {
  Bench bench;
  bench.mix_all_rows();
  // 37 leaf and 56 inner rays: one full row of each.
  bench.report(1, all_lanes >> 3U, RayState::leaf);
  std::array<Wait, 2> waits;
  for (unsigned turn = 0; turn < 1000 && !(waits[0].over && waits[1].over); ++turn) {
    const std::uint32_t slot = turn % 2;
    if (!waits.at(slot).over) waits.at(slot).ask(bench, slot);
    bench.end_cycle();
  }
  REQUIRE((waits[0].over && waits[1].over));
  REQUIRE(std::max(*waits[0].first, *waits[1].first) < std::min(*waits[0].last, *waits[1].last));
  CHECK(bench.statistics().waiting_cycles == waits[0].cycles() + waits[1].cycles());
}

TEST_CASE("shuffling: a wait that ends with its launch, without an answer, does not count") {
  Bench bench;
  bench.mix_all_rows();
  REQUIRE(bench.control(1) == SchemeAnswer::wait);
  bench.end_cycle();
  CHECK(bench.statistics().waiting_cycles == 0);
  bench.scheme.begin({bench.launch, bench.image, 2});
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.statistics().waiting_cycles == 0);
}

}  // namespace reconverge::tests
