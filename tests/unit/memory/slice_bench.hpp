// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One L2 slice between traffic and fixed-latency memory, all with one clock.

#include "models/memory/fixed_latency_memory.hpp"
#include "models/memory/l2_slice.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge::tests {

struct SliceBench {
  static constexpr Cycle memory_latency = 100;
  static constexpr Cycle latency = 30;

  /// A slice of 4 sets of 2 lines of 128 bytes in sectors of 32, with 32 bytes a cycle.
  static L2CacheParameters small() {
    L2CacheParameters parameters;
    parameters.capacity = 1024;
    parameters.line = 128;
    parameters.sector = 32;
    parameters.ways = 2;
    parameters.slices = 1;
    parameters.slice_bytes = 32;
    parameters.latency = latency;
    parameters.hash = L2CacheHash::modulo;
    return parameters;
  }
  /// Distance between lines that share the set of address zero.
  static constexpr DeviceAddress same_set = 512;

  explicit SliceBench(const L2CacheParameters& parameters = small())
      : map(parameters, 1),
        timeline("timeline"),
        calendar(timeline, Clock(1'000'000'000)),
        slice("slice", parameters, map, calendar),
        memory("memory", memory_parameters(), Clock(1'000'000'000)),
        traffic("traffic") {
    traffic.socket.bind(slice.requests);
    slice.memory.bind(memory.requests.add());
    traffic.run(0);
  }

  /// Sends one request, runs until everything ends, and returns the latency.
  Cycle isolated(const Access& access) {
    const Cycle start = traffic.now();
    const auto number = traffic.send(access);
    traffic.run(1000);
    return traffic.answered(number) - start;
  }
  const L2CacheStatistics& statistics() const { return slice.statistics(); }

  static FixedLatencyMemoryParameters memory_parameters() {
    FixedLatencyMemoryParameters parameters;
    parameters.latency = memory_latency;
    return parameters;
  }

  const SimulationContext context;
  AddressMap map;
  Timeline timeline;
  Calendar calendar;
  L2Slice slice;
  FixedLatencyMemory memory;
  Traffic traffic;
};

}  // namespace reconverge::tests
