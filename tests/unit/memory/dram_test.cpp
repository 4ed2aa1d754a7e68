// SPDX-License-Identifier: Apache-2.0
// Minimum distances between the commands of a DRAM channel, each against its sum.

#include <algorithm>

#include "tests/unit/memory/channel_bench.hpp"

namespace reconverge {

using tests::ChannelBench;
using tests::read;
using tests::write;

TEST_CASE("a read takes the time of its row's commands") {
  ChannelBench bench;
  const auto& t = bench.parameters;
  REQUIRE(bench.isolated(bench.at(0, 0)) == t.t_rcd + bench.data());           // no row is open
  REQUIRE(bench.isolated(bench.at(0, 0, 5)) == bench.data());                  // its row is
  REQUIRE(bench.isolated(bench.at(0, 1)) == t.t_rp + t.t_rcd + bench.data());  // another row is
  REQUIRE(bench.isolated(bench.at(1, 0)) == t.t_rcd + bench.data());
  REQUIRE(bench.statistics().row_misses == 2);
  REQUIRE(bench.statistics().row_hits == 1);
  REQUIRE(bench.statistics().row_conflicts == 1);
  REQUIRE(bench.statistics().reads == 4);
  REQUIRE(bench.statistics().bursts == 4);
  REQUIRE(bench.statistics().busy_cycles == 4 * t.burst_cycles);
  REQUIRE(bench.statistics().wait_cycles == 3 * t.t_rcd + t.t_rp);
  REQUIRE(bench.channel.in_flight() == 0);
}

TEST_CASE("rows and banks follow each other as the parameters say") {
  auto parameters = ChannelBench::simple();
  SECTION("a row of twice the length holds the neighbour, too") {
    parameters.row_bytes = 4096;
    ChannelBench bench(parameters);
    bench.isolated(0);
    REQUIRE(bench.isolated(2048) == bench.data());
  }
  SECTION("with two banks the third page shares a bank with the first") {
    parameters.banks = 2;
    ChannelBench bench(parameters);
    bench.isolated(0);
    REQUIRE(bench.isolated(2 * 2048) == parameters.t_rp + parameters.t_rcd + bench.data());
  }
  SECTION("rotated, the next row of a column of pages lies a bank further") {
    parameters.bank_order = DramBankOrder::rotated;
    ChannelBench bench(parameters);
    bench.isolated(bench.at(0, 0));
    REQUIRE(bench.isolated(bench.at(0, 1)) == parameters.t_rcd + bench.data());
    REQUIRE(bench.statistics().row_conflicts == 0);
  }
}

TEST_CASE("rows of one bank follow each other by tRAS, tRTP, tRP and tRC") {
  auto parameters = ChannelBench::simple();
  // The first row is activated in cycle 0 and read in tRCD.
  const auto second_read = [&] {
    ChannelBench bench(parameters);
    bench.traffic.send(read(bench.at(0, 0), 0x1));
    bench.traffic.send(read(bench.at(0, 1), 0x1));
    bench.traffic.run(1000);
    return bench.traffic.answered(1) - bench.data() - parameters.t_rcd;  // when the second row is activated
  };
  SECTION("tRC is the longest way") { REQUIRE(second_read() == parameters.t_rc); }
  SECTION("tRAS and tRP are") {
    parameters.t_rc = 0;
    REQUIRE(second_read() == parameters.t_ras + parameters.t_rp);
  }
  SECTION("tRTP and tRP are") {
    parameters.t_rc = 0;
    parameters.t_ras = 0;
    REQUIRE(second_read() == parameters.t_rcd + parameters.t_rtp + parameters.t_rp);
  }
}

TEST_CASE("activates of banks are tRRD apart") {
  auto parameters = ChannelBench::simple();
  parameters.banks = 8;
  parameters.t_rcd = 11;  // so that no read coincides with an activate
  ChannelBench bench(parameters);
  for (std::uint32_t bank = 0; bank < 8; ++bank) bench.traffic.send(read(bench.at(bank, 0), 0x1));
  bench.traffic.run(1000);
  for (std::uint32_t bank = 0; bank < 8; ++bank) {
    REQUIRE(bench.traffic.answered(bank) == bank * parameters.t_rrd + parameters.t_rcd + bench.data());
  }
}

TEST_CASE("the further bursts of a request leave the command bus to others") {
  auto parameters = ChannelBench::simple();
  parameters.t_ccd = 1;
  parameters.burst_cycles = 1;
  ChannelBench bench(parameters);
  bench.isolated(bench.at(0, 0));
  const Cycle start = bench.traffic.now();
  bench.traffic.send(read(bench.at(0, 0), 0xf));  // bursts in cycles 0 to 3
  const auto other = bench.traffic.send(read(bench.at(1, 0), 0x1));
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(other) == start + 1 + parameters.t_rcd + bench.data());
}

TEST_CASE("bursts follow each other by the longer of tCCD and the data bus time") {
  auto parameters = ChannelBench::simple();
  parameters.t_ccd = GENERATE(1, 2, 5);
  parameters.burst_cycles = GENERATE(1, 2, 4);
  ChannelBench bench(parameters);
  bench.isolated(bench.at(0, 0));
  const Cycle start = bench.traffic.now();
  const auto line = bench.traffic.send(read(bench.at(0, 0, 4), 0xf));   // four bursts
  const auto burst = bench.traffic.send(read(bench.at(0, 0, 8), 0x1));  // one
  bench.traffic.run(1000);
  const Cycle step = std::max(parameters.t_ccd, parameters.burst_cycles);
  REQUIRE(bench.traffic.answered(line) == start + 3 * step + bench.data());
  REQUIRE(bench.traffic.answered(burst) == start + 4 * step + bench.data());
}

TEST_CASE("a burst of 64 bytes moves two sectors that share it") {
  auto parameters = ChannelBench::simple();
  parameters.burst_bytes = 64;
  ChannelBench bench(parameters);
  for (const SectorMask sectors : {SectorMask{0x3}, SectorMask{0x2}, SectorMask{0x6}}) {
    bench.traffic.send(read(0, sectors));
    bench.traffic.run(1000);
  }
  REQUIRE(bench.statistics().bursts == 1 + 1 + 2);
}

TEST_CASE("a read after a write waits until the write is done") {
  ChannelBench bench;
  const auto& t = bench.parameters;
  bench.isolated(bench.at(0, 0));
  const Cycle start = bench.traffic.now();
  const auto store = bench.traffic.send(write(bench.at(0, 0), 0x1));
  SECTION("of the same row: tWTR from the last data") {
    const auto load = bench.traffic.send(read(bench.at(0, 0), 0x1));
    bench.traffic.run(1000);
    REQUIRE(bench.traffic.answered(load) == start + t.t_wl + t.burst_cycles + t.t_wtr + bench.data());
  }
  SECTION("of another row: tWR from the last data to the precharge") {
    const auto load = bench.traffic.send(read(bench.at(0, 1), 0x1));
    bench.traffic.run(1000);
    REQUIRE(bench.traffic.answered(load) == start + t.t_wl + t.burst_cycles + t.t_wr + t.t_rp + t.t_rcd + bench.data());
  }
  REQUIRE(bench.traffic.answered(store) == start);  // the queue had room
  REQUIRE(bench.statistics().writes == 1);
}

TEST_CASE("a write after a read waits for the bus to turn round") {
  ChannelBench bench;
  const auto& t = bench.parameters;
  bench.isolated(bench.at(0, 0));
  const Cycle waited = bench.statistics().wait_cycles;
  bench.traffic.send(read(bench.at(0, 0), 0x1));
  bench.traffic.send(write(bench.at(0, 0), 0x1));
  bench.traffic.run(1000);
  // The write's data come two cycles after the read's; the read itself did not wait.
  REQUIRE(bench.statistics().wait_cycles - waited == t.t_cl + t.burst_cycles + 2 - t.t_wl);
}

TEST_CASE("rows that are no powers of two are refused") {
  auto parameters = ChannelBench::simple();
  parameters.row_bytes = 3000;
  REQUIRE_THROWS_WITH(ChannelBench(parameters), Catch::Contains("both must be powers of two"));
}

}  // namespace reconverge
