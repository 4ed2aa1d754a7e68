// SPDX-License-Identifier: Apache-2.0
// Crossbar, slices and channels together: unloaded latencies, bandwidths, conservation, determinism.

#include <algorithm>
#include <memory>
#include <random>

#include "models/memory/memory_hierarchy.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge {
namespace {

constexpr std::uint64_t gigahertz = 1'000'000'000;

struct Parameters {
  CrossbarParameters crossbar;
  L2CacheParameters l2;
  DramParameters dram;
};

/// Four slices, two channels, all with one clock.
Parameters simple() {
  Parameters all;
  all.crossbar.clock = gigahertz;
  all.crossbar.latency = 20;
  all.l2.capacity = 256 << 10;
  all.l2.slices = 4;
  all.l2.latency = 30;
  all.dram.clock = gigahertz;
  all.dram.channels = 2;
  all.dram.latency = 40;
  return all;
}

struct Bench {
  explicit Bench(const Parameters& parameters = simple(), unsigned sms = 1, std::uint64_t sm_clock = gigahertz)
      : memory(parameters.crossbar, parameters.l2, parameters.dram, sms, sm_clock) {
    for (unsigned sm = 0; sm < sms; ++sm) {
      const std::string name = "traffic_" + std::to_string(sm);
      traffic.push_back(std::make_unique<tests::Traffic>(name.c_str(), Clock(gigahertz), sm));
      traffic.back()->socket.bind(memory.requests().add());
    }
    run(0);
  }
  void run(Cycle cycles) { traffic.front()->run(cycles); }
  Cycle isolated(const tests::Access& access) {
    const Cycle start = traffic.front()->now();
    const auto number = traffic.front()->send(access);
    run(1000);
    return traffic.front()->answered(number) - start;
  }

  const SimulationContext context;
  MemoryHierarchy memory;
  std::vector<std::unique_ptr<tests::Traffic>> traffic;
};

/// Random traffic of several SMs, and its result.
struct Outcome {
  std::vector<Cycle> answers;
  std::uint64_t conflicts;
  std::uint64_t waited;
  bool operator==(const Outcome&) const = default;
};

Outcome random_traffic(Parameters parameters, unsigned seed) {
  constexpr unsigned sms = 5;
  Bench bench(parameters, sms);
  std::mt19937 random(seed);
  for (unsigned step = 0; step < 400; ++step) {
    for (auto& traffic : bench.traffic) {
      for (unsigned burst = random() % 4; burst > 0; --burst) {
        const DeviceAddress line = random() % 4096 * 128;
        const auto sectors = static_cast<SectorMask>(1 + random() % 15);
        const unsigned kind = random() % 8;
        auto access = kind == 0  ? tests::atomic(line)
                      : kind < 3 ? tests::write(line, sectors)
                                 : tests::read(line, sectors);
        if (kind == 2) access.bytes = 4;
        traffic->send(access, random() % parameters.crossbar.latency);
      }
    }
    bench.run(parameters.crossbar.latency);
    bench.memory.check_conservation();
    std::uint64_t outstanding = 0;
    for (const auto& traffic : bench.traffic) outstanding += traffic->outstanding();
    REQUIRE(outstanding == bench.memory.in_flight());
  }
  bench.run(1'000'000);
  Outcome outcome{
      {}, bench.memory.dram_statistics().row_conflicts, bench.memory.crossbar_statistics().arbitration_wait_cycles};
  for (const auto& traffic : bench.traffic) {
    REQUIRE(traffic->order().size() == traffic->sent());
    REQUIRE(traffic->outstanding() == 0);
    outcome.answers.insert(outcome.answers.end(), traffic->answers().begin(), traffic->answers().end());
  }
  const auto crossbar = bench.memory.crossbar_statistics();
  const auto l2 = bench.memory.l2_statistics();
  const auto dram = bench.memory.dram_statistics();
  REQUIRE(bench.memory.in_flight() == 0);
  bench.memory.check_conservation();
  REQUIRE(crossbar.requests == outcome.answers.size());
  REQUIRE(crossbar.replies == crossbar.requests);
  REQUIRE(l2.hits + l2.misses + l2.merges + l2.writes == crossbar.requests);
  REQUIRE(dram.row_hits + dram.row_misses + dram.row_conflicts == dram.reads + dram.writes);
  REQUIRE(dram.bursts * parameters.dram.burst_bytes == l2.bytes_from_memory + l2.bytes_to_memory);
  return outcome;
}

}  // namespace

TEST_CASE("slices may have a clock that divides the crossbar's") {
  Bench plain;
  const Cycle miss = plain.isolated(tests::read(0));
  const Cycle hit = plain.isolated(tests::read(0));
  auto parameters = simple();
  parameters.l2.clock_divider = 4;
  Bench bench(parameters);
  const Cycle slow_miss = bench.isolated(tests::read(0));
  const Cycle slow_hit = bench.isolated(tests::read(0));
  // Its latency is in cycles of its own clock; a request and a fill wait for the start of one.
  REQUIRE(slow_hit >= hit + 3 * parameters.l2.latency);
  REQUIRE(slow_hit <= hit + 3 * parameters.l2.latency + 3);
  REQUIRE(slow_miss >= miss + 3 * parameters.l2.latency);
  REQUIRE(slow_miss <= miss + 3 * parameters.l2.latency + 2 * 3);
  bench.memory.check_conservation();
}

TEST_CASE("an unloaded request takes the sum of the latencies on its path") {
  const auto parameters = simple();
  const auto& dram = parameters.dram;
  Bench bench(parameters);
  // Five flits return: the last is four cycles after the head.
  const Cycle l2_hit = 2 * parameters.crossbar.latency + parameters.l2.latency + 4;
  // A line is four bursts.
  const Cycle row_hit = l2_hit + dram.t_cl + 4 * dram.burst_cycles + dram.latency;
  REQUIRE(bench.isolated(tests::read(0)) == row_hit + dram.t_rcd);
  REQUIRE(bench.isolated(tests::read(0)) == l2_hit);
  REQUIRE(bench.isolated(tests::read(128)) == row_hit);
  // The same bank and another row: further by all rows of all banks of both channels, whatever the order of banks.
  auto plain = parameters;
  plain.dram.bank_order = DramBankOrder::plain;
  plain.l2.hash = L2CacheHash::modulo;
  Bench other(plain);
  REQUIRE(other.isolated(tests::read(0)) == row_hit + dram.t_rcd);
  REQUIRE(other.isolated(tests::read(2 * dram.banks * dram.row_bytes)) == row_hit + dram.t_rp + dram.t_rcd);
}

TEST_CASE("between clocks a request waits for the next cycle of the other") {
  auto parameters = simple();
  const auto& dram = parameters.dram;
  SECTION("memory with four fifths of the clock") {
    parameters.dram.clock = 800'000'000;
    Bench bench(parameters);
    // The slice sends its request in cycle 20, at 20 ns; memory starts in its cycle 16, at 20 ns, and its cycles take
    // 5/4 ns.
    const Cycle at_memory = 16 + dram.t_rcd + dram.t_cl + 4 * dram.burst_cycles + dram.latency;
    const Cycle filled = (at_memory * 5 + 3) / 4;
    REQUIRE(bench.isolated(tests::read(0)) == filled + parameters.l2.latency + parameters.crossbar.latency + 4);
  }
  SECTION("crossbar and second-level cache with half of it") {
    parameters.crossbar.clock = gigahertz / 2;
    Bench bench(parameters);
    const Cycle memory = dram.t_rcd + dram.t_cl + 4 * dram.burst_cycles + dram.latency;
    const Cycle rest = 2 * parameters.crossbar.latency + parameters.l2.latency + 4;
    REQUIRE(memory % 2 == 0);
    REQUIRE(bench.isolated(tests::read(0)) == memory + 2 * rest);
  }
}

TEST_CASE("the latency of memory counts cycles of its command clock, or of the SMs") {
  auto parameters = simple();
  parameters.dram.clock = 800'000'000;
  const auto miss = [&](Cycle latency, std::uint64_t sm_clock) {
    parameters.dram.latency = latency;
    Bench bench(parameters, 1, sm_clock);
    return bench.isolated(tests::read(0));
  };
  const Cycle without = miss(0, gigahertz);
  for (const std::uint64_t sm_clock : {gigahertz / 2, gigahertz, 2 * gigahertz})
    REQUIRE(miss(32, sm_clock) == without + 40);
  parameters.dram.latency_clock = DramLatencyClock::sm;
  REQUIRE(miss(40, gigahertz) == without + 40);
  REQUIRE(miss(40, gigahertz / 2) == without + 80);
  REQUIRE(miss(40, 2 * gigahertz) == without + 20);
  // Memory answers in one of its cycles, which take 5/4 ns: 41 ns are 33 of them.
  REQUIRE(miss(41, gigahertz) >= without + 41);
  REQUIRE(miss(41, gigahertz) <= without + 42);
}

TEST_CASE("each level has the throughput of its width") {
  auto parameters = simple();
  parameters.l2.hash = L2CacheHash::modulo;
  constexpr Cycle count = 512;
  SECTION("hits of four SMs on one slice: its data port") {
    Bench bench(parameters, 4);
    bench.isolated(tests::read(0));
    const Cycle start = bench.traffic.front()->now();
    for (auto& traffic : bench.traffic) {
      for (Cycle i = 0; i < count / 4; ++i) traffic->send(tests::read(0));
    }
    bench.run(100'000);
    Cycle last = 0;
    for (auto& traffic : bench.traffic)
      last = std::max(last, traffic->answered(static_cast<std::uint32_t>(traffic->sent() - 1)));
    REQUIRE(last - start == 2 * parameters.crossbar.latency + parameters.l2.latency + 4 + (count - 1) * 4);
  }
  SECTION("misses of a stream: the data buses of both channels") {
    Bench bench(parameters, 4);
    for (Cycle i = 0; i < count; ++i) bench.traffic[i % 4]->send(tests::read(i * 128));
    bench.run(100'000);
    Cycle last = 0;
    for (auto& traffic : bench.traffic)
      last = std::max(last, *std::max_element(traffic->answers().begin(), traffic->answers().end()));
    // Each channel gets half, eight cycles a line; the unloaded latency is added before the first and after the last.
    const Cycle busy = count / 2 * 4 * parameters.dram.burst_cycles;
    const Cycle unloaded = 2 * parameters.crossbar.latency + parameters.l2.latency + 4 + parameters.dram.t_rcd +
                           parameters.dram.t_cl + parameters.dram.latency;
    REQUIRE(last >= busy + unloaded);
    REQUIRE(last <= busy + unloaded + 32);
    REQUIRE(bench.memory.dram_statistics().busy_cycles == 2 * busy);
  }
}

TEST_CASE("every request is answered once, and two runs agree") {
  auto parameters = simple();
  parameters.l2.capacity = GENERATE(0, 64 << 10);
  parameters.l2.write_policy = GENERATE(L2CacheWritePolicy::write_back, L2CacheWritePolicy::write_through);
  parameters.dram.policy = GENERATE(DramPolicy::fr_fcfs, DramPolicy::fcfs);
  // Small limits, so that all stalls occur; clock periods that do not divide each other.
  parameters.l2.mshrs = 6;
  parameters.l2.merges = 2;
  parameters.l2.write_buffer = 4;
  parameters.l2.ways = 2;
  parameters.dram.queue = 8;
  parameters.dram.clock = 1'502'000'000;
  parameters.crossbar.clock = 980'000'000;
  const Outcome first = random_traffic(parameters, 1);
  REQUIRE(first.answers.size() > 2000);
  REQUIRE(first == random_traffic(parameters, 1));
  REQUIRE_FALSE(first == random_traffic(parameters, 2));
}

TEST_CASE("how far SMs run ahead changes nothing") {
  // The same requests, each sent in its cycle, or quantum by quantum with one SM after the other.
  auto parameters = simple();
  parameters.l2.capacity = 64 << 10;
  parameters.l2.mshrs = 6;
  parameters.dram.clock = 1'502'000'000;
  constexpr unsigned sms = 5;
  constexpr Cycle cycles = 4000;
  struct Result {
    std::vector<std::vector<Cycle>> answers;
    CrossbarStatistics crossbar;
    L2CacheStatistics l2;
    DramStatistics dram;
  };
  const auto run = [&](Cycle quantum) {
    Bench bench(parameters, sms);
    std::vector<std::mt19937> random;
    for (unsigned sm = 0; sm < sms; ++sm) random.emplace_back(sm);
    for (Cycle begin = 0; begin < cycles; begin += quantum) {
      for (unsigned sm = 0; sm < sms; ++sm) {
        for (Cycle ahead = 0; ahead < quantum; ++ahead) {
          if (random[sm]() % 2 != 0) continue;
          const DeviceAddress line = random[sm]() % (random[sm]() % 16 == 0 ? 4096 : 64) * 128;
          const bool writes = random[sm]() % 4 == 0;
          const auto sectors = static_cast<SectorMask>(1U << random[sm]() % 4);
          bench.traffic[sm]->send(writes ? tests::write(line, sectors) : tests::read(line, sectors), ahead);
        }
      }
      bench.run(quantum);
    }
    bench.run(100'000);
    Result result{{}, bench.memory.crossbar_statistics(), bench.memory.l2_statistics(), bench.memory.dram_statistics()};
    for (const auto& traffic : bench.traffic) result.answers.push_back(traffic->answers());
    return result;
  };
  const Result in_time = run(1);
  REQUIRE(in_time.crossbar.requests > 2000);
  for (const Cycle quantum : {Cycle{5}, parameters.crossbar.latency}) {
    const Result ahead = run(quantum);
    const bool same_answers = ahead.answers == in_time.answers;  // too many to print
    REQUIRE(same_answers);
    REQUIRE(ahead.crossbar.arbitration_wait_cycles == in_time.crossbar.arbitration_wait_cycles);
    REQUIRE(ahead.crossbar.ejection_wait_cycles == in_time.crossbar.ejection_wait_cycles);
    REQUIRE(ahead.l2.stalls == in_time.l2.stalls);
    REQUIRE(ahead.dram.wait_cycles == in_time.dram.wait_cycles);
    REQUIRE(ahead.dram.row_conflicts == in_time.dram.row_conflicts);
  }
}

TEST_CASE("slices and channels that do not fit are refused by the name of the parameter") {
  auto parameters = simple();
  parameters.l2.slices = 3;
  REQUIRE_THROWS_WITH(Bench(parameters), Catch::Contains("3 slices for 2 channels"));
}

}  // namespace reconverge
