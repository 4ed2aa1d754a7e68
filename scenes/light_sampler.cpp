#include "scenes/light_sampler.hpp"

#include <numbers>

namespace reconverge::scenes {

LightSampler::LightSampler(const Mesh& mesh) {
  double total = 0.0;
  std::vector<double> power;
  for (const std::uint32_t triangle : mesh.lights()) {
    const auto corners = mesh.corners(triangle);
    const Vec3 normal = geometric_normal(corners);
    const Vec3 emission = to_vec3(mesh.material(triangle).emission);
    // Every light has a chance, even one whose colour has no luminance.
    power.push_back(0.5 * length(normal) * std::max(luminance(emission), 1e-6F));
    total += power.back();
    cumulative_.push_back(total);
    lights_.push_back({corners, normalize(normal), emission, 0.5F * length(normal)});
  }
  for (std::size_t i = 0; i < lights_.size(); ++i) {
    lights_[i].density = static_cast<float>(power[i] / (total * lights_[i].density));
  }
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
  const float square = dot(to_light, to_light);
  const float cosine_here = dot(to_light, normal);
  const float cosine_there = std::abs(dot(to_light, light.normal));
  if (!(cosine_here > 0.0F && cosine_there > 0.0F)) return std::nullopt;
  // Both cosines still carry the distance, hence its fourth power.
  const float factor = cosine_here * cosine_there / (std::numbers::pi_v<float> * light.density * square * square);
  if (!std::isfinite(factor)) return std::nullopt;
  return Sample{to_light, light.emission * factor};
}

}  // namespace reconverge::scenes
