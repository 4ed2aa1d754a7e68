// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "platforms/kernels/twins.hpp"
#include "scenes/files/picture.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/light/ray_streams.hpp"
#include "scenes/structures/bvh.hpp"

namespace reconverge::kernels {

namespace {

using scenes::Hit;
using scenes::Material;
using scenes::PathSample;

void check_pixel(const Float4& pixel, float red, float green, float blue, float fourth) {
  CHECK(pixel.x == red);
  CHECK(pixel.y == green);
  CHECK(pixel.z == blue);
  CHECK(pixel.w == fourth);
}

constexpr Hit miss{-1, 1.0F, 0.0F, 0.0F};
constexpr Hit hit_of(int triangle) { return {triangle, 1.0F, 0.0F, 0.0F}; }

/// Three pixels: the first has two samples, the second none, the third one.
const std::vector<unsigned> pixel_first{0, 2, 2, 3};
const std::vector<PathSample> samples{{{1.0F, 2.0F, 3.0F}, 0}, {{0.5F, 0.5F, 0.5F}, 0}, {{2.0F, 0.0F, 1.0F}, 2}};

}  // namespace

TEST_CASE("shade_hits adds weight times emission, or weight times the sky for a miss") {
  const std::vector<Material> materials{{{}, 0.0F, {10.0F, 20.0F, 30.0F}, 0.0F}, {{}, 0.0F, {4.0F, 4.0F, 8.0F}, 0.0F}};
  const std::vector<unsigned> material_of_triangle{1, 0, 1};
  const std::vector<Hit> hits{hit_of(1), hit_of(2), miss};
  std::vector<Float4> picture(4, Float4{1.0F, 1.0F, 1.0F, 7.0F});
  twin("shade_hits")(shape_for(3, 32), pixel_first.data(), samples.data(), hits.data(), material_of_triangle.data(),
                     materials.data(), 0.25F, 0.5F, 1.0F, picture.data(), 3U);
  check_pixel(picture[0], 1.0F + 10.0F + 2.0F, 1.0F + 40.0F + 2.0F, 1.0F + 90.0F + 4.0F, 7.0F);
  check_pixel(picture[1], 1.0F, 1.0F, 1.0F, 7.0F);
  check_pixel(picture[2], 1.0F + 0.5F, 1.0F, 1.0F + 1.0F, 7.0F);
  check_pixel(picture[3], 1.0F, 1.0F, 1.0F, 7.0F);  // after the end of the picture
}

TEST_CASE("shade_shadow adds the weight if the light is visible") {
  const std::vector<Hit> hits{hit_of(0), miss, miss};
  std::vector<Float4> picture(3, Float4{1.0F, 1.0F, 1.0F, 7.0F});
  twin("shade_shadow")(shape_for(3, 32), pixel_first.data(), samples.data(), hits.data(), picture.data(), 3U);
  check_pixel(picture[0], 1.5F, 1.5F, 1.5F, 7.0F);
  check_pixel(picture[1], 1.0F, 1.0F, 1.0F, 7.0F);
  check_pixel(picture[2], 3.0F, 1.0F, 2.0F, 7.0F);
}

TEST_CASE("resolve_picture scales, clamps, takes the square root and packs") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<Float4> picture{
      {0.0F, 0.125F, 0.5F, 9.0F}, {-1.0F, 100.0F, nan, 0.0F}, {infinity, -infinity, 0.02F, 0.0F}};
  std::vector<unsigned> rgba(4, 42U);
  twin("resolve_picture")(shape_for(3, 32), picture.data(), rgba.data(), 2.0F, 3U);
  // Scaled by two: 0, 0.25, 1. Roots: 0, 0.5, 1. Bytes: 0, 127.5 + 0.5, 255.
  CHECK(rgba[0] == 0xffff8000U);
  CHECK(rgba[1] == 0xff00ff00U);
  // The root of 0.04 is 0.2, and a fifth of 255 is 51.
  CHECK(rgba[2] == 0xff3300ffU);
  CHECK(rgba[3] == 42U);
}

TEST_CASE("resolve_picture equals the host's tone mapping at the threshold of every byte") {
  std::vector<Float4> picture;
  for (int byte = 0; byte <= 255; ++byte) {
    const float threshold = std::pow((static_cast<float>(byte) - 0.5F) / 255.0F, 2.0F);
    picture.push_back({std::nextafter(threshold, 0.0F), threshold, std::nextafter(threshold, 2.0F), 0.0F});
  }
  std::vector<unsigned> rgba(picture.size());
  const auto count = static_cast<unsigned>(picture.size());
  twin("resolve_picture")(shape_for(count), picture.data(), rgba.data(), 1.0F, count);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    CHECK((rgba[i] & 0xffU) == scenes::tone_map(picture[i].x));
    CHECK((rgba[i] >> 8U & 0xffU) == scenes::tone_map(picture[i].y));
    CHECK((rgba[i] >> 16U & 0xffU) == scenes::tone_map(picture[i].z));
  }
}

TEST_CASE("the kernels of a frame together produce the picture that the host sums, bit for bit") {
  const scenes::Mesh mesh = scenes::box();
  const scenes::Bvh bvh = scenes::build_bvh(mesh);
  scenes::PathTracerOptions options;
  options.width = 40;
  options.height = 30;
  options.samples_per_pixel = 2;
  options.bounces = 3;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  const unsigned pixels = streams.pixels();
  const auto trace = [&](const scenes::RayStream& stream) {
    std::vector<Hit> hits(stream.rays.size());
    const auto count = static_cast<unsigned>(hits.size());
    twin("trace_while_while")(shape_for(count), bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                              stream.rays.data(), hits.data(), count);
    return hits;
  };

  std::vector<Float4> picture(pixels, Float4{0.0F, 0.0F, 0.0F, 0.0F});
  std::vector<std::vector<int>> hit_triangle;
  std::vector<std::vector<std::uint8_t>> blocked;
  for (std::size_t bounce = 0; bounce < streams.bounces(); ++bounce) {
    const scenes::RayStream& extension = streams.extension[bounce];
    const scenes::RayStream& shadow = streams.shadow[bounce];
    const std::vector<Hit> hits = trace(extension);
    const std::vector<Hit> shadow_hits = trace(shadow);
    twin("shade_hits")(shape_for(pixels), extension.pixel_first.data(), extension.samples.data(), hits.data(),
                       mesh.material_of_triangle.data(), mesh.materials.data(), 0.0F, 0.0F, 0.0F, picture.data(),
                       pixels);
    twin("shade_shadow")(shape_for(pixels), shadow.pixel_first.data(), shadow.samples.data(), shadow_hits.data(),
                         picture.data(), pixels);
    std::vector<int> triangles(hits.size());
    std::ranges::transform(hits, triangles.begin(), &Hit::triangle);
    hit_triangle.push_back(triangles);
    std::vector<std::uint8_t> shut(shadow_hits.size());
    std::ranges::transform(shadow_hits, shut.begin(), [](const Hit& h) -> std::uint8_t { return h.triangle >= 0; });
    blocked.push_back(shut);
  }

  const std::vector<float> expected = scenes::sum_picture(streams, mesh, hit_triangle, blocked);
  double light = 0.0;
  double difference = 0.0;
  for (std::size_t p = 0; p < pixels; ++p) {
    CHECK(picture[p].x == expected[3 * p]);
    CHECK(picture[p].y == expected[3 * p + 1]);
    CHECK(picture[p].z == expected[3 * p + 2]);
    light += streams.picture[3 * p];
    difference += std::abs(streams.picture[3 * p] - picture[p].x);
  }
  CHECK(light > 0.0);
  // The host's picture uses Embree's hits, which may differ if rays graze edges.
  CHECK(difference < 0.01 * light);
}

}  // namespace reconverge::kernels
