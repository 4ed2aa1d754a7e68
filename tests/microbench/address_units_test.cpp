// SPDX-License-Identifier: Apache-2.0
// The address units of schedulers and the interval of the load/store unit, in a whole SM.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

/// Address units with the intervals published for GA102. The loop's other instructions take less time than its loads
/// wait.
GpuParameters machine_with_address_units() {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.count = 4;
  parameters.sm.lanes.alu_latency = 1;
  parameters.sm.lanes.branch_latency = 1;
  auto& load_store = parameters.sm.load_store;
  load_store.interval = 2;
  load_store.address_interval = 4;
  load_store.address_latency = 11;
  load_store.address_queue = 5;
  load_store.shared_latency = 8;
  return parameters;
}

/// Cycles between the loads of a scheduler. An iteration has eight loads of shared memory without bank conflicts.
double cadence(const GpuParameters& parameters, unsigned warps) {
  const Growth growth = tests::growth({"shared_banks", "throughput", 1, 32 * warps, 4}, 20, 60, parameters);
  const unsigned of_a_scheduler = (warps + 3) / 4;
  return growth.cycles_each() / (8 * of_a_scheduler);
}

}  // namespace

TEST_CASE("schedulers with address units load every 4, 4, 6 and 8 cycles if 1, 2, 3 and 4 are active") {
  GpuParameters parameters = machine_with_address_units();
  const double expected[] = {4, 4, 6, 8};
  for (unsigned warps = 1; warps <= 4; ++warps) {
    CAPTURE(warps);
    CHECK(within(cadence(parameters, warps), expected[warps - 1], 1));
  }
  // More warps do not raise the rate.
  CHECK(within(cadence(parameters, 32), 8, 1));
  // Without address units, the interval of the load/store unit is the limit.
  parameters.sm.load_store.address_interval = 0;
  CHECK(within(cadence(parameters, 1), 2, 30));
  CHECK(within(cadence(parameters, 4), 8, 1));
}

TEST_CASE("a load waits for its addresses and then for its data") {
  GpuParameters parameters = machine_with_address_units();
  const Cycle latency = GENERATE(1U, 11U, 30U);
  parameters.sm.load_store.address_latency = latency;
  const auto& lanes = parameters.sm.lanes;
  const Cycle shared = parameters.sm.load_store.shared_latency;
  const Growth chain = growth({"shared_banks", "latency", 1, 32, 4}, 5, 25, parameters);
  CHECK(chain.cycles == 20 * (4 * (latency + shared + lanes.alu_latency) + lanes.branch_latency));
}

TEST_CASE("with an interval of two, a second bank conflict costs two cycles and the first none") {
  GpuParameters parameters = machine_with_address_units();
  parameters.sm.load_store.address_interval = 0;
  const unsigned ways = GENERATE(1U, 2U, 4U, 8U);
  CAPTURE(ways);
  const Growth many = growth({"shared_banks", "throughput", 1, 32 * 32, 4 * ways}, 5, 25, parameters);
  CHECK(within(many.cycles_each(), 8 * 32 * std::max(2U, ways), 1));
  const Growth chain = growth({"shared_banks", "latency", 1, 32, 4 * ways}, 5, 25, parameters);
  const Cycle late = std::max(2U, ways) - 2;
  const auto& lanes = parameters.sm.lanes;
  const Cycle load = parameters.sm.load_store.shared_latency + late + lanes.alu_latency;
  CHECK(chain.cycles == 20 * (4 * load + lanes.branch_latency));
}

}  // namespace reconverge::tests
