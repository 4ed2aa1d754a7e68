// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The tests that one lane of a traversal kernel performs, in single precision; shared by the traversals of all
/// structures.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "scenes/structures/bvh.hpp"

namespace reconverge::scenes {

/// Reciprocal of a direction after replacing zero, so that products with it are never NaN.
inline float safe_inverse(float direction) {
  constexpr float least = 0x1p-80F;
  return 1.0F / (std::abs(direction) > least ? direction : std::copysign(least, direction));
}

struct RayBoxTest {
  explicit RayBoxTest(const Ray& ray)
      : inverse{safe_inverse(ray.direction[0]), safe_inverse(ray.direction[1]), safe_inverse(ray.direction[2])},
        scaled_origin(to_vec3(ray.origin) * inverse),
        t_min(ray.t_min) {}

  /// Entry and exit distance of a slab given as low and high per axis.
  std::array<float, 2> span(Vec3 low, Vec3 high, float t_max) const {
    const Vec3 a = low * inverse - scaled_origin;
    const Vec3 b = high * inverse - scaled_origin;
    const Vec3 near = min(a, b);
    const Vec3 far = max(a, b);
    return {std::max(max_component(near), t_min), std::min({far.x, far.y, far.z, t_max})};
  }

  Vec3 inverse;
  Vec3 scaled_origin;
  float t_min;
};

/// Woop's test; updates `hit` and returns true if the triangle is nearer.
inline bool test_triangle(std::span<const TriangleRow, 3> rows, const Ray& ray, int triangle, Hit& hit) {
  const auto xyz = [](const TriangleRow& row) { return Vec3{row.x, row.y, row.z}; };
  const Vec3 origin = to_vec3(ray.origin);
  const Vec3 direction = to_vec3(ray.direction);
  const float t = (rows[0].w - dot(origin, xyz(rows[0]))) * (1.0F / dot(direction, xyz(rows[0])));
  if (!(t > ray.t_min && t < hit.t)) return false;
  const float u = rows[1].w + dot(origin, xyz(rows[1])) + t * dot(direction, xyz(rows[1]));
  if (!(u >= 0.0F)) return false;
  const float v = rows[2].w + dot(origin, xyz(rows[2])) + t * dot(direction, xyz(rows[2]));
  if (!(v >= 0.0F && u + v <= 1.0F)) return false;
  hit = {triangle, t, u, v};
  return true;
}

}  // namespace reconverge::scenes
