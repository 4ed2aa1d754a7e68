// SPDX-License-Identifier: Apache-2.0
// The stub below the L1 cache: one latency for every request, any number in flight.

#include "models/memory/fixed_latency_memory.hpp"

#include "tests/unit/memory/traffic.hpp"

namespace reconverge {

TEST_CASE("fixed-latency memory answers each request after its latency regardless of others") {
  const SimulationContext context;
  FixedLatencyMemoryParameters parameters;
  parameters.latency = GENERATE(1, 300, 900);
  FixedLatencyMemory memory("memory", parameters, Clock(1'000'000'000));
  tests::Traffic traffic("traffic");
  traffic.socket.bind(memory.requests.add());
  traffic.run(5);
  for (Cycle delay = 0; delay < 3; ++delay) {
    const auto load = traffic.send(tests::read(128), delay);
    const auto store = traffic.send(tests::write(128), delay);
    const auto add = traffic.send(tests::atomic(128), delay);
    for (const auto number : {load, store, add}) REQUIRE(traffic.answered(number) == 5 + delay + parameters.latency);
  }
  REQUIRE(memory.statistics().reads == 3);
  REQUIRE(memory.statistics().writes == 3);
  REQUIRE(memory.statistics().atomics == 3);
  REQUIRE(traffic.outstanding() == 0);
}

}  // namespace reconverge
