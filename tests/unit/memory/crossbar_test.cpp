// SPDX-License-Identifier: Apache-2.0
// The crossbar between SMs and slices; fixed-latency memory replaces each slice.

#include "models/memory/crossbar.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "models/memory/fixed_latency_memory.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge {
namespace {

constexpr Cycle slice_latency = 10;

L2CacheParameters slices_in_turn(std::uint64_t slices) {
  L2CacheParameters parameters;
  parameters.slices = slices;
  parameters.hash = L2CacheHash::modulo;
  return parameters;
}

CrossbarParameters at_one_gigahertz() {
  CrossbarParameters parameters;
  parameters.clock = 1'000'000'000;
  parameters.latency = 20;
  return parameters;
}

struct Network {
  explicit Network(CrossbarParameters parameters, unsigned sms = 1, std::uint64_t slices = 1,
                   std::uint64_t sm_clock = 1'000'000'000)
      : map(slices_in_turn(slices), 1),
        timeline("timeline"),
        calendar(timeline, Clock(parameters.clock)),
        crossbar("crossbar", parameters, map, sms, calendar) {
    FixedLatencyMemoryParameters fixed;
    fixed.latency = slice_latency;
    for (unsigned slice = 0; slice < slices; ++slice) {
      const std::string name = "memory_" + std::to_string(slice);
      memories.push_back(std::make_unique<FixedLatencyMemory>(name.c_str(), fixed, calendar.clock()));
      crossbar.slices[slice].bind(memories.back()->requests.add());
    }
    for (unsigned sm = 0; sm < sms; ++sm) {
      const std::string name = "traffic_" + std::to_string(sm);
      traffic.push_back(std::make_unique<tests::Traffic>(name.c_str(), Clock(sm_clock), sm));
      traffic.back()->socket.bind(crossbar.requests.add());
    }
    run(0);
  }
  void run(Cycle cycles) { traffic.front()->run(cycles); }

  const SimulationContext context;
  AddressMap map;
  Timeline timeline;
  Calendar calendar;
  Crossbar crossbar;
  std::vector<std::unique_ptr<FixedLatencyMemory>> memories;
  std::vector<std::unique_ptr<tests::Traffic>> traffic;
};

}  // namespace

TEST_CASE("an unloaded crossbar takes its latency twice, and a cycle for each further flit") {
  auto parameters = at_one_gigahertz();
  Network network(parameters);
  auto& traffic = *network.traffic.front();
  // A header of 8 bytes and 128 bytes of data are five flits of 32; a header without data is one.
  const Cycle both_ways = 2 * parameters.latency + slice_latency;
  const auto load = traffic.send(tests::read(0));
  network.run(1000);
  REQUIRE(traffic.answered(load) == both_ways + 4);
  const auto store = traffic.send(tests::write(0));
  network.run(1000);
  REQUIRE(traffic.answered(store) == 1000 + both_ways + 4);
  // Data in both directions: one sector and a header are two flits.
  const auto add = traffic.send(tests::atomic(0));
  network.run(1000);
  REQUIRE(traffic.answered(add) == 2000 + both_ways + 1 + 1);

  const auto& statistics = network.crossbar.statistics();
  REQUIRE(statistics.requests == 3);
  REQUIRE(statistics.replies == 3);
  REQUIRE(statistics.request_bytes == 3 * 8 + 128 + 32);
  REQUIRE(statistics.reply_bytes == 3 * 8 + 128 + 32);
  REQUIRE(statistics.slice_port_cycles == 1 + 5 + 2);
  REQUIRE(statistics.ejection_port_cycles == 5 + 1 + 2);
  REQUIRE(statistics.injection_wait_cycles + statistics.arbitration_wait_cycles + statistics.ejection_wait_cycles == 0);
}

TEST_CASE("width and header decide how many flits a packet has") {
  auto parameters = at_one_gigahertz();
  parameters.width = 40;
  parameters.header = 16;
  Network network(parameters);
  const auto load = network.traffic.front()->send(tests::read(0));
  network.run(1000);
  // 16 + 128 bytes: four flits of 40.
  REQUIRE(network.traffic.front()->answered(load) == 2 * parameters.latency + slice_latency + 3);
}

TEST_CASE("an SM gets no more than the width of its port") {
  const auto parameters = at_one_gigahertz();
  constexpr Cycle count = 50;
  const Cycle first = 2 * parameters.latency + slice_latency + 4;
  SECTION("reads from all slices: their answers share the port, five flits each") {
    Network network(parameters, 1, 8);
    auto& traffic = *network.traffic.front();
    for (DeviceAddress i = 0; i < count; ++i) traffic.send(tests::read(i * 256));
    network.run(10'000);
    // One request leaves each cycle, a response comes every five cycles.
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(traffic.answered(i) == first + i * 5);
    REQUIRE(network.crossbar.statistics().injection_wait_cycles == count * (count - 1) / 2);
    REQUIRE(network.crossbar.statistics().ejection_wait_cycles == 4 * count * (count - 1) / 2);
  }
  SECTION("writes to all slices: their data share the port") {
    Network network(parameters, 1, 8);
    auto& traffic = *network.traffic.front();
    for (DeviceAddress i = 0; i < count; ++i) traffic.send(tests::write(i * 256));
    network.run(10'000);
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(traffic.answered(i) == first + i * 5);
    REQUIRE(network.crossbar.statistics().injection_wait_cycles == 5 * count * (count - 1) / 2);
  }
}

TEST_CASE("a slice takes no more than the width of its port, and serves SMs by turns") {
  const auto parameters = at_one_gigahertz();
  constexpr unsigned sms = 4;
  constexpr Cycle each = 25;
  Network network(parameters, sms);
  for (auto& traffic : network.traffic) {
    for (Cycle i = 0; i < each; ++i) traffic->send(tests::write(0));
  }
  network.run(10'000);
  // In every five cycles one write of each SM arrives, and the port accepts one: 100 writes in a row.
  std::vector<std::pair<Cycle, unsigned>> order;
  for (unsigned sm = 0; sm < sms; ++sm) {
    for (const Cycle answer : network.traffic[sm]->answers()) order.emplace_back(answer, sm);
  }
  std::sort(order.begin(), order.end());
  std::array<unsigned, sms> served{};
  for (Cycle i = 0; i < order.size(); ++i) {
    REQUIRE(order[i].first == 2 * parameters.latency + slice_latency + 4 + i * 5);
    ++served[order[i].second];
    REQUIRE(*std::max_element(served.begin(), served.end()) <= *std::min_element(served.begin(), served.end()) + 1);
  }
  // The i-th of all is granted at 5 i, and arrived at 5 (i / 4).
  Cycle waited = 0;
  for (Cycle i = 0; i < sms * each; ++i) waited += 5 * (i - i / sms);
  REQUIRE(network.crossbar.statistics().arbitration_wait_cycles == waited);
  REQUIRE(network.crossbar.in_flight() == 0);
}

TEST_CASE("packets leave in order of arrival with round robin for ties regardless of call order") {
  ArrivalQueue queue;
  for (const std::uint32_t sm : {2U, 0U, 1U}) queue.push({10, sm, 1, nullptr});
  queue.push({9, 1, 1, nullptr});
  queue.push({11, 0, 1, nullptr});
  std::vector<std::uint32_t> order;
  while (!queue.empty()) order.push_back(queue.pop().sm);
  // SM 1 is first of all; of the three that tie, the one after it; and so on.
  REQUIRE(order == std::vector<std::uint32_t>{1, 2, 0, 1, 0});
}

TEST_CASE("an SM that runs ahead does not get before one that has yet to send") {
  const auto parameters = at_one_gigahertz();
  Network network(parameters, 2);
  // SM 0 has run ahead: it sends what leaves in cycle 15. SM 1 sends in cycle 14, later in real time.
  network.traffic[0]->send(tests::write(0), 15);
  network.run(14);
  network.traffic[1]->send(tests::write(0));
  network.run(1000);
  const Cycle alone = 2 * parameters.latency + slice_latency + 4;
  REQUIRE(network.traffic[1]->answered(0) == 14 + alone);
  REQUIRE(network.traffic[0]->answered(0) == 14 + alone + 5);
}

TEST_CASE("a crossbar with half the clock of the SMs takes twice as long, from its next cycle on") {
  auto parameters = at_one_gigahertz();
  parameters.clock = 500'000'000;
  Network network(parameters);
  network.run(3);
  const auto load = network.traffic.front()->send(tests::read(0));
  network.run(1000);
  // Cycle 3 of the SM lies in cycle 1 of the crossbar; the request leaves in cycle 2.
  REQUIRE(network.traffic.front()->answered(load) == 2 * (2 + 2 * parameters.latency + slice_latency + 4));
}

}  // namespace reconverge
