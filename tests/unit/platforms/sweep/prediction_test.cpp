// SPDX-License-Identifier: Apache-2.0
/// Samples of a design space, and predictions of time and memory.

#include "platforms/sweep/prediction.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "platforms/sweep/quantity_text.hpp"
#include "platforms/sweep/samples.hpp"

using namespace reconverge::sweep;

TEST_CASE("a Latin hypercube has one point in each part of each dimension") {
  constexpr std::size_t size = 50;
  const std::vector<UnitPoint> cube = latin_hypercube(size, 3, 7);
  REQUIRE(cube.size() == size);
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    std::set<int> parts;
    for (const UnitPoint& point : cube) parts.insert(static_cast<int>(point[dimension] * size));
    CHECK(parts.size() == size);
    CHECK(*parts.begin() == 0);
    CHECK(*parts.rbegin() == size - 1);
  }
  CHECK(cube == latin_hypercube(size, 3, 7));
  CHECK(cube != latin_hypercube(size, 3, 8));
}

TEST_CASE("uniform points are those of the 64-bit Mersenne twister") {
  UniformPoints points(2, 5489);
  // The first output of mt19937_64 with its default seed is 14514284786278117030.
  CHECK(points.next().at(0) == Approx(14514284786278117030.0 / std::pow(2.0, 64)).epsilon(1e-12));
  for (int i = 0; i < 1000; ++i) {
    for (const double coordinate : points.next()) {
      CHECK(coordinate >= 0);
      CHECK(coordinate < 1);
    }
  }
}

TEST_CASE("numbers of parameters are read in base units and written back") {
  CHECK(number_of("48 KiB")->value == 49152);
  CHECK(number_of("980 MHz")->value == 980e6);
  CHECK(number_of("0.25")->kind == QuantityKind::ratio);
  CHECK_FALSE(number_of("mimd"));
  CHECK_FALSE(number_of("1, 2"));
  for (const char* text : {"48 KiB", "980 MHz", "300 cycles", "17", "0.25"}) CHECK(text_of(*number_of(text)) == text);
  CHECK(text_of({16.6, QuantityKind::count}) == "17");
}

namespace {

/// 4 schemes on 1 to 16 SMs; the time is a product, as in a simulation, with a deviation of 5 %.
struct Space {
  std::vector<Point> points;
  std::vector<double> seconds;

  Space() {
    std::mt19937 random(1);
    std::normal_distribution<double> deviation(0, 0.05);
    for (const char* scheme : {"stack", "mimd", "dmk", "drs"}) {
      for (int sms = 1; sms <= 16; ++sms) {
        Point point;
        point.digest = scheme + std::to_string(sms);
        point.settings = {{"gpu.sm.scheme", scheme, true}, {"gpu.sms", std::to_string(sms), true}};
        const double factor = std::string(scheme) == "drs" ? 10 : 1 + std::string(scheme).size() / 10.0;
        points.push_back(point);
        seconds.push_back(factor * std::sqrt(sms) * std::exp(deviation(random)));
      }
    }
  }

  Cost cost(std::size_t point) const { return {points[point].digest, seconds[point], 1e6 * seconds[point]}; }
};

}  // namespace

TEST_CASE("nothing is predicted from fewer than four points") {
  const Space space;
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < Prediction::fewest; ++i) {
    CHECK_FALSE(Prediction(space.points, costs).seconds(0));
    CHECK_FALSE(Prediction(space.points, costs).seconds_of({0}));
    costs.push_back(space.cost(5 * i));
  }
  CHECK(Prediction(space.points, costs).seconds(0));
}

TEST_CASE("time and memory are predicted from a third of the points within the error that is shown") {
  const Space space;
  std::vector<Cost> costs;
  std::vector<std::size_t> left;
  double truth = 0;
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    if (i % 3 == 0) {
      costs.push_back(space.cost(i));
    } else {
      left.push_back(i);
      truth += space.seconds[i];
    }
  }
  const Prediction prediction(space.points, costs);
  for (const std::size_t point : left) {
    CHECK(*prediction.seconds(point) == Approx(space.seconds[point]).epsilon(0.25));
    CHECK(*prediction.memory_bytes(point) == Approx(1.25e6 * space.seconds[point]).epsilon(0.3));
  }
  const ExpectedSum sum = *prediction.seconds_of(left);
  CHECK(sum.error < 0.15 * sum.sum);
  CHECK(std::abs(sum.sum - truth) < 2 * sum.error);
  // The longest come first by this order.
  const auto longest = std::ranges::max(left, {}, [&](std::size_t p) { return *prediction.seconds(p); });
  CHECK(space.points[longest].digest.starts_with("drs"));
}
