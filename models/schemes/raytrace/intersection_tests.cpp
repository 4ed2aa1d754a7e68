// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/intersection_tests.hpp"

namespace reconverge {

IntersectionTests::IntersectionTests(sc_core::sc_module_name name, const RaytraceParameters& parameters,
                                     RaytraceStatistics& statistics)
    : sc_module(name),
      requests("requests"),
      boxes_{BusyUnits(parameters.box_units), parameters.box_latency},
      triangles_{BusyUnits(parameters.triangle_units), parameters.triangle_latency},
      setup_(parameters.setup_latency),
      statistics_(statistics) {
  requests.bind(*this);
}

void IntersectionTests::begin() {
  boxes_.begun.begin();
  triangles_.begun.begin();
}

void IntersectionTests::b_transport(IntersectionRequest& request, sc_core::sc_time& /*delay*/) {
  const auto test = [&](Units& units) {
    const Cycle start = units.begun.reserve(request.now, request.from);
    statistics_.unit_wait_cycles += start - request.from;
    request.done = start + units.latency;
  };
  switch (request.what) {
    case TraceFetch::ray:
      request.done = request.from + setup_;
      return;
    case TraceFetch::node:
      statistics_.box_tests += 2;
      return test(boxes_);
    case TraceFetch::triangle:
      ++statistics_.triangle_tests;
      return test(triangles_);
    case TraceFetch::empty_leaf:
    case TraceFetch::number:
      request.done = request.from;
      return;
  }
}

}  // namespace reconverge
