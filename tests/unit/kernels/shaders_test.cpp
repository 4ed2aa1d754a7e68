// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/twins.hpp"

namespace reconverge::kernels {

namespace {

constexpr unsigned side = 4;
constexpr unsigned pictures = 8;

/// Textures of one colour each, all different.
std::vector<Float4> plain_textures() {
  std::vector<Float4> texels;
  for (unsigned picture = 0; picture < pictures; ++picture) {
    const float level = 0.125F * static_cast<float>(picture + 1);
    texels.insert(texels.end(), side * side, {level, 0.5F * level, 0.25F * level, 1.0F});
  }
  return texels;
}

Float4 shade(const std::vector<Float4>& texels, const Hit& hit, unsigned material) {
  const Ray ray{{0.0F, 0.0F, 0.0F}, 0.0F, {0.3F, 0.2F, -1.0F}, 1e30F};
  Float4 colour{-1, -1, -1, -1};
  twin("shade_megakernel")(shape_for(1), &ray, &hit, &material, texels.data(), side, &colour, 1U);
  CHECK(colour.w == 1.0F);
  return colour;
}

void check_colour(const Float4& found, float red, float green, float blue) {
  CHECK(found.x == Approx(red));
  CHECK(found.y == Approx(green));
  CHECK(found.z == Approx(blue));
}

}  // namespace

TEST_CASE("shade_megakernel: each material's program reads its own textures") {
  const std::vector<Float4> texels = plain_textures();
  const Hit hit{0, 3.0F, 0.3F, 0.4F};
  const auto level = [](unsigned picture) { return 0.125F * static_cast<float>(picture + 1); };

  check_colour(shade(texels, {-1, 1e30F, 0.0F, 0.0F}, 0), level(0), level(0) / 2, level(0) / 4);  // sky
  check_colour(shade(texels, hit, 1), level(1), level(1) / 2, level(1) / 4);                      // painting
  check_colour(shade(texels, hit, 2), level(2), level(2) / 2, level(2) / 4);                      // wood
  const float garnet = level(3) * level(4) * level(5);
  check_colour(shade(texels, hit, 3), garnet, garnet / 8, garnet / 64);
  check_colour(shade(texels, hit, 4), level(6), level(6) / 2, level(6) / 4);  // relief at full height
  check_colour(shade(texels, hit, 5), level(0), level(0) / 2, level(0) / 4);  // mirror of the sky
  check_colour(shade(texels, hit, 8), level(1), level(1) / 2, level(1) / 4);  // materials repeat

  const Float4 plaster = shade(texels, hit, 0);
  CHECK(plaster.x > 0.0F);
  CHECK(plaster.x < 1.0F);
  CHECK(plaster.y == Approx(0.9F * plaster.x));
  // Tiles: (0.3, 0.4) is on tile 2 + 3, which is odd and painted. (0.3, 0.3) is on an even tile, of plaster.
  check_colour(shade(texels, hit, 6), level(1), level(1) / 2, level(1) / 4);
  const Hit even{0, 3.0F, 0.3F, 0.3F};
  CHECK(shade(texels, even, 6).x == Approx(level(1) * shade(texels, even, 0).x));
}

TEST_CASE("shade_megakernel: relief descends to the texture's height step by step") {
  std::vector<Float4> texels = plain_textures();
  for (unsigned i = 6 * side * side; i < 7 * side * side; ++i) texels[i].w = 0.5F;
  // 1 - 8 / 16 is the first height that is not above 0.5.
  CHECK(shade(texels, {0, 1.0F, 0.3F, 0.4F}, 4).x == Approx(0.875F * 0.5F));
  for (unsigned i = 6 * side * side; i < 7 * side * side; ++i) texels[i].w = -1.0F;
  CHECK(shade(texels, {0, 1.0F, 0.3F, 0.4F}, 4).x == 0.0F);  // 16 steps at most
}

TEST_CASE("shade_megakernel: painted interpolates between four texels") {
  std::vector<Float4> texels = plain_textures();
  for (unsigned y = 0; y < side; ++y) {
    for (unsigned x = 0; x < side; ++x) {
      texels[(side + y) * side + x] = {static_cast<float>(x), static_cast<float>(y), 0.0F, 0.0F};
    }
  }
  check_colour(shade(texels, {0, 1.0F, 0.375F, 0.3125F}, 1), 1.5F, 1.25F, 0.0F);
}

TEST_CASE("material_mapping uses garnet if the mask is set and wood otherwise") {
  constexpr unsigned width = 5;
  constexpr unsigned height = 3;
  const std::vector<Float4> texels = plain_textures();
  std::vector<unsigned> mask(width * height);
  for (unsigned i = 0; i < mask.size(); ++i) mask[i] = i % 2;
  std::vector<Float4> colours(mask.size(), {-1, -1, -1, -1});
  twin("material_mapping")({{2, 1, 1}, {4, 4, 1}}, mask.data(), texels.data(), side, width, height, colours.data());
  const float garnet = 0.5F * 0.625F * 0.75F;
  for (unsigned i = 0; i < mask.size(); ++i) {
    INFO(i);
    if (mask[i] != 0) check_colour(colours[i], garnet, garnet / 8, garnet / 64);
    if (mask[i] == 0) check_colour(colours[i], 0.375F, 0.1875F, 0.09375F);
  }
}

TEST_CASE("subwarps: each path adds up its own lines of the last iteration") {
  constexpr unsigned rounds = 2;
  constexpr unsigned iterations = 3;
  constexpr unsigned advance = 100;
  constexpr unsigned lines = 16 * rounds;
  std::mt19937 random(3);
  std::vector<int> data(std::size_t{32} * (32 * lines + advance * iterations));
  for (int& each : data) each = static_cast<int>(random() % 2001U) - 1000;
  for (const unsigned size : {1U, 2U, 4U, 8U, 16U, 32U}) {
    std::vector<int> result(64, -1);
    twin("subwarps")({{2, 1, 1}, {32, 1, 1}}, data.data(), result.data(), size, rounds, iterations, advance);
    for (unsigned thread = 0; thread < result.size(); ++thread) {
      const unsigned subwarp = thread % 32 / size;
      int expected = static_cast<int>(subwarp);
      for (unsigned line = 0; line < lines; ++line) {
        expected += data[std::size_t{32} * (subwarp * lines + advance * (iterations - 1) + line)];
      }
      INFO("subwarps of " << size << ", thread " << thread);
      CHECK(result[thread] == expected);
    }
  }
}

}  // namespace reconverge::kernels
