// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Pipelined units that test boxes and triangles.

#include <array>
#include <systemc>

#include "blocks/raytrace.hpp"
#include "models/protocols/control.hpp"
#include "models/schemes/raytrace/ray_traversal.hpp"
#include "models/sm/busy_ring.hpp"

namespace reconverge {

/// From the unit to the tests: the data that a ray waited for is available.
struct IntersectionRequest {
  TraceFetch what = TraceFetch::node;
  Cycle now = 0;   ///< never decreases
  Cycle from = 0;  ///< cycle in which the data is available
  // Filled by the target:
  Cycle done = 0;  ///< cycle in which the ray can request its next data
};

class IntersectionTests : public sc_core::sc_module, private ControlTarget<IntersectionRequest> {
 public:
  ControlTargetSocket<IntersectionRequest> requests;

  IntersectionTests(sc_core::sc_module_name name, const RaytraceParameters& parameters, RaytraceStatistics& statistics);

  void begin();

 private:
  void b_transport(IntersectionRequest& request, sc_core::sc_time& delay) override;

  /// The units for nodes, or those for triangles.
  struct Units {
    BusyUnits begun;
    Cycle latency;
  };
  Units boxes_;
  Units triangles_;
  Cycle setup_;
  RaytraceStatistics& statistics_;
};

}  // namespace reconverge
