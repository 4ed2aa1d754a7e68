// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/twins.hpp"

namespace reconverge::kernels {

namespace {

constexpr unsigned untouched = 0xdeadbeefU;

}  // namespace

TEST_CASE("saxpy fuses multiply and add, and does not change elements after the count") {
  const unsigned count = 300;
  std::vector<float> x(384);
  std::vector<float> y(384);
  for (unsigned i = 0; i < x.size(); ++i) {
    x[i] = 1.0F + static_cast<float>(i) * 0x1p-20F;
    y[i] = -1.0F - static_cast<float>(i) * 0x1p-19F;
  }
  const std::vector<float> before = y;
  const float a = 1.0F + 0x1p-12F;
  twin("saxpy")(shape_for(count), a, x.data(), y.data(), count);

  bool fused_differs = false;
  for (unsigned i = 0; i < count; ++i) {
    CHECK(y[i] == std::fma(a, x[i], before[i]));
    const float product = a * x[i];
    fused_differs = fused_differs || y[i] != product + before[i];
  }
  CHECK(fused_differs);  // otherwise the test could not detect whether saxpy fuses
  for (unsigned i = count; i < y.size(); ++i) CHECK(y[i] == before[i]);
}

TEST_CASE("collatz counts the known numbers of steps") {
  // 837799 takes the most steps of all starts below a million, and 3732423 of all below four million. 1410123943
  // reaches values above 2^62.
  const std::vector<unsigned> start{0, 1, 2, 3, 7, 27, 97, 871, 837799, 3732423, 1410123943, 0xffffffffU};
  const std::vector<unsigned> known{0, 0, 1, 7, 16, 111, 118, 178, 524, 596, 770, 451};
  std::vector<unsigned> steps(start.size(), untouched);
  const auto count = static_cast<unsigned>(start.size());
  twin("collatz")(shape_for(count, 32), start.data(), steps.data(), count);
  CHECK(steps == known);
}

TEST_CASE("divergent_switch: each path computes a different hash, and `ways` limits the number of paths") {
  const unsigned count = 64;
  std::vector<unsigned> way(count);
  std::iota(way.begin(), way.end(), 0U);
  const auto run = [&](unsigned ways, unsigned rounds) {
    std::vector<unsigned> out(count, untouched);
    twin("divergent_switch")(shape_for(count, 32), way.data(), ways, rounds, out.data(), count);
    return out;
  };

  SECTION("no rounds: the thread's number") { CHECK(run(8, 0) == way); }
  SECTION("one round, calculated by hand for thread 8 + way") {
    const std::vector<unsigned> out = run(8, 1);
    CHECK(out[8] == 8U * 0x2c1b3c6dU);
    CHECK(out[9] == 9U + (9U << 7U));
    CHECK(out[10] == 10U * 0x1b56c4e9U - 1U);
    CHECK(out[11] == (11U << 5U) + 0x9e3779b9U);
    CHECK(out[12] == 12U * 13U);
    CHECK(out[13] == 13U);
    CHECK(out[14] == 14U * 0x85ebca6bU);
    CHECK(out[15] == (15U << 13U) * 5U + 0xe6546b64U);
  }
  SECTION("one way: all threads take path 0") {
    const std::vector<unsigned> out = run(1, 1);
    for (unsigned i = 0; i < count; ++i) CHECK(out[i] == (i ^ i >> 15U) * 0x2c1b3c6dU);
  }
  SECTION("k ways: threads with i % k == i % 8 have the same results as with eight ways") {
    const std::vector<unsigned> all = run(8, 5);
    const std::vector<unsigned> three = run(3, 5);
    CHECK(three[8] != all[8]);  // paths 2 and 0
    CHECK(three[24] == all[24]);
    CHECK(three[25] == all[25]);
    CHECK(three[26] == all[26]);
  }
}

TEST_CASE("reduce_sum adds every element once, for any block size") {
  std::mt19937 random(7);
  std::vector<int> values(1000);
  for (int& v : values) v = static_cast<int>(random());
  const auto sum = [&](std::size_t first, std::size_t end) {
    std::uint32_t s = 0;
    for (std::size_t i = first; i < end && i < values.size(); ++i) s += static_cast<std::uint32_t>(values[i]);
    return static_cast<int>(s);
  };
  const auto count = static_cast<unsigned>(values.size());
  for (const unsigned threads : {1U, 2U, 32U, 64U, 256U}) {
    const LaunchShape shape = shape_for(count, threads);
    std::vector<int> block_sums(shape.grid.x, 0);
    int total = 5;
    twin("reduce_sum")(shape, values.data(), block_sums.data(), &total, count);
    for (std::size_t b = 0; b < block_sums.size(); ++b) CHECK(block_sums[b] == sum(b * threads, (b + 1) * threads));
    CHECK(static_cast<std::uint32_t>(total) == static_cast<std::uint32_t>(sum(0, values.size())) + 5U);
  }
}

TEST_CASE("julia: points with known orbits") {
  SECTION("c = 0: points in the unit circle never escape, and points outside escape by repeated squaring") {
    const unsigned width = 30;
    const unsigned height = 20;
    const unsigned limit = 50;
    std::vector<unsigned> iterations(width * height, untouched);
    // Partial blocks at both edges.
    twin("julia")({{4, 3, 1}, {8, 8, 1}}, 0.0F, 0.0F, width, height, limit, iterations.data());
    unsigned inside = 0;
    for (unsigned y = 0; y < height; ++y) {
      for (unsigned x = 0; x < width; ++x) {
        const double re = 3.0 * (x + 0.5) / width - 1.5;
        const double im = 3.0 * (y + 0.5) / height - 1.5;
        const double radius = std::hypot(re, im);
        // |z| after n squarings is radius^(2^n). No point of this picture is within 1e-3 of a circle that separates two
        // counts.
        unsigned expected = 0;
        for (double r = radius; expected < limit && r <= 2.0; r *= r) ++expected;
        CHECK(iterations[y * width + x] == expected);
        inside += radius < 1.0 ? 1U : 0U;
      }
    }
    CHECK(inside > 0);
    CHECK(inside < width * height);
  }
  SECTION("large c: points escape after one step") {
    std::vector<unsigned> iterations(9, untouched);
    twin("julia")({{1, 1, 1}, {3, 3, 1}}, 10.0F, 0.0F, 3U, 3U, 50U, iterations.data());
    CHECK(iterations == std::vector<unsigned>(9, 1U));
  }
  SECTION("limit of no iterations") {
    std::vector<unsigned> iterations(4, untouched);
    twin("julia")({{1, 1, 1}, {2, 2, 1}}, 0.0F, 0.0F, 2U, 2U, 0U, iterations.data());
    CHECK(iterations == std::vector<unsigned>(4, 0U));
  }
}

TEST_CASE("julia_colours and checkerboard_julia: points with known paths") {
  // With c = 0 each iteration squares a point's radius: 1.3, 1.69, 2.86, which ends after one more iteration.
  const std::vector<Float4> points{{0.5F, 0, 0, 0}, {0, -0.9F, 0, 0}, {1.3F, 0, 0, 0}, {0, 1.9F, 0, 0}};
  const auto count = static_cast<unsigned>(points.size());
  std::vector<float> colours(count, -1.0F);
  twin("julia_colours")(shape_for(count), points.data(), 0.0F, 0.0F, 3U, colours.data(), count);
  CHECK(colours == std::vector<float>{0.75F, 0.75F, 0.25F, 0.0F});

  // The squares have the lower corners (0.5, 0), (0, -1), (1, 0), (0, 1.5). On odd squares c = 10 ends the loop at
  // once.
  std::vector<float> board(count, -1.0F);
  twin("checkerboard_julia")(shape_for(count), points.data(), 0.0F, 0.0F, 3U, 10.0F, 0.0F, 7U, board.data(), count);
  CHECK(board == std::vector<float>{0.0F, 0.75F, 0.25F, 0.0F});
}

TEST_CASE("checkerboard: squares with an odd sum of numbers are black") {
  const std::vector<Float4> points{{0.05F, 0.05F, 0, 0}, {0.15F, 0.05F, 0, 0}, {0.15F, 0.15F, 0, 0},
                                   {0.95F, 0.0F, 0, 0},  {-0.05F, 0.0F, 0, 0}, {-0.05F, -0.1F, 0, 0}};
  const auto count = static_cast<unsigned>(points.size());
  std::vector<float> colours(count + 1, -1.0F);
  twin("checkerboard")(shape_for(count), points.data(), 0.1F, colours.data(), count);
  CHECK(colours == std::vector<float>{1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F, -1.0F});
}

TEST_CASE("pass_example: increments i until i is greater than 20") {
  const std::vector<float> start{21.0F, 20.0F, 19.0F, -3.0F, 20.5F, 19.25F};
  std::vector<float> result(start.size());
  twin("pass_example")({{1, 1, 1}, {6, 1, 1}}, start.data(), result.data());
  CHECK(result == std::vector<float>{21.0F, 21.0F, 21.0F, 21.0F, 20.5F, 20.25F});
}

TEST_CASE("julia_padded: the same colours as julia_colours, bit for bit") {
  const unsigned side = 32;
  const unsigned count = side * side;
  std::vector<Float4> points(count);
  twin("picture_points")(shape_for(count), points.data(), side, side, 2.0F);
  for (const unsigned limit : {0U, 5U, 20U}) {
    std::vector<float> colours(count, -1.0F);
    std::vector<float> padded(count, -2.0F);
    twin("julia_colours")(shape_for(count), points.data(), -0.122F, 0.745F, limit, colours.data(), count);
    twin("julia_padded")({{count / 128, 1, 1}, {128, 1, 1}}, points.data(), -0.122F, 0.745F, limit, padded.data());
    CHECK(padded == colours);
  }
}

}  // namespace reconverge::kernels
