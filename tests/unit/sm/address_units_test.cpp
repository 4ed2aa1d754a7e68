// SPDX-License-Identifier: Apache-2.0
// The load/store unit through its sockets: its interval, and the address units of the schedulers.

#include <array>
#include <vector>

#include "tests/unit/sm/load_store_bench.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Space;
using tests::LoadStoreBench;

namespace {

/// Address units as published for GA102.
LoadStoreParameters with_address_units() {
  auto parameters = LoadStoreBench::simple();
  parameters.interval = 2;
  parameters.address_interval = 4;
  parameters.address_latency = 11;
  parameters.address_queue = 5;
  return parameters;
}

/// Schedulers that offer a load in every cycle, and a record of the accepted loads.
struct Schedulers {
  explicit Schedulers(const LoadStoreParameters& parameters, unsigned number = 1)
      : bench(parameters), issued(number), queue(parameters.address_queue) {
    bench.access(Space::shared, 4, [](unsigned lane) { return DeviceAddress{4} * lane; });
  }

  void run(Cycle cycles) {
    for (Cycle now = 0; now < cycles; ++now) {
      if (bench.unit.next_event() <= now) bench.unit.tick(now);
      for (std::uint32_t scheduler = 0; scheduler < issued.size(); ++scheduler) {
        auto load = bench.request(now);
        load.scheduler = scheduler;
        const auto answer = bench.collector.send(load);
        if (answer.refusal == Refusal::none) issued[scheduler].push_back(now);
        if (answer.refusal != Refusal::none) REQUIRE(answer.retry > now);
        most = std::max(most, all() - bench.writeback.seen.size());
      }
    }
  }
  std::size_t all() const {
    std::size_t sum = 0;
    for (const auto& cycles : issued) sum += cycles.size();
    return sum;
  }
  /// The cycles in which the unit started loads.
  std::vector<Cycle> started() const {
    std::vector<Cycle> cycles;
    for (const auto& one : bench.writeback.seen) cycles.push_back(one.result - LoadStoreBench::shared_latency);
    return cycles;
  }

  LoadStoreBench bench;
  std::vector<std::vector<Cycle>> issued;  // by scheduler
  std::uint64_t queue;
  std::size_t most = 0;  // maximum number of waiting loads
};

}  // namespace

TEST_CASE("load/store: the unit starts an instruction every interval, which does not change latencies") {
  auto parameters = LoadStoreBench::simple();
  parameters.interval = GENERATE(1, 2, 5);
  parameters.queue = 64;
  LoadStoreBench bench(parameters);
  const auto finish = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      REQUIRE(bench.unit.next_event() == 10 + (i + 1) * parameters.interval);
      bench.unit.tick(bench.unit.next_event());
    }
  };
  SECTION("loads of shared memory") {
    bench.access(Space::shared, 4, [](unsigned lane) { return DeviceAddress{4} * lane; });
    REQUIRE(bench.issue(10).result == 10 + LoadStoreBench::shared_latency);
    for (unsigned i = 0; i < 3; ++i) REQUIRE(bench.issue(10).result == never);
    finish(3);
    for (Cycle i = 0; i < 3; ++i)
      REQUIRE(bench.writeback.seen[i].result == 10 + (i + 1) * parameters.interval + LoadStoreBench::shared_latency);
  }
  SECTION("loads of the L1 cache") {
    REQUIRE(bench.issue(10).result == 10 + LoadStoreBench::cache_latency);
    for (unsigned i = 0; i < 3; ++i) bench.issue(10);
    finish(3);
    for (Cycle i = 0; i < 4; ++i) REQUIRE(bench.data.seen()[i].arrival == 10 + i * parameters.interval);
  }
  SECTION("lines that take longer than the interval") {
    bench.lines(7);
    REQUIRE(bench.issue(10).result == 16 + LoadStoreBench::cache_latency);
    bench.issue(10);
    REQUIRE(bench.unit.next_event() == 17);
  }
  SECTION("bank conflicts, of which the interval hides the first cycles") {
    const Cycle ways = GENERATE(1, 2, 3, 4, 8);
    bench.access(Space::shared, 4,
                 [&](unsigned lane) { return DeviceAddress{32} * 4 * (lane % ways) + 4 * (lane / ways); });
    const Cycle busy = std::max(ways, parameters.interval);
    REQUIRE(bench.issue(10).result == 10 + busy - parameters.interval + LoadStoreBench::shared_latency);
    bench.issue(10);
    REQUIRE(bench.unit.next_event() == 10 + busy);
  }
}

TEST_CASE("load/store: with an interval of two, 8 bytes a lane take no longer than 4, and 16 bytes two cycles more") {
  auto parameters = LoadStoreBench::simple();
  parameters.interval = 2;
  LoadStoreBench bench(parameters);
  Cycle now = 100;
  for (const unsigned bytes : {4U, 8U, 16U}) {
    bench.access(Space::shared, bytes, [&](unsigned lane) { return DeviceAddress{bytes} * lane; });
    const Cycle more = bytes == 16 ? 2 : 0;
    CAPTURE(bytes);
    REQUIRE(bench.issue(now).result == now + more + LoadStoreBench::shared_latency);
    bench.issue(now);
    REQUIRE(bench.unit.next_event() == now + 2 + more);
    bench.unit.tick(now + 2 + more);
    now += 100;
  }
}

TEST_CASE("load/store: an address unit accepts a load every interval and has its addresses after the latency") {
  Schedulers one(with_address_units());
  one.run(100);
  // Five loads fit the queue. The sixth issues when the unit starts the first.
  const std::vector<Cycle> first{0, 1, 2, 3, 4, 11, 15, 19, 23};
  REQUIRE(std::vector<Cycle>(one.issued[0].begin(), one.issued[0].begin() + 9) == first);
  const auto started = one.started();
  REQUIRE(started.size() == 23);
  for (Cycle i = 0; i < started.size(); ++i) REQUIRE(started[i] == 11 + 4 * i);
  REQUIRE(one.most == 5);
}

TEST_CASE("load/store: 1, 2, 3 and 4 schedulers that share the unit load every 4, 4, 6 and 8 cycles") {
  const Cycle number = GENERATE(1, 2, 3, 4);
  const Cycle cadence = std::array{4, 4, 6, 8}[number - 1];
  Schedulers several(with_address_units(), static_cast<unsigned>(number));
  several.run(500);
  for (const auto& cycles : several.issued) {
    REQUIRE(cycles.size() > 50);
    for (std::size_t i = 0; i < 5; ++i) REQUIRE(cycles[i] == i);
    for (std::size_t i = 20; i + 1 < cycles.size(); ++i) REQUIRE(cycles[i + 1] - cycles[i] == cadence);
  }
  REQUIRE(several.most == 5 * number);
}

TEST_CASE("load/store: the queue of an address unit is its only limit, not the queue of the load/store unit") {
  auto parameters = with_address_units();
  parameters.queue = 1;
  parameters.address_queue = GENERATE(1, 3, 12);
  Schedulers two(parameters, 2);
  two.run(200);
  REQUIRE(two.most == 2 * parameters.address_queue);
  for (const auto& cycles : two.issued) {
    for (std::size_t i = 0; i < parameters.address_queue; ++i) REQUIRE(cycles[i] == i);
    // The next loads issue when the unit starts the first, one scheduler after the other.
    REQUIRE(cycles[parameters.address_queue] >= 11);
    REQUIRE(cycles[parameters.address_queue] <= 13);
  }
}

TEST_CASE("load/store: the unit starts loads in the order in which they have their addresses") {
  auto parameters = with_address_units();
  parameters.interval = 1;
  LoadStoreBench bench(parameters);
  const auto load = [&](std::uint32_t scheduler, Cycle now, Cycle operands) {
    bench.access(Space::global, 4, [&](unsigned /*lane*/) { return DeviceAddress{128} * (10 * scheduler + now); });
    auto one = bench.request(now);
    one.scheduler = scheduler;
    one.operands = operands;
    REQUIRE(bench.collector.send(one).result == never);
  };
  load(0, 0, 0);  // has its addresses in cycle 11
  load(0, 1, 1);  // in 15, because its address unit accepts it in 4
  load(1, 2, 2);  // in 13
  load(2, 3, 9);  // in 20, because it has its operands in 9
  load(3, 5, 5);  // in 16
  for (const Cycle next : {11, 13, 15, 16, 20}) {
    REQUIRE(bench.unit.next_event() == next);
    bench.unit.tick(next);
  }
  std::vector<std::pair<DeviceAddress, Cycle>> seen;
  for (const auto& one : bench.data.seen()) seen.emplace_back(one.address / 128, one.arrival);
  REQUIRE(seen == std::vector<std::pair<DeviceAddress, Cycle>>{{0, 11}, {12, 13}, {1, 15}, {35, 16}, {23, 20}});
  for (const auto& one : bench.writeback.seen) REQUIRE(one.result >= 11 + LoadStoreBench::cache_latency);
  REQUIRE(bench.unit.next_event() == never);
}

TEST_CASE("load/store: a refused load retries when the unit may start a waiting load") {
  LoadStoreBench bench(with_address_units());
  for (Cycle now = 0; now < 5; ++now) REQUIRE(bench.issue(now).refusal == Refusal::none);
  const auto refused = bench.issue(5);
  REQUIRE(refused.refusal == Refusal::pipe);
  REQUIRE(refused.refused == Refused::memory);
  REQUIRE(refused.retry == 11);
  REQUIRE(bench.unit.first_room(bench.request(5).scheduler, 5) == 11);
  // The address units of other schedulers have room.
  REQUIRE(bench.unit.first_room(3, 5) == 5);
  auto other = bench.request(5);
  other.scheduler = 3;
  REQUIRE(bench.collector.send(other).refusal == Refusal::none);
  bench.unit.tick(11);
  REQUIRE(bench.issue(11).refusal == Refusal::none);
}

TEST_CASE("load/store: a cache hit does not shorten the interval or the use of the array") {
  auto parameters = LoadStoreBench::simple();
  Cycle next = 18;
  SECTION("interval") { parameters.interval = 8; }
  SECTION("one array: four words of each of eight banks") {
    parameters.one_array = true;
    parameters.units = 32;
    next = 14;
  }
  LoadStoreBench bench(parameters);
  // The access takes cycle 10, or with one array cycles 10 to 13.
  bench.access(Space::global, 4, [&](unsigned lane) { return parameters.one_array ? DeviceAddress{16} * lane : 0; });
  bench.data.answer = tests::MemoryStandIn::Answer::hold;
  bench.issue(10);
  bench.data.answer = tests::MemoryStandIn::Answer::at_once;
  bench.issue(10);
  bench.data.take(0, 11);
  REQUIRE(bench.unit.next_event() == next);
}

TEST_CASE("load/store: independent lanes use no address unit") {
  LoadStoreBench bench(with_address_units());
  auto lanes = bench.request(10);
  lanes.queued = true;
  lanes.lanes = 0xf;
  REQUIRE(bench.collector.send(lanes).result == 10 + LoadStoreBench::cache_latency);
}

}  // namespace reconverge
