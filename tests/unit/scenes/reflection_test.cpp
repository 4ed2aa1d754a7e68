// SPDX-License-Identifier: Apache-2.0
// Surfaces reflect according to their formulas. Sampling matches evaluation, and no energy is created.

#include "scenes/light/reflection.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "scenes/sampler.hpp"

using namespace reconverge::scenes;

namespace {

constexpr std::uint32_t samples = 1U << 16U;
constexpr double pi = std::numbers::pi;
const Vec3 normal = normalize({0.3F, -0.2F, 0.9F});

Material material(float mirror, float roughness) { return {{0.2F, 0.5F, 0.8F}, mirror, {0, 0, 0}, roughness}; }

/// A direction at this cosine to the normal.
Vec3 view(float cosine) {
  const auto [side, other] = tangent_frame(normal);
  return normal * cosine + (side * 0.6F + other * 0.8F) * std::sqrt(1.0F - cosine * cosine);
}

/// A direction that is uniform on the sphere.
Vec3 any_direction(std::array<float, 2> point) {
  const float z = 1.0F - 2.0F * point[0];
  const float radius = std::sqrt(std::max(0.0F, 1.0F - z * z));
  const float angle = 2.0F * std::numbers::pi_v<float> * point[1];
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

struct Integral {
  double density = 0;
  double green = 0;
};

/// The integral of `evaluate` over all directions.
Integral integrate(const Reflection& reflection) {
  Integral sum;
  for (std::uint32_t i = 0; i < samples; ++i) {
    const Reflection::Value value = reflection.evaluate(any_direction(Sampler(1, 0, i).pair(0)));
    sum.density += value.density;
    sum.green += value.weight.y;
  }
  return {sum.density * 4 * pi / samples, sum.green * 4 * pi / samples};
}

}  // namespace

TEST_CASE("Reflection: sampling has the stated density and agrees with integration") {
  for (const float roughness : {0.2F, 0.5F, 1.0F}) {
    for (const float cosine : {0.95F, 0.5F, 0.2F}) {
      for (const float mirror : {0.0F, 0.4F, 1.0F}) {
        INFO("roughness " << roughness << ", cosine " << cosine << ", mirror " << mirror);
        const Reflection reflection(material(mirror, roughness), normal, view(cosine), false);
        const Integral expected = integrate(reflection);
        double chosen = 0;
        double green = 0;
        for (std::uint32_t i = 0; i < samples; ++i) {
          const Sampler sampler(2, 0, i);
          const auto choice = reflection.choose(sampler.pair(1)[0], sampler.pair(2));
          if (!choice) continue;
          const Reflection::Value value = reflection.evaluate(choice->direction);
          REQUIRE(choice->density == Approx(value.density).epsilon(1e-4));
          chosen += 1;
          green += choice->factor.y;
        }
        // A sampled direction below the surface is discarded, and its density is zero.
        CHECK(chosen / samples == Approx(expected.density).margin(0.01));
        CHECK(green / samples == Approx(expected.green).margin(0.01));
        CHECK(expected.green <= 1.005 * (mirror + (1 - mirror) * 0.5));
      }
    }
  }
}

TEST_CASE("A nearly smooth mirror reflects nearly all light, close to the mirrored direction") {
  const Vec3 outgoing = view(0.7F);
  const Reflection reflection(material(1.0F, 0.02F), normal, outgoing, false);
  const Vec3 mirrored = normal * (2.0F * dot(outgoing, normal)) - outgoing;
  double factor = 0;
  double cosine = 0;
  for (std::uint32_t i = 0; i < 1024; ++i) {
    const auto choice = reflection.choose(0.5F, Sampler(3, 0, i).pair(0));
    REQUIRE(choice);
    cosine += dot(choice->direction, mirrored);
    factor += choice->factor.x;
  }
  CHECK(factor / 1024 == Approx(1.0).margin(0.01));
  CHECK(cosine / 1024 > 0.99);
}

TEST_CASE("An ideal mirror reflects its share in one direction, and shadow rays cannot sample it") {
  const Vec3 outgoing = view(0.7F);
  const Reflection reflection(material(0.4F, 0.0F), normal, outgoing, false);
  CHECK(reflection.is_mirror(0.39F));
  CHECK_FALSE(reflection.is_mirror(0.41F));
  const auto mirrored = reflection.choose(0.1F, {0.3F, 0.3F});
  REQUIRE(mirrored);
  CHECK(mirrored->density == 0.0F);
  CHECK(dot(mirrored->direction, normal) == Approx(dot(outgoing, normal)));
  CHECK(length(cross(mirrored->direction + outgoing, normal)) == Approx(0.0F).margin(1e-5F));
  // The remaining samples are of the diffuse part only, and have its full weight.
  const auto diffuse = reflection.choose(0.9F, {0.3F, 0.3F});
  REQUIRE(diffuse);
  CHECK(diffuse->factor == Vec3{0.2F, 0.5F, 0.8F});
}

TEST_CASE("After a diffuse reflection a sharp mirror counts as diffuse and a dull one stays") {
  const Reflection sharp(material(0.5F, 0.0F), normal, view(0.7F), true);
  CHECK_FALSE(sharp.is_mirror(0.1F));
  CHECK(sharp.choose(0.1F, {0.3F, 0.3F})->factor.x == Approx(0.5F * 0.2F + 0.5F));
  const Reflection dull(material(1.0F, 0.3F), normal, view(0.7F), true);
  const Vec3 mirrored = normal * (2.0F * dot(view(0.7F), normal)) - view(0.7F);
  CHECK(dull.evaluate(mirrored).density > 2.0F * dull.evaluate(normal).density);
}
