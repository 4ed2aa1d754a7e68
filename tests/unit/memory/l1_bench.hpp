// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An L1 cache between traffic and a stand-in for the next level, all with one clock.

#include <algorithm>

#include "models/memory/l1_cache.hpp"
#include "tests/unit/memory/stand_in.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge::tests {

template <typename Cache>
struct CacheBench {
  static constexpr Cycle hit = 20;
  static constexpr Cycle fill = 100;  ///< the next level answers
  static constexpr std::uint32_t sm = 3;

  template <typename Parameters>
  explicit CacheBench(const Parameters& parameters)
      : cache("cache", parameters, sm, Clock(1'000'000'000)),
        next("next"),
        traffic("traffic"),
        listener("listener", cache) {
    next.latency = fill;
    traffic.socket.bind(cache.requests);
    cache.next_level.bind(next.requests);
    traffic.run(0);
  }

  /// Runs `cycles` cycles; the cache is ticked when it requests it.
  void run(Cycle cycles) {
    for (const Cycle end = traffic.now() + cycles; traffic.now() < end;) {
      const Cycle next_event = std::min(end, cache.next_event());
      traffic.run(next_event - traffic.now());
      cache.tick(next_event);
    }
  }
  /// Sends one request, runs until everything ends, and returns the latency.
  Cycle isolated(const Access& access) {
    const Cycle start = traffic.now();
    const auto number = traffic.send(access);
    run(1000);
    return traffic.answered(number) - start;
  }
  const L1CacheStatistics& statistics() const { return cache.statistics(); }

  /// Ticks the cache when it says that there may be room.
  struct Listener : sc_core::sc_module {
    Listener(sc_core::sc_module_name name, Cache& whose) : sc_module(name), cache(whose) {
      SC_HAS_PROCESS(Listener);
      SC_METHOD(tick);
      sensitive << event;
      dont_initialize();
      cache.room = [this](Cycle cycle) { event.notify(Clock(1'000'000'000).time_until(cycle)); };
    }
    void tick() { cache.tick(Clock(1'000'000'000).now()); }
    Cache& cache;
    sc_core::sc_event event;
  };

  const SimulationContext context;
  Cache cache;
  MemoryStandIn next;
  Traffic traffic;
  Listener listener;
};

struct L1Bench : CacheBench<L1Cache> {
  /// Four sets of two lines of 128 bytes, one bank.
  static L1CacheParameters small() {
    L1CacheParameters parameters;
    parameters.capacity = 1024;
    parameters.line = 128;
    parameters.ways = 2;
    parameters.banks = 1;
    parameters.hit_latency = hit;
    parameters.mshrs = 8;
    parameters.merges = 8;
    parameters.pending_writes = 8;
    return parameters;
  }
  /// Distance between lines that share the set of address zero.
  static constexpr DeviceAddress same_set = 512;

  explicit L1Bench(const L1CacheParameters& parameters = small()) : CacheBench(parameters) {}
};

}  // namespace reconverge::tests
