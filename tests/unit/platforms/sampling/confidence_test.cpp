// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/confidence.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "blocks/gpu.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::sampling {
namespace {

Statistics cycles(std::uint64_t count) {
  static const Statistics zeros{gpu_statistics(built_in_schemes())};
  Statistics statistics = zeros;
  statistics.of<GpuStatistics>().cycles = count;
  return statistics;
}

std::vector<double> cycles_of(const Statistics& statistics) {
  return {static_cast<double>(statistics.of<GpuStatistics>().cycles)};
}

double half_width(const Statistics& sum, const std::vector<Estimate>& estimates, double level) {
  std::vector<const Estimate*> terms;
  for (const Estimate& estimate : estimates) terms.push_back(&estimate);
  return half_widths(sum, terms, level, cycles_of).front();
}

}  // namespace

TEST_CASE("the half-width of a mean follows Student's t", "[sampling]") {
  // Batches have 90, 110, 90 and 110 cycles. The estimate without one batch is 4/3 of the sum of the others. The
  // variance of the sum, from successive differences, is 4 * (3 * 20^2) / (2 * 3) = 800, with 2 * 9 / 8 = 2.25 degrees
  // of freedom.
  const std::vector<Estimate> estimates{{cycles(40000), {cycles(41333), cycles(38667), cycles(41333), cycles(38667)}}};
  // Quantile 0.975 of t with 2.25 degrees: 3.8811 (R: qt(0.975, 2.25)).
  CHECK(half_width(cycles(40000), estimates, 0.95) == Approx(3.8811 * 2828.43).epsilon(0.002));
  CHECK(half_width(cycles(40000), estimates, 0.9) < half_width(cycles(40000), estimates, 0.95));
}

TEST_CASE("exact counts do not widen an interval", "[sampling]") {
  const std::vector<Estimate> estimates{{cycles(1000), {cycles(900), cycles(1100)}}};
  const double narrow = half_width(cycles(1000), estimates, 0.95);
  CHECK(narrow > 0);
  CHECK(half_width(cycles(51000), estimates, 0.95) == Approx(narrow));
}

TEST_CASE("variances of several estimates add up", "[sampling]") {
  const Estimate one{cycles(1000), {cycles(900), cycles(1100), cycles(900), cycles(1100), cycles(900)}};
  const double single = half_width(cycles(1000), {one}, 0.95);
  const double both = half_width(cycles(2000), {one, one}, 0.95);
  // There are twice as many degrees of freedom, so the quantile is smaller, too.
  CHECK(both < std::sqrt(2.0) * single);
  CHECK(both > std::sqrt(2.0) * single * 0.7);
}

TEST_CASE("a steady trend along the work hardly widens an interval", "[sampling]") {
  Estimate rising{cycles(10000), {}};
  Estimate shuffled = rising;
  for (const std::uint64_t step : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) rising.without.push_back(cycles(9500 + 100 * step));
  for (const std::uint64_t step : {4, 9, 0, 7, 2, 8, 1, 6, 3, 5}) shuffled.without.push_back(cycles(9500 + 100 * step));
  CHECK(half_width(cycles(10000), {rising}, 0.95) < 0.4 * half_width(cycles(10000), {shuffled}, 0.95));
}

TEST_CASE("the interval of a constant value has no width", "[sampling]") {
  CHECK(half_width(cycles(1000), {{cycles(1000), {cycles(1000), cycles(1000), cycles(1000)}}}, 0.95) == 0);
}

}  // namespace reconverge::sampling
