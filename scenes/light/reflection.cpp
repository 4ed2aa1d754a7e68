// SPDX-License-Identifier: Apache-2.0
#include "scenes/light/reflection.hpp"

#include <numbers>

namespace reconverge::scenes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

/// Density of microfacet normals at this cosine to the surface normal.
float normal_density(float cosine, float alpha) {
  const float square = alpha * alpha;
  const float base = cosine * cosine * (square - 1.0F) + 1.0F;
  return square / (pi * base * base);
}

/// Smith's Lambda: the ratio of hidden to visible microfacets, from a direction at this cosine.
float hidden_share(float cosine, float alpha) {
  const float square = cosine * cosine;
  const float tangent_square = std::max(0.0F, 1.0F - square) / square;
  return 0.5F * (std::sqrt(1.0F + alpha * alpha * tangent_square) - 1.0F);
}

/// Samples a microfacet normal visible from `view`; both in a frame whose z is the surface normal.
Vec3 visible_normal(Vec3 view, float alpha, std::array<float, 2> point) {
  const Vec3 stretched = normalize({alpha * view.x, alpha * view.y, view.z});
  const Vec3 sideways{-stretched.y, stretched.x, 0.0F};
  const Vec3 side = dot(sideways, sideways) > 0.0F ? normalize(sideways) : Vec3{1.0F, 0.0F, 0.0F};
  const Vec3 up = cross(stretched, side);
  // A point of the hemisphere as projected in that direction: the half of the disc below the horizon is compressed.
  const float radius = std::sqrt(point[0]);
  const float x = radius * std::cos(2.0F * pi * point[1]);
  const float seen = 0.5F * (1.0F + stretched.z);
  const float rim = std::sqrt(std::max(0.0F, 1.0F - x * x));
  const float y = (1.0F - seen) * rim + seen * radius * std::sin(2.0F * pi * point[1]);
  const Vec3 normal = side * x + up * y + stretched * std::sqrt(std::max(0.0F, 1.0F - x * x - y * y));
  return normalize({alpha * normal.x, alpha * normal.y, std::max(1e-6F, normal.z)});
}

}  // namespace

Vec3 cosine_direction(Vec3 normal, std::array<float, 2> point) {
  const auto [side, other] = tangent_frame(normal);
  const float radius = std::sqrt(point[0]);
  const float angle = 2.0F * pi * point[1];
  const float height = std::sqrt(std::max(0.0F, 1.0F - point[0]));
  return side * (radius * std::cos(angle)) + other * (radius * std::sin(angle)) + normal * height;
}

Reflection::Reflection(const Material& material, Vec3 normal, Vec3 outgoing, bool blurred)
    : diffuse_(to_vec3(material.albedo)), roughness_(material.roughness), normal_(normal), outgoing_(outgoing) {
  if (blurred && roughness_ < least_roughness) {
    diffuse_ = diffuse_ * (1.0F - material.mirror) + Vec3{material.mirror, material.mirror, material.mirror};
  } else if (roughness_ > 0.0F) {
    diffuse_ = diffuse_ * (1.0F - material.mirror);
    glossy_ = material.mirror;
  } else {
    ideal_ = material.mirror;
  }
}

Reflection::Value Reflection::evaluate(Vec3 incoming) const {
  const float cosine = dot(incoming, normal_);
  if (!(cosine > 0.0F)) return {};
  Value value{diffuse_ * (cosine / pi), (1.0F - glossy_) * cosine / pi};
  if (glossy_ > 0.0F) {
    const Vec3 half = normalize(incoming + outgoing_);
    const float view = std::max(dot(outgoing_, normal_), 1e-6F);
    const float facets = glossy_ * normal_density(dot(half, normal_), roughness_) / (4.0F * view);
    const float hidden = hidden_share(view, roughness_);
    const float reflected = facets / (1.0F + hidden + hidden_share(cosine, roughness_));
    value.weight = value.weight + Vec3{reflected, reflected, reflected};
    value.density += facets / (1.0F + hidden);
  }
  return value;
}

std::optional<Reflection::Choice> Reflection::choose(float lobe, std::array<float, 2> point) const {
  if (is_mirror(lobe)) {
    return Choice{normalize(normal_ * (2.0F * dot(outgoing_, normal_)) - outgoing_), {1.0F, 1.0F, 1.0F}, 0.0F};
  }
  if (glossy_ <= 0.0F) {
    const Vec3 direction = cosine_direction(normal_, point);
    return Choice{direction, diffuse_, std::max(dot(direction, normal_), 1e-6F) / pi};
  }
  Vec3 direction;
  if (lobe < glossy_) {
    const auto [side, other] = tangent_frame(normal_);
    const Vec3 view{dot(outgoing_, side), dot(outgoing_, other), std::max(dot(outgoing_, normal_), 1e-6F)};
    const Vec3 facet = visible_normal(view, roughness_, point);
    const Vec3 half = side * facet.x + other * facet.y + normal_ * facet.z;
    direction = normalize(half * (2.0F * dot(outgoing_, half)) - outgoing_);
  } else {
    direction = cosine_direction(normal_, point);
  }
  const Value value = evaluate(direction);
  if (!(value.density > 0.0F)) return std::nullopt;
  return Choice{direction, value.weight * (1.0F / value.density), value.density};
}

}  // namespace reconverge::scenes
