// SPDX-License-Identifier: Apache-2.0
// The crossbar through its sockets: several initiators of one SM, and slices that respond later.

#include <array>

#include "models/memory/crossbar.hpp"
#include "tests/unit/memory/stand_in.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge {
namespace {

using tests::read;
using tests::write;
using Answer = tests::MemoryStandIn::Answer;

constexpr Cycle latency = 20;  // in each direction; 32 bytes a cycle, headers of 8
constexpr std::uint64_t interleave = 256;

/// Two slices in turn; two initiators of SM 0 and one of SM 1.
struct Bench {
  Bench()
      : map(two_slices(), 1),
        timeline("timeline"),
        calendar(timeline, Clock(1'000'000'000)),
        crossbar("crossbar", narrow(), map, 2, calendar),
        slices{{tests::MemoryStandIn("slice_0"), tests::MemoryStandIn("slice_1")}},
        data("data", Clock(1'000'000'000), 0),
        texture("texture", Clock(1'000'000'000), 0),
        other("other", Clock(1'000'000'000), 1) {
    for (std::size_t slice = 0; slice < slices.size(); ++slice) {
      crossbar.slices[slice].bind(slices[slice].requests);
      slices[slice].latency = 10;
    }
    for (tests::Traffic* initiator : {&data, &texture, &other}) initiator->socket.bind(crossbar.requests.add());
    data.run(0);
  }
  static L2CacheParameters two_slices() {
    L2CacheParameters parameters;
    parameters.slices = 2;
    parameters.interleave = interleave;
    parameters.hash = L2CacheHash::modulo;
    return parameters;
  }
  static CrossbarParameters narrow() {
    CrossbarParameters parameters;
    parameters.clock = 1'000'000'000;
    parameters.latency = latency;
    parameters.width = 32;
    parameters.header = 8;
    return parameters;
  }

  const SimulationContext context;
  AddressMap map;
  Timeline timeline;
  Calendar calendar;
  Crossbar crossbar;
  std::array<tests::MemoryStandIn, 2> slices;
  tests::Traffic data;
  tests::Traffic texture;
  tests::Traffic other;
};

}  // namespace

TEST_CASE("a request reaches the slice of its address unchanged") {
  Bench bench;
  for (auto& slice : bench.slices) slice.answer = Answer::hold;
  const auto load = bench.other.send(read(interleave, 0x5));
  bench.other.send(write(2 * interleave, 0x3));
  REQUIRE(bench.crossbar.waiting() == 2);
  bench.data.run(40);
  REQUIRE(bench.crossbar.waiting() == 0);
  const auto& request = bench.slices[1].only();
  REQUIRE(request.arrival == latency);
  REQUIRE(request.address == interleave);
  REQUIRE(request.sectors == 0x5);
  REQUIRE(request.bytes == 64);
  REQUIRE(request.sm == 1);
  const auto& store = bench.slices[0].only();
  REQUIRE(store.write);
  REQUIRE(store.arrival == 1 + latency + 2);  // after the read at the SM's port; 72 bytes are three flits
  REQUIRE(bench.crossbar.in_flight() == 2);
  // A later response takes the return path from then on.
  bench.slices[1].respond(0, 50);
  bench.data.run(100);
  REQUIRE(bench.other.answered(load) == 50 + latency + 2);
  REQUIRE(bench.crossbar.in_flight() == 1);
}

TEST_CASE("the initiators of an SM share its port, and each gets its own answers") {
  Bench bench;
  const auto first = bench.data.send(read(0));
  const auto second = bench.texture.send(read(interleave));
  const auto elsewhere = bench.other.send(read(interleave));
  bench.data.run(1000);
  // Five flits each: the second leaves a cycle later, and its response waits until the first has left the port.
  const Cycle alone = 2 * latency + 10 + 4;
  REQUIRE(bench.data.answered(first) == alone);
  REQUIRE(bench.texture.answered(second) == alone + 5);
  REQUIRE(bench.other.answered(elsewhere) == alone);
  REQUIRE(bench.crossbar.statistics().injection_wait_cycles == 1);
  REQUIRE(bench.crossbar.statistics().ejection_wait_cycles == 4);
}

}  // namespace reconverge
