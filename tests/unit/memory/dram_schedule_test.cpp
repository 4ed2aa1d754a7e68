// SPDX-License-Identifier: Apache-2.0
// The order in which a DRAM channel serves requests, and the bandwidth that it reaches.

#include <algorithm>

#include "tests/unit/memory/channel_bench.hpp"

namespace reconverge {

using tests::ChannelBench;
using tests::read;
using tests::write;

TEST_CASE("a stream of one row, and of many, keeps the data bus busy") {
  ChannelBench bench;
  const auto& t = bench.parameters;
  // Lines of 128 bytes take the bus for eight cycles; a row has 16 of them. The next bank is activated meanwhile.
  const Cycle lines = GENERATE(16, 64, 256);
  for (DeviceAddress i = 0; i < lines; ++i) bench.traffic.send(read(i * 128));
  bench.traffic.run(10'000);
  for (std::uint32_t i = 0; i < lines; ++i) {
    REQUIRE(bench.traffic.answered(i) == t.t_rcd + i * 8 + 3 * 2 + bench.data());
  }
  REQUIRE(bench.statistics().busy_cycles == lines * 8);
  REQUIRE(bench.statistics().row_hits == lines - lines / 16);
}

TEST_CASE("rows that take turns are served together by FR-FCFS, one by one by FCFS") {
  auto parameters = ChannelBench::simple();
  constexpr Cycle pairs = 8;
  struct Result {
    Cycle end;
    std::uint64_t conflicts;
    std::vector<std::uint32_t> order;
  };
  const auto run = [&] {
    ChannelBench bench(parameters);
    for (Cycle i = 0; i < pairs; ++i) {
      bench.traffic.send(read(bench.at(0, 0, i), 0x1));
      bench.traffic.send(read(bench.at(0, 1, i), 0x1));
    }
    bench.traffic.run(10'000);
    return Result{bench.traffic.answered(bench.traffic.order().back()), bench.statistics().row_conflicts,
                  bench.traffic.order()};
  };
  const auto& t = parameters;
  SECTION("FR-FCFS: all of the first row, then all of the second") {
    const auto [end, conflicts, order] = run();
    REQUIRE(conflicts == 1);
    for (std::uint32_t i = 0; i < pairs; ++i) {
      REQUIRE(order[i] == 2 * i);
      REQUIRE(order[pairs + i] == 2 * i + 1);
    }
    // Row 0: activated in 0, read from tRCD on. Row 1: tRC after row 0, because its reads have finished by then.
    REQUIRE(end == t.t_rc + t.t_rcd + (pairs - 1) * 2 + t.t_cl + 2 + t.latency);
  }
  SECTION("FCFS: a row for each") {
    parameters.policy = DramPolicy::fcfs;
    const auto [end, conflicts, order] = run();
    REQUIRE(conflicts == 2 * pairs - 1);
    REQUIRE(std::is_sorted(order.begin(), order.end()));
    REQUIRE(end == (2 * pairs - 1) * t.t_rc + t.t_rcd + t.t_cl + 2 + t.latency);
  }
  SECTION("FR-FCFS with a limit of three hits: then the oldest has its turn") {
    parameters.hit_limit = 3;
    const auto [end, conflicts, order] = run();
    // 2, 4 and 6 pass 1; then 3, 5 and 7 are the oldest, and 9, 11 and 13 pass 8.
    REQUIRE(order == std::vector<std::uint32_t>{0, 2, 4, 6, 1, 3, 5, 7, 9, 11, 13, 8, 10, 12, 14, 15});
    REQUIRE(conflicts == 3);
  }
  SECTION("a queue of two shows the scheduler no more than that") {
    parameters.queue = 2;
    const auto [end, conflicts, order] = run();
    // While a row is open, the request that replaces one just read can pass the one that waits, once in a turn.
    REQUIRE(order == std::vector<std::uint32_t>{0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 11, 10, 12, 14, 13, 15});
    REQUIRE(conflicts == 5);
  }
}

TEST_CASE("a queue of one prepares no bank for the next request") {
  auto parameters = ChannelBench::simple();
  const auto second = [&] {
    ChannelBench bench(parameters);
    bench.traffic.send(read(bench.at(0, 0), 0x1));
    bench.traffic.send(read(bench.at(1, 0), 0x1));
    bench.traffic.run(1000);
    return bench.traffic.answered(1) - bench.data() - parameters.t_rcd;  // when the second bank is activated
  };
  REQUIRE(second() == parameters.t_rrd);
  parameters.queue = 1;
  // The place is free when the first request is read, in tRCD; the next command comes a cycle later.
  REQUIRE(second() == parameters.t_rcd + 1);
}

TEST_CASE("a write is answered when the queue takes it") {
  auto parameters = ChannelBench::simple();
  parameters.queue = 1;
  ChannelBench bench(parameters);
  const auto& t = bench.parameters;
  for (std::uint64_t row = 0; row < 3; ++row) bench.traffic.send(write(bench.at(0, row), 0x1));
  REQUIRE(bench.channel.in_flight() == 2);
  bench.traffic.run(1000);
  // Each frees its place when it is written: in tRCD, and tRC after that.
  REQUIRE(bench.traffic.answers() == std::vector<Cycle>{0, t.t_rcd, t.t_rc + t.t_rcd});
  REQUIRE(bench.channel.in_flight() == 0);
}

TEST_CASE("a request to the open row that arrives before the row is closed is served first") {
  ChannelBench bench;
  const auto& t = bench.parameters;
  bench.isolated(bench.at(0, 0));
  bench.isolated(bench.at(0, 1));
  const auto early = bench.traffic.send(read(bench.at(0, 1), 0x1));
  const auto other = bench.traffic.send(read(bench.at(0, 2), 0x1));
  // Row 1 may not be closed until tRTP after the read.
  const Cycle start = bench.traffic.now();
  const auto late = bench.traffic.send(read(bench.at(0, 1, 3), 0x1), 2);
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(early) == start + bench.data());
  REQUIRE(bench.traffic.answered(late) == start + 2 + bench.data());
  REQUIRE(bench.traffic.answered(other) == start + 2 + t.t_rtp + t.t_rp + t.t_rcd + bench.data());
}

TEST_CASE("a channel with twice the clock takes half the time") {
  auto parameters = ChannelBench::simple();
  const auto gigahertz = parameters.clock;
  parameters.clock = GENERATE(1, 2) * gigahertz;
  ChannelBench bench(parameters, gigahertz);
  REQUIRE(bench.isolated(0) * parameters.clock == (parameters.t_rcd + bench.data()) * gigahertz);
}

}  // namespace reconverge
