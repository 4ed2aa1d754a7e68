// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/figures.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "platforms/figures/warp_figures.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/ray_outcome.hpp"
#include "platforms/report/run_report.hpp"
#include "tests/unit/platforms/report/sample_run.hpp"

using namespace reconverge;
using namespace reconverge::report;

namespace {

double value_of(const std::vector<Figure>& list, std::string_view name) {
  for (const Figure& figure : list) {
    if (figure.name == name) return figure.value;
  }
  FAIL("no figure " << name);
  return 0;
}

double sum_of(const std::vector<Figure>& list, std::string_view prefix) {
  double total = 0;
  for (const Figure& figure : list) {
    if (figure.name.starts_with(prefix)) total += figure.value;
  }
  return total;
}

Measurement sample() { return measure(tests::sample_parameters(), tests::sample_totals(), 5000, {}); }

/// The measurement of an empty run on a machine with timing.
Measurement nothing_on(const MachineKind& machine) {
  return {machine.zeros(built_in_schemes()), 0, 0, 0, built_in_schemes(), &machine};
}

}  // namespace

TEST_CASE("figures match a calculation by hand from the counters") {
  const std::vector<Figure> list = figures(sample());
  CHECK(value_of(list, "cycles") == 1000);
  CHECK(value_of(list, "time") == Approx(1e-6));
  CHECK(value_of(list, "ray_rate") == Approx(5000));           // 5000 rays a microsecond
  CHECK(value_of(list, "thread_ipc") == Approx(10.4));         // (800 + 9600) / 1000
  CHECK(value_of(list, "warp_ipc") == Approx(0.4));            // 400 / 1000
  CHECK(value_of(list, "simd_efficiency") == Approx(0.8125));  // 10400 / (32 * 400)
  CHECK(value_of(list, "lanes_5_to_8") == Approx(0.25));
  CHECK(value_of(list, "lanes_29_to_32") == Approx(0.75));
  CHECK(value_of(list, "slots_issued") == Approx(0.2));
  CHECK(value_of(list, "slots_memory") == Approx(0.8));
  CHECK(value_of(list, "l1_hit_rate") == Approx(0.6));
  CHECK(value_of(list, "texture_hit_rate") == Approx(0.75));
  CHECK(value_of(list, "constant_hit_rate") == Approx(0.9));
  CHECK(value_of(list, "l2_hit_rate") == Approx(0.25));
  CHECK(value_of(list, "dram_bytes") == 3840 + 1280);
  CHECK(value_of(list, "dram_bandwidth") == Approx(5120 / 1e-6));
}

TEST_CASE("figures show the cost of ray shuffling") {
  Measurement measurement = sample();
  measurement.totals.of<DynamicRayShufflingStatistics>().control_reads = 400;
  measurement.totals.of<DynamicRayShufflingStatistics>().stalls = 100;
  measurement.totals.of<DynamicRayShufflingStatistics>().waiting_cycles = 700;
  measurement.totals.of<DynamicRayShufflingStatistics>().swaps = 50;
  measurement.totals.of<DynamicRayShufflingStatistics>().swap_cycles = 1250;
  const std::vector<Figure> list = figures(measurement);
  CHECK(value_of(list, "rdctrl_stall_rate") == Approx(0.25));
  CHECK(value_of(list, "rdctrl_attempt_stall_rate") == Approx(0.7));  // 700 / (700 + 400 - 100)
  CHECK(value_of(list, "cycles_per_swap") == Approx(25));
}

TEST_CASE("every figure of an empty run is zero") {
  for (const MachineKind* machine : built_in_machines()) {
    if (!machine->traits.timed) continue;
    for (const Figure& figure : figures(nothing_on(*machine))) {
      INFO(machine->name << ' ' << figure.name);
      CHECK(figure.value == 0);
    }
  }
}

TEST_CASE("every figure has a unique name, a unit, a description and a formula") {
  for (const MachineKind* machine : built_in_machines()) {
    if (!machine->traits.timed) continue;
    std::set<std::string> names;
    for (const Figure& figure : figures(nothing_on(*machine))) {
      INFO(machine->name << ' ' << figure.name);
      CHECK(names.insert(figure.name).second);
      CHECK_FALSE(figure.unit.empty());
      CHECK(figure.text.ends_with('.'));
      CHECK_FALSE(figure.formula.empty());
    }
  }
}

TEST_CASE("an instruction without active lanes counts as issued") {
  ActiveLanes active{};
  active[0] = 1;
  active[32] = 1;
  CHECK(simd_efficiency(active) == Approx(0.5));
}

TEST_CASE("each number of active lanes is in exactly one group") {
  ActiveLanes counted{};
  for (const LaneGroup& group : lane_groups()) {
    for (std::size_t lanes = group.first; lanes <= group.last; ++lanes) ++counted.at(lanes);
  }
  for (const std::uint64_t times : counted) CHECK(times == 1);
}

TEST_CASE("shares add up to one for any counts") {
  Statistics totals = gpu_statistics();
  std::uint64_t value = 7;
  for (std::uint64_t& count : totals.of<WarpSchedulerStatistics>().active_lanes) count = value = value * 31 % 1009;
  for (std::uint64_t& count : totals.of<WarpSchedulerStatistics>().slots.values) count = value = value * 31 % 1009;
  const std::vector<Figure> list = figures(measure(ExperimentParameters{}, totals, 0, {}));
  CHECK(sum_of(list, "lanes_") == Approx(1));
  CHECK(sum_of(list, "slots_") == Approx(1));
}

TEST_CASE("the report has the figures and stall causes of a scheme that is not built in") {
  static constexpr CauseDescription lunch{"lunch", "for lunch"};
  BlockDescription block;
  block.name = "outside";
  block.causes = std::span(&lunch, 1);
  SchemeKind outside;
  outside.part = {"outside", &block, nullptr};
  outside.add_figures = [](const Statistics& totals, std::vector<Figure>& list) {
    list.push_back({"twice", "cycles", "", "", 2.0 * static_cast<double>(totals.of<GpuStatistics>().cycles)});
  };
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  kinds.push_back(&outside);
  Statistics totals = gpu_statistics(kinds);
  totals.of<GpuStatistics>().cycles = 21;
  totals.of<WarpSchedulerStatistics>().slots[first_cause_of(outside, kinds)] = 3;
  totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::issued] = 1;
  const std::vector<Figure> list = figures(measure(ExperimentParameters{}, totals, 0, {kinds}));
  const auto value_of = [&](std::string_view name) {
    const auto found = std::ranges::find(list, name, &Figure::name);
    REQUIRE(found != list.end());
    return found->value;
  };
  CHECK(value_of("twice") == 42);
  CHECK(value_of("slots_lunch") == Approx(0.75));
}

TEST_CASE("the check finds issue slots with no outcome or with two") {
  Measurement measurement = sample();
  CHECK(unaccounted_slots(measurement) == 0);
  measurement.totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::memory] -= 3;
  CHECK(unaccounted_slots(measurement) == 3);
  measurement.totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::memory] += 5;
  CHECK(unaccounted_slots(measurement) == -2);
}

TEST_CASE("figures of tracing include only stages with rays, and totals include all stages") {
  const ExperimentParameters parameters = tests::sample_parameters();
  const RayTracingResult result = tests::sample_result();
  const RayOutcome outcome(parameters, result);
  const RunReport report(outcome);
  CHECK(report.main_sum().measurement->totals.of<GpuStatistics>().cycles == 1000);
  CHECK(report.total().measurement->totals.of<GpuStatistics>().cycles == 2000);
  CHECK(report.total().measurement->totals.of<WarpSchedulerStatistics>().active_lanes[8] == 200);
  CHECK(report.total().measurement->rays == 5000);
  CHECK_FALSE(report.partial());
  CHECK(report.ok());
}

TEST_CASE("a stopped stage counts only the rays that are known to be traced") {
  const ExperimentParameters parameters = tests::sample_parameters();
  RayTracingResult result = tests::sample_result();
  result.stages.front().cost.completed = false;
  result.stages.front().rays_done = GENERATE(0, 2000);
  result.cut = result.stages.front().rays_done != 0;
  result.completed = false;
  const RayOutcome outcome(parameters, result);
  const RunReport report(outcome);
  CHECK(report.partial() == !result.cut);
  CHECK(rays_per_second(*report.sections().front().measurement) ==
        1e6 * static_cast<double>(result.stages.front().rays_done));
  CHECK(report.main_sum().measurement->totals.of<GpuStatistics>().cycles == 1000);
}

TEST_CASE("checks fail only for wrong values") {
  const ExperimentParameters parameters = tests::sample_parameters();
  RayTracingResult result = tests::sample_result();
  const RayOutcome outcome(parameters, result);
  SECTION("a different hit") {
    result.stages.front().hits.mismatches = 1;
    CHECK_FALSE(RunReport(outcome).passed("hits_agree"));
  }
  SECTION("a different picture, although all hits are equal") {
    result.picture_error = 1e-6;
    CHECK_FALSE(RunReport(outcome).passed("picture_agrees"));
  }
  SECTION("a picture with NaN") {
    result.picture_error = std::nan("");
    result.stages.front().hits.ties = 1;
    CHECK_FALSE(RunReport(outcome).passed("picture_agrees"));
  }
  SECTION("an issue slot without an outcome in one stage") {
    ++result.stages.back().cost.counters->of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::empty];
    CHECK_FALSE(RunReport(outcome).passed(issue_slots_check));
  }
}
