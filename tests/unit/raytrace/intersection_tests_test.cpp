// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/intersection_tests.hpp"

#include <catch2/catch.hpp>

#include "models/core/simulation_context.hpp"
#include "models/protocols/ask.hpp"

namespace reconverge::tests {
namespace {

SC_MODULE(Bench) {
  ControlInitiatorSocket<Bench, IntersectionRequest> socket;
  RaytraceStatistics statistics;
  IntersectionTests tests;

  Bench(sc_core::sc_module_name name, const RaytraceParameters& parameters)
      : sc_module(name), socket("socket"), tests("tests", parameters, statistics) {
    socket.bind(tests.requests);
    tests.begin();
  }
  Cycle done(TraceFetch what, Cycle from) { return ask(socket, IntersectionRequest{what, 0, from}).done; }
};

}  // namespace

TEST_CASE("intersection tests take their latency, and begin one after the other if there are too few units") {
  RaytraceParameters parameters;
  parameters.setup_latency = 3;
  parameters.box_latency = 8;
  parameters.box_units = 2;
  parameters.triangle_latency = 11;
  parameters.triangle_units = 1;
  const SimulationContext context;
  Bench bench("bench", parameters);
  CHECK(bench.done(TraceFetch::ray, 100) == 103);
  CHECK(bench.done(TraceFetch::node, 100) == 108);
  CHECK(bench.done(TraceFetch::node, 100) == 108);
  CHECK(bench.done(TraceFetch::node, 100) == 109);
  CHECK(bench.done(TraceFetch::triangle, 100) == 111);
  CHECK(bench.done(TraceFetch::triangle, 100) == 112);
  CHECK(bench.done(TraceFetch::triangle, 90) == 101);  // requested later, for data that arrives earlier
  CHECK(bench.done(TraceFetch::number, 100) == 100);
  CHECK(bench.done(TraceFetch::empty_leaf, 100) == 100);
  CHECK(bench.statistics.box_tests == 6);
  CHECK(bench.statistics.triangle_tests == 3);
  CHECK(bench.statistics.unit_wait_cycles == 2);
}

}  // namespace reconverge::tests
