// SPDX-License-Identifier: Apache-2.0
#include "scenes/light/light_sampler.hpp"

namespace reconverge::scenes {

namespace {

/// Every light can be chosen, even one whose colour has no luminance.
float brightness(Vec3 emission) { return std::max(luminance(emission), 1e-6F); }

}  // namespace

LightSampler::LightSampler(const Mesh& mesh) {
  double total = 0.0;
  for (const std::uint32_t triangle : mesh.lights()) {
    const auto corners = mesh.corners(triangle);
    const Vec3 normal = geometric_normal(corners);
    const Vec3 emission = to_vec3(mesh.material(triangle).emission);
    total += 0.5 * length(normal) * brightness(emission);
    cumulative_.push_back(total);
    lights_.push_back({corners, normalize(normal), emission});
  }
}

float LightSampler::area_density(Vec3 emission) const {
  return static_cast<float>(brightness(emission) / cumulative_.back());
}

float LightSampler::density(const Mesh& mesh, std::size_t triangle, Vec3 direction, float t) const {
  const Vec3 emission = to_vec3(mesh.material(triangle).emission);
  if (!(max_component(emission) > 0.0F)) return 0.0F;
  const Vec3 normal = normalize(geometric_normal(mesh.corners(triangle)));
  const float distance = t * length(direction);
  const float cosine = std::abs(dot(normalize(direction), normal));
  return area_density(emission) * distance * distance / std::max(cosine, 1e-6F);
}

std::optional<LightSampler::Sample> LightSampler::sample(Vec3 position, Vec3 normal, float choice,
                                                         std::array<float, 2> point) const {
  if (lights_.empty()) return std::nullopt;
  const auto chosen = std::ranges::upper_bound(cumulative_, double(choice) * cumulative_.back());
  const auto last = std::prev(cumulative_.end());
  const Light& light = lights_[static_cast<std::size_t>(std::min(chosen, last) - cumulative_.begin())];
  // Uniform on the triangle.
  const float root = std::sqrt(point[0]);
  const float v = point[1] * root;
  const Vec3 on_light = light.corners[0] * (1.0F - root) + light.corners[1] * (root - v) + light.corners[2] * v;
  const Vec3 to_light = on_light - position;
  const float distance = length(to_light);
  if (!(distance > 0.0F)) return std::nullopt;
  const Vec3 direction = to_light * (1.0F / distance);
  const float cosine_here = dot(direction, normal);
  const float cosine_there = std::abs(dot(direction, light.normal));
  if (!(cosine_here > 0.0F && cosine_there > 1e-6F)) return std::nullopt;
  const float density = area_density(light.emission) * distance * distance / cosine_there;
  if (!(density > 0.0F)) return std::nullopt;
  return Sample{to_light, direction, light.emission * (1.0F / density), density};
}

}  // namespace reconverge::scenes
