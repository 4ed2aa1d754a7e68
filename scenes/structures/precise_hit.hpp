// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The point at which a ray meets the plane of a triangle, in double precision. Embree's single-precision distances and
/// coordinates differ between processors: its instructions and its approximate reciprocal depend on the host.

#include <array>
#include <optional>

#include "scenes/device_layout.h"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

struct PreciseHit {
  double t = 0.0;
  double u = 0.0;       ///< weight of the second corner; negative, or u + v > 1, outside the triangle
  double v = 0.0;       ///< weight of the third corner
  double cosine = 0.0;  ///< of the angle between ray and normal, > 0
};

/// Empty if the ray is parallel to the plane, or the triangle has no area.
std::optional<PreciseHit> meet_plane(const std::array<Vec3, 3>& corners, const Ray& ray);

}  // namespace reconverge::scenes
