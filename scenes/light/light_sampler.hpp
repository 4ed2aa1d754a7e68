// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Chooses points on the emissive triangles of a mesh, each triangle in proportion to its area times its luminance.

#include <array>
#include <optional>
#include <vector>

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

class LightSampler {
 public:
  /// The end of a shadow ray, in units of its length, so that it does not hit its own light.
  static constexpr float shadow_end = 0.999F;

  explicit LightSampler(const Mesh& mesh);

  struct Sample {
    Vec3 to_light;   ///< from the surface to the point on the light, not normalised
    Vec3 direction;  ///< the same, of unit length
    Vec3 light;      ///< emission / density, RGB, to be multiplied by throughput and reflectance
    float density;   ///< of this direction, per solid angle
  };
  /// `choice` and `point` are uniform in [0, 1). Empty if there is no light or the point is below the horizon.
  /// Positions are uniform on the chosen triangle.
  std::optional<Sample> sample(Vec3 position, Vec3 normal, float choice, std::array<float, 2> point) const;

  /// The solid-angle density with which `sample` chooses the direction in which the triangle was hit at distance `t`
  /// (in units of the direction's length); 0 if the triangle is not a light.
  float density(const Mesh& mesh, std::size_t triangle, Vec3 direction, float t) const;

 private:
  struct Light {
    std::array<Vec3, 3> corners;
    Vec3 normal;  ///< unit
    Vec3 emission;
  };
  /// Points per area on a light of this radiance.
  float area_density(Vec3 emission) const;

  std::vector<Light> lights_;
  std::vector<double> cumulative_;  ///< area times luminance, summed up
};

}  // namespace reconverge::scenes
