// SPDX-License-Identifier: Apache-2.0
#include "models/execution/memory_view.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

namespace reconverge {
namespace {

/// Words of memory with the views of three SMs.
struct Bench {
  DeviceMemory memory{std::uint64_t{1} << 20};
  DeviceAddress data = memory.allocate("data", 64);
  MemoryViews views{3};

  Bench() { views.begin_turns(); }

  void store(std::size_t sm, unsigned word, std::uint32_t value) {
    views[sm].store(data + 4 * word, std::as_bytes(std::span(&value, 1)));
  }
  std::uint32_t load(std::size_t sm, unsigned word) {
    std::uint32_t value = in_memory(word);
    views[sm].update(data + 4 * word, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::uint32_t in_memory(unsigned word) { return memory.view_as<std::uint32_t>(data)[word]; }
};

}  // namespace

TEST_CASE("an SM sees its own stores at once, and stores of other SMs in the next quantum") {
  Bench bench;
  bench.store(0, 0, 1);
  bench.store(1, 0, 2);
  CHECK(bench.load(0, 0) == 1);
  CHECK(bench.load(1, 0) == 2);
  CHECK_FALSE(bench.views[2].differs());
  CHECK(bench.load(2, 0) == 0);
  for (std::size_t sm = 0; sm < 3; ++sm) bench.views.end_turn(sm, false);
  CHECK(bench.in_memory(0) == 0);
  bench.views.commit(bench.memory);
  bench.views.begin_turns();
  CHECK(bench.in_memory(0) == 2);  // the store of the SM with the higher number is later
  CHECK(bench.load(2, 0) == 2);
}

TEST_CASE("an ordered SM sees the stores of earlier SMs, but its own stores take precedence") {
  Bench bench;
  bench.store(0, 0, 1);
  bench.store(0, 1, 1);
  bench.store(0, 2, 1);
  bench.views[0].order();
  bench.store(1, 1, 2);
  bench.views.end_turn(0, false);
  bench.views.end_turn(1, false);
  bench.store(2, 2, 3);
  CHECK(bench.load(2, 0) == 0);
  bench.views[2].order();
  CHECK(bench.load(2, 0) == 1);
  CHECK(bench.load(2, 1) == 2);
  CHECK(bench.load(2, 2) == 3);
  bench.store(2, 0, 4);
  CHECK(bench.load(2, 0) == 4);
  bench.views.end_turn(2, false);
  bench.views.commit(bench.memory);
  CHECK(bench.in_memory(0) == 4);
  CHECK(bench.in_memory(1) == 2);
  CHECK(bench.in_memory(2) == 3);
}

TEST_CASE("an SM that must be ordered waits for the turns of earlier SMs") {
  Bench bench;
  std::uint32_t seen = 0;
  std::thread last([&] {
    bench.views[2].order();
    seen = bench.load(2, 0);
    bench.views.end_turn(2, false);
  });
  bench.store(1, 0, 5);
  bench.views.end_turn(1, false);
  bench.store(0, 0, 4);
  bench.views.end_turn(0, false);
  last.join();
  CHECK(seen == 5);
}

TEST_CASE("a turn is abandoned if an earlier turn failed") {
  Bench bench;
  bench.views.end_turn(0, true);
  CHECK_THROWS_AS(bench.views[1].order(), TurnAbandoned);
  bench.views.end_turn(1, true);
  CHECK_THROWS_AS(bench.views[2].order(), TurnAbandoned);
}

}  // namespace reconverge
