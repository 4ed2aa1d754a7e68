// SPDX-License-Identifier: Apache-2.0
// Bank groups and refresh of a DRAM channel, against sums of the parameters.

#include <algorithm>

#include "tests/unit/memory/channel_bench.hpp"

namespace reconverge {

using tests::ChannelBench;
using tests::read;
using tests::write;

namespace {

/// Eight banks with open rows; the requests of one burst then alternate between `banks`, and this is the time between
/// two of them.
Cycle cadence(const DramParameters& parameters, const std::vector<std::uint64_t>& banks, bool writes = false) {
  ChannelBench bench(parameters);
  for (const std::uint64_t bank : banks) bench.isolated(bench.at(bank, 0));
  const Cycle waited = bench.statistics().wait_cycles;
  constexpr Cycle rounds = 10;
  const Cycle start = bench.traffic.now();
  std::uint32_t last = 0;
  for (Cycle i = 0; i < rounds * banks.size(); ++i) {
    const DeviceAddress address = bench.at(banks[i % banks.size()], 0, i);
    last = bench.traffic.send(writes ? write(address, 0x1) : read(address, 0x1));
  }
  bench.traffic.run(1000);
  REQUIRE(bench.statistics().row_hits == rounds * banks.size());
  const Cycle steps = rounds * banks.size() - 1;
  const Cycle all = bench.statistics().wait_cycles - waited;  // 0 + 1 + ... + steps cadences
  if (!writes) REQUIRE((bench.traffic.answered(last) - start - bench.data()) * (steps + 1) == 2 * all);
  REQUIRE(2 * all % (steps * (steps + 1)) == 0);
  return 2 * all / (steps * (steps + 1));
}

}  // namespace

TEST_CASE("requests to one group of banks are tCCD_L apart, and to other groups tCCD") {
  auto parameters = ChannelBench::simple();
  parameters.banks = 8;
  parameters.t_ccd_l = 4;
  const bool writes = GENERATE(false, true);
  CAPTURE(writes);
  SECTION("two groups: even and odd banks") {
    parameters.bank_groups = 2;
    CHECK(cadence(parameters, {0}, writes) == 4);
    CHECK(cadence(parameters, {0, 2}, writes) == 4);
    CHECK(cadence(parameters, {1, 3, 5, 7}, writes) == 4);
    CHECK(cadence(parameters, {0, 1}, writes) == 2);
    CHECK(cadence(parameters, {2, 5, 4, 7}, writes) == 2);
  }
  SECTION("four groups") {
    parameters.bank_groups = 4;
    parameters.t_ccd_l = 8;
    CHECK(cadence(parameters, {1, 5}, writes) == 8);
    CHECK(cadence(parameters, {0, 1, 2, 3}, writes) == 2);
  }
  SECTION("one group: tCCD applies") { CHECK(cadence(parameters, {0, 2}, writes) == 2); }
  SECTION("tCCD is the longer") {
    parameters.bank_groups = 2;
    parameters.t_ccd = 6;
    CHECK(cadence(parameters, {0, 2}, writes) == 6);
    CHECK(cadence(parameters, {0, 1}, writes) == 6);
  }
}

TEST_CASE("the bursts of a request follow each other after tCCD and the next of its group after tCCD_L") {
  auto parameters = ChannelBench::simple();
  parameters.bank_groups = 2;
  parameters.t_ccd_l = 7;
  ChannelBench bench(parameters);
  for (const std::uint64_t bank : {0, 1, 2}) bench.isolated(bench.at(bank, 0));
  const Cycle start = bench.traffic.now();
  const auto line = bench.traffic.send(read(bench.at(0, 0, 4), 0xf));
  const auto same_group = bench.traffic.send(read(bench.at(2, 0), 0x1));
  const auto other_group = bench.traffic.send(read(bench.at(1, 0), 0x1));
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(line) == start + 3 * 2 + bench.data());
  REQUIRE(bench.traffic.answered(same_group) == start + 3 * 2 + 7 + bench.data());
  // A request to the other group does not wait for that.
  REQUIRE(bench.traffic.answered(other_group) == start + 3 * 2 + 2 + bench.data());
}

TEST_CASE("a refresh closes all rows, and a read after it opens its row again") {
  auto parameters = ChannelBench::simple();
  parameters.t_rfc = 40;
  parameters.t_refi = GENERATE(900, 380);  // `isolated` takes 1000 cycles
  ChannelBench bench(parameters);
  const auto& t = bench.parameters;
  for (unsigned i = 0; i < 4; ++i) REQUIRE(bench.isolated(bench.at(0, 0)) == t.t_rcd + bench.data());
  REQUIRE(bench.isolated(bench.at(0, 1)) == t.t_rcd + bench.data());
  REQUIRE(bench.statistics().row_misses == 5);
  REQUIRE(bench.statistics().row_hits == 0);
  REQUIRE(bench.statistics().row_conflicts == 0);
}

TEST_CASE("a request that arrives during a refresh waits for its end") {
  auto parameters = ChannelBench::simple();
  parameters.t_refi = 990;
  parameters.t_rfc = 40;
  ChannelBench bench(parameters);
  const auto& t = bench.parameters;
  bench.isolated(bench.at(0, 0));
  REQUIRE(bench.traffic.now() == 1000);
  const auto open = bench.traffic.send(read(bench.at(0, 0), 0x1));
  const auto closed = bench.traffic.send(read(bench.at(1, 0), 0x1));
  bench.traffic.run(900);
  // The bank with an open row had to close it before.
  REQUIRE(bench.traffic.answered(closed) == t.t_refi + t.t_rfc + t.t_rcd + bench.data());
  REQUIRE(bench.traffic.answered(open) == t.t_refi + t.t_rp + t.t_rfc + t.t_rcd + bench.data());
}

TEST_CASE("a stream loses the time of the refresh in each interval") {
  auto parameters = ChannelBench::simple();
  parameters.row_bytes = 64 << 10;  // one row for all
  parameters.t_refi = GENERATE(200, 333);
  parameters.t_rfc = GENERATE(0, 40, 71);
  ChannelBench bench(parameters);
  const auto& t = bench.parameters;
  constexpr std::uint32_t reads = 1000;
  for (DeviceAddress i = 0; i < reads; ++i) bench.traffic.send(read(bench.at(0, 0, i), 0x1));
  bench.traffic.run(20'000);
  Cycle command = t.t_rcd;
  Cycle due = t.t_refi;
  unsigned refreshes = 0;
  for (std::uint32_t i = 0; i < reads; ++i) {
    REQUIRE(bench.traffic.answered(i) == command + bench.data());
    const Cycle last = command;
    command += t.t_ccd;
    if (command < due) continue;
    // The row is closed tRTP after its last read, and opened again after the refresh.
    command = std::max(last + t.t_rtp, due) + t.t_rp + t.t_rfc + t.t_rcd;
    due += t.t_refi;
    ++refreshes;
  }
  REQUIRE(bench.statistics().row_misses + bench.statistics().row_conflicts == refreshes + 1);
  REQUIRE(bench.statistics().row_hits == reads - refreshes - 1);
}

TEST_CASE("an idle channel needs no events to refresh") {
  auto parameters = ChannelBench::simple();
  parameters.t_refi = 300;
  parameters.t_rfc = 40;
  ChannelBench bench(parameters);
  const auto& t = bench.parameters;
  const auto first = bench.traffic.send(read(bench.at(0, 0), 0x1));
  sc_core::sc_start();  // until no event is pending
  REQUIRE(bench.traffic.now() < t.t_refi);
  REQUIRE(bench.traffic.answered(first) == t.t_rcd + bench.data());
  // Of many refreshes that have passed, the last counts: from 300'000 on, with no row open since the first.
  bench.traffic.run(300'010 - bench.traffic.now());
  const auto late = bench.traffic.send(read(bench.at(0, 0), 0x1));
  const auto other = bench.traffic.send(read(bench.at(1, 0), 0x1), 100);
  bench.traffic.run(200);
  const Cycle opened = 300'000 + t.t_rfc;
  CHECK(bench.traffic.answered(late) == opened + t.t_rcd + bench.data());
  CHECK(bench.traffic.answered(other) == 300'110 + t.t_rcd + bench.data());
}

}  // namespace reconverge
