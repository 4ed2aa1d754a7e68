// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/sampler.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include "blocks/gpu.hpp"
#include "models/core/error.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/sampling/block_sample.hpp"
#include "platforms/sampling/confidence.hpp"

namespace reconverge::sampling {
namespace {

constexpr std::uint64_t places = 20;

/// A machine that can be calculated by hand: a queue with several servers, which units of work occupy for some time.
class Queue : public Machine {
 public:
  using Duration = std::function<std::uint64_t(std::uint64_t unit)>;

  /// Runs the selected units, and calls `ask` before each and at the end.
  void serve(const BlockSelection& selection, std::uint64_t units, const Duration& duration,
             const std::function<void()>& ask) {
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> ends;
    const std::uint64_t start = statistics_.of<GpuStatistics>().cycles;
    for (std::uint64_t i = 0; i < selection.count(units); ++i) {
      std::uint64_t now = 0;
      if (ends.size() == places) {
        now = ends.top();
        ends.pop();
      }
      statistics_.of<GpuStatistics>().cycles = start + now;
      if (ask) ask();
      ++statistics_.of<GpuStatistics>().blocks_launched;
      ends.push(now + duration(selection.block(i, units)));
    }
    for (; !ends.empty(); ends.pop()) statistics_.of<GpuStatistics>().cycles = start + ends.top();
    if (ask) ask();
  }

  DeviceMemory& memory() override { return memory_; }
  bool run(const Launch& /*launch*/, const KeepGoing& /*keep_going*/) override { return true; }
  std::uint64_t blocks_at_once(const Launch& /*launch*/) const override { return places; }
  InstructionCounts instructions() const override {
    const std::uint64_t begun = statistics_.of<GpuStatistics>().blocks_launched;
    return {begun, 32 * begun};
  }
  Statistics totals() const override { return statistics_; }

 private:
  DeviceMemory memory_{std::uint64_t{1} << 20};
  Statistics statistics_{gpu_statistics(built_in_schemes())};
};

struct Result {
  std::uint64_t cycles = 0;
  InstructionCounts instructions;
  double half_width = 0;
  Sample sample;
};

Work work_of(const BlockSelection& selection, std::uint64_t units) {
  return {"blocks", units, selection.count(units), places,
          [](const Statistics& so_far) { return so_far.of<GpuStatistics>().blocks_launched; }};
}

Result sampled(const BlockSelection& selection, std::uint64_t units, const Queue::Duration& duration) {
  Queue queue;
  queue.serve({}, 7, duration, {});  // an earlier launch, which must have no effect
  const Statistics before = queue.totals();
  const InstructionCounts executed = queue.instructions();
  Sampler sampler(queue, work_of(selection, units));
  queue.serve(selection, units, duration, [&] { sampler.note(); });
  Statistics counters = queue.totals().since(before);
  Result result;
  result.instructions = queue.instructions().since(executed);
  result.sample = sampler.estimate(counters, result.instructions);
  result.cycles = counters.of<GpuStatistics>().cycles;
  const std::array<const Estimate*, 1> estimates{&result.sample.estimates.front()};
  result.half_width = half_widths(counters, estimates, 0.95, [](const Statistics& statistics) {
                        return std::vector{static_cast<double>(statistics.of<GpuStatistics>().cycles)};
                      }).front();
  return result;
}

std::uint64_t in_full(std::uint64_t units, const Queue::Duration& duration) {
  Queue queue;
  queue.serve({}, units, duration, {});
  return queue.totals().of<GpuStatistics>().cycles;
}

/// The cycles of each unit: at least 100, plus an exponential random number whose mean changes along the launch.
std::vector<std::uint64_t> durations_of(std::uint64_t seed, std::uint64_t units, double slope) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> durations;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    const double place = static_cast<double>(unit) / static_cast<double>(units);
    std::exponential_distribution<double> longer(1 / (1000 * (1 + slope * place)));
    durations.push_back(static_cast<std::uint64_t>(100 + longer(random)));
  }
  return durations;
}

}  // namespace

TEST_CASE("if units hardly differ, the estimate is close to the cycles of the whole launch", "[sampling]") {
  const auto duration = [](std::uint64_t unit) { return 951 + unit * 7919 % 100; };
  const Result result = sampled({100, 20}, 5000, duration);
  CHECK(result.cycles == Approx(static_cast<double>(in_full(5000, duration))).epsilon(0.01));
  CHECK(result.half_width < 0.1 * static_cast<double>(result.cycles));
  CHECK(result.instructions.warp_instructions == 5000);
  CHECK(result.instructions.thread_instructions == 160000);
  CHECK(result.sample.simulated == 1000);
  CHECK(result.sample.whole == 5000);
  CHECK(result.sample.counted.of<GpuStatistics>().blocks_launched == 1000);
  CHECK(result.sample.estimates.front().counters.of<GpuStatistics>().blocks_launched == 5000);
}

TEST_CASE("95 of 100 intervals contain the cycles of the whole launch", "[sampling]") {
  const std::uint64_t units = 8000;
  const double slope = GENERATE(0.0, 1.0, -0.8);  // trend of durations along the launch
  CAPTURE(slope);
  int inside = 0;
  double error = 0;
  constexpr int runs = 200;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const std::vector<std::uint64_t> durations = durations_of(seed, units, slope);
    const auto duration = [&](std::uint64_t unit) { return durations[unit]; };
    const Result result = sampled({200, 20}, units, duration);
    const auto whole = static_cast<double>(in_full(units, duration));
    const double difference = static_cast<double>(result.cycles) - whole;
    error += difference / whole / runs;
    if (std::abs(difference) <= result.half_width) ++inside;
  }
  CAPTURE(inside);
  CHECK(inside >= 0.90 * runs);
  CHECK(inside <= 0.995 * runs);
  CHECK(std::abs(error) < 0.01);
}

TEST_CASE("the sampler keeps a limited number of notes", "[sampling]") {
  // The sampler reduces 100,000 notes to a few. The estimate is still exact for nearly equal units.
  const auto duration = [](std::uint64_t unit) { return 900 + unit % 7 * 10; };
  const Result result = sampled({20, 10}, 200'000, duration);
  CHECK(result.sample.batches == 32);
  CHECK(result.cycles == Approx(static_cast<double>(in_full(200'000, duration))).epsilon(0.002));
}

TEST_CASE("a launch without a middle phase has no estimate", "[sampling]") {
  const auto duration = [](std::uint64_t /*unit*/) { return std::uint64_t{1000}; };
  CHECK_FALSE(work_of({40, 20}, 50).is_large_enough());
  CHECK(work_of({40, 20}, 50).too_small() == "a sample has 25 blocks, and needs 120");
  CHECK_THROWS_WITH(sampled({40, 20}, 50, duration), Catch::Contains("lower sample.every"));
}

}  // namespace reconverge::sampling
