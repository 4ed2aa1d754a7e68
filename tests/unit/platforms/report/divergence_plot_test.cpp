// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/divergence_plot.hpp"

#include <catch2/catch.hpp>

#include "platforms/report/ray_outcome.hpp"
#include "tests/unit/platforms/report/sample_run.hpp"

using namespace reconverge;
using namespace reconverge::report;

namespace {

IntervalCounts interval(std::uint64_t begin, std::uint64_t empty, std::uint64_t waiting, std::size_t lanes,
                        std::uint64_t issued) {
  IntervalCounts counts;
  counts.begin = begin;
  counts.slots.outcomes[WarpSchedulerSlots::empty] = empty;
  counts.slots.outcomes[WarpSchedulerSlots::memory] = waiting;
  counts.slots.outcomes[WarpSchedulerSlots::issued] = issued;
  counts.slots.issued[lanes] = issued;
  return counts;
}

}  // namespace

TEST_CASE("the divergence plot has ten classes, and the stages that trace rays in sequence") {
  ExperimentParameters parameters = tests::sample_parameters();
  parameters.timeline = 100;
  RayTracingResult result = tests::sample_result();
  REQUIRE(result.stages.size() == 2);
  for (Stage& stage : result.stages) {
    stage.rays = 1;
    stage.cost.counters->of<GpuStatistics>().cycles = 150;
  }
  result.stages[0].cost.history = {100, 150, {interval(0, 10, 30, 32, 60), interval(100, 0, 20, 4, 30)}};
  result.stages[1].cost.history = {100, 150, {interval(0, 0, 0, 29, 100), interval(100, 50, 0, 5, 0)}};
  SlotCounts& mixed = result.stages[0].cost.history.samples[0].slots;
  mixed.issued[0] = 4;
  mixed.outcomes[WarpSchedulerSlots::issued] += 4;
  const RayOutcome outcome(parameters, result);
  const RunReport report(outcome);
  const DivergencePlot plot = divergence_plot(report);
  CHECK(plot.cycles == 300);
  REQUIRE(plot.intervals.size() == 4);
  CHECK(plot.intervals[0].slots == 104);
  CHECK(plot.intervals[0].of_class == std::array<std::uint64_t, 10>{10, 30, 4, 0, 0, 0, 0, 0, 0, 60});
  CHECK(plot.intervals[1].begin == 100);
  CHECK(plot.intervals[1].of_class[2] == 30);
  CHECK(plot.intervals[2].begin == 150);
  CHECK(plot.intervals[2].of_class[9] == 100);
  CHECK(plot.marks.at(1).begin == 150);
  CHECK(plot.marks.at(1).stage == result.stages[1].name);

  const std::string csv = csv_of(plot);
  CHECK(csv.starts_with("cycle,slots,empty,waiting,W0:4,W5:8,"));
  CHECK(csv.find("\n100,50,0.000000,0.400000,0.600000,0") != std::string::npos);
  const std::string svg = svg_of(plot, "a < b");
  CHECK(svg.find("a &lt; b: issue slots") != std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));

  // A stage that only shades is not in the plot.
  result.stages[1].rays = 0;
  const RayOutcome with_shading(parameters, result);
  CHECK(divergence_plot(RunReport(with_shading)).cycles == 150);
}
