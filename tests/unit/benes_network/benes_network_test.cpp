// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/benes_network.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "models/core/elaborate.hpp"
#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/benes_network/network_ports.hpp"
#include "models/protocols/ask.hpp"

using namespace reconverge;

namespace {

/// A network and its initiator.
class Asked : private SimulationContext {
 public:
  explicit Asked(const BenesNetworkParameters& parameters) : network("network", parameters), asker_("asker") {
    asker_.requests.bind(network.requests);
    elaborate();
  }

  NetworkRequest operator()(const NetworkRequest& request) { return ask(asker_.requests, request); }

  BenesNetwork network;

 private:
  struct Asker : sc_core::sc_module {
    ControlInitiatorSocket<Asker, NetworkRequest> requests;
    explicit Asker(sc_core::sc_module_name name) : sc_module(name), requests("requests") {}
  };
  Asker asker_;
};

}  // namespace

TEST_CASE("A network returns clocks, the next stripes and, on request, ports") {
  Asked ask({.ports = 8});
  const NetworkRequest packed = ask({NetworkKind::pack, {0b01101001, 0, 6, 3}, true});
  CHECK(packed.clocks == 1);
  CHECK(packed.next_first == 2);
  CHECK(packed.next_second == 3);
  CHECK(packed.ports[0] == 6);
  CHECK(packed.ports[3] == 7);
  CHECK(packed.ports[5] == 0);
  CHECK(packed.ports[6] == 1);
  const NetworkRequest split = ask({NetworkKind::split, {0b01101001, 0b00100001, 6, 3}});
  CHECK(split.next_first == 0);
  CHECK(split.next_second == 1);
  CHECK(split.ports == PortMap{});
}

TEST_CASE("departures: a split whose stripes overlap takes a second clock, and counts as a conflict") {
  Asked ask({.ports = 8});
  CHECK(ask({NetworkKind::split, {0xff, 0x0f, 4, 4}}).clocks == 2);
  CHECK(ask({NetworkKind::unpack, {0xff, 0x0f, 4, 4}}).clocks == 2);
  CHECK(ask({NetworkKind::split, {0xff, 0x0f, 4, 3}}).clocks == 1);
  CHECK(ask({NetworkKind::pack, {0xff, 0x0f, 4, 4}}).clocks == 1);
  const BenesNetworkStatistics& counted = ask.network.statistics();
  CHECK(counted.requests == decltype(counted.requests){1, 2, 1});
  CHECK(counted.records == decltype(counted.records){8, 16, 8});
  CHECK(counted.clocks == 6);
  CHECK(counted.conflicts == 2);
}

TEST_CASE("A network ignores records of lanes that it does not have") {
  Asked ask({.ports = 4});
  const NetworkRequest packed = ask({NetworkKind::pack, {~PortMask{0}, 0, 1, 0}});
  CHECK(packed.next_first == 1);
  CHECK(ask.network.statistics().records[BenesNetworkRecords::pack] == 4);
}

TEST_CASE("Registers add latency, not clocks at the input") {
  CHECK(Asked({.ports = 16}).network.latency() == 0);
  Asked ask({.ports = 16, .register_every = 2});
  CHECK(ask.network.latency() == 4);
  CHECK(ask({NetworkKind::pack, {0xffff, 0, 0, 0}}).clocks == 1);
}

TEST_CASE("If the ports of a network are not a power of two, the error names the parameter") {
  CHECK_THROWS_WITH(Asked({.ports = 12}), Catch::Matchers::Contains("stream_processor.network.ports") &&
                                              Catch::Matchers::Contains("a power of two of ports, 2 to 64, not 12"));
}

TEST_CASE("The error for RTL that was not built lists the RTL that was") {
  using Implementation = BenesNetworkImplementation;
  for (const auto implementation : {Implementation::rtl, Implementation::lockstep}) {
    CHECK_THROWS_WITH(
        Asked({.ports = 16, .register_every = 5, .implementation = implementation}),
        Catch::Matchers::Contains("no RTL was built for 16 ports with a register every 5 stages; built were: "));
  }
}

TEST_CASE("Model, RTL and both in lock step have the same answers and figures") {
  std::mt19937_64 random(1);
  for (const auto& [built, make] : NetworkPorts::configurations()) {
    BenesNetworkParameters parameters{.ports = built.ports, .register_every = built.register_every};
    Asked model(parameters);
    parameters.implementation = BenesNetworkImplementation::rtl;
    Asked rtl(parameters);
    parameters.implementation = BenesNetworkImplementation::lockstep;
    Asked both(parameters);
    std::uint64_t wrong = 0;
    for (unsigned run = 0; run < 2000; ++run) {
      const unsigned around = built.ports - 1;
      const RecordGroup group{random() & model.network.packing().routing().all_ports(), random(),
                              static_cast<unsigned>(random()) & around, static_cast<unsigned>(random()) & around};
      const NetworkRequest request{static_cast<NetworkKind>(random() % 3), group, true};
      const NetworkRequest wanted = model(request);
      for (Asked* const other : {&rtl, &both}) {
        const NetworkRequest seen = (*other)(request);
        if (seen.clocks != wanted.clocks || seen.next_first != wanted.next_first ||
            seen.next_second != wanted.next_second || seen.ports != wanted.ports) {
          ++wrong;
        }
      }
    }
    CHECK(wrong == 0);
    CHECK(rtl.network.statistics() == model.network.statistics());
    CHECK(both.network.statistics() == model.network.statistics());
  }
}
