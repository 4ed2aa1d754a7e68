// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/precise_hit.hpp"

#include "scenes/structures/double3.hpp"

namespace reconverge::scenes {

std::optional<PreciseHit> meet_plane(const std::array<Vec3, 3>& corners, const Ray& ray) {
  const Double3 a = widen(corners[0]);
  const Double3 to_second = widen(corners[1]) - a;
  const Double3 to_third = widen(corners[2]) - a;
  const Double3 origin = widen(to_vec3(ray.origin));
  const Double3 direction = widen(to_vec3(ray.direction));
  const Double3 normal = cross(to_second, to_third);
  const double facing = dot(direction, normal);
  const double longest = length(direction) * length(normal);
  // A smaller angle is meaningless because of rounding.
  if (std::abs(facing) <= 1e-12 * longest) return std::nullopt;
  const double t = dot(a - origin, normal) / facing;
  const Double3 p = origin + direction * t - a;
  const double area = dot(normal, normal);
  return PreciseHit{t, dot(cross(p, to_third), normal) / area, dot(cross(to_second, p), normal) / area,
                    std::abs(facing) / longest};
}

}  // namespace reconverge::scenes
