// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The triangle mesh of a scene. Loaders and generators make it; the BVH builder, the path tracer and the oracle read
/// it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

/// A pinhole camera; `up` may have any length and must not be parallel to the view.
struct Camera {
  Vec3 eye{0.0F, 0.0F, 0.0F};
  Vec3 look_at{0.0F, 1.0F, 0.0F};
  Vec3 up{0.0F, 0.0F, 1.0F};
  float vertical_field_of_view = 60.0F;  ///< degrees, in (0, 180)

  bool operator==(const Camera&) const = default;
};

/// The camera in the form that kernels use, for a picture of width x height pixels, each at least 1.
EyeFrame eye_frame(const Camera& camera, unsigned width, unsigned height);

using TriangleIndices = std::array<std::uint32_t, 3>;

/// Triangles with materials, seen by a camera. The normal of a triangle is (b-a) x (c-a); both sides reflect and emit.
struct Mesh {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint32_t> material_of_triangle;  ///< parallel to `triangles`
  std::vector<Material> materials;                  ///< `mirror` is used by the host path tracer only
  std::vector<std::string> material_names;          ///< parallel to `materials`
  Camera camera;
  std::size_t copies = 0;  ///< triangles that would not be stored if each part were stored once

  std::size_t triangle_count() const { return triangles.size(); }
  std::array<Vec3, 3> corners(std::size_t triangle) const {
    const TriangleIndices& t = triangles[triangle];
    return {positions[t[0]], positions[t[1]], positions[t[2]]};
  }
  const Material& material(std::size_t triangle) const { return materials[material_of_triangle[triangle]]; }
  Box bounds() const;
  /// The triangles whose material emits light, in ascending order.
  std::vector<std::uint32_t> lights() const;
};

/// Not normalised: twice the area long.
Vec3 geometric_normal(const std::array<Vec3, 3>& corners);

/// The triangles that `repair` dropped, by reason.
struct MeshRepairs {
  std::size_t non_finite_triangles = 0;    ///< a corner with a coordinate that is not a number or infinite
  std::size_t out_of_range_triangles = 0;  ///< an index beyond the vertices
  std::size_t degenerate_triangles = 0;    ///< no area: two corners the same or all on a line
  std::size_t other_primitives = 0;        ///< points and lines, which no ray hits

  std::size_t dropped() const { return non_finite_triangles + out_of_range_triangles + degenerate_triangles; }
  bool operator==(const MeshRepairs&) const = default;
};

/// One line for a user, e.g. "3 triangles dropped (2 degenerate, 1 not finite)"; empty if nothing was dropped.
std::string to_string(const MeshRepairs& repairs);

/// Drops and counts every triangle that cannot be traced; the others keep their order. Throws InputError for materials
/// out of range, because their colour is unknown.
MeshRepairs repair(Mesh& mesh);

/// Rotates each triangle's corners until the first is opposite its longest side; normals do not change. Woop's test
/// measures from the first corner. For a triangle of 2.5 m by 6 mm, ten metres from the origin, it misses a strip of
/// 0.2 mm along the short side if two long sides meet at the first corner, and nothing otherwise.
void start_at_widest_corners(Mesh& mesh);

/// Throws InputError unless `mesh` has at least one triangle, parallel arrays of equal length, every index in range,
/// finite corners and a usable camera.
void check_mesh(const Mesh& mesh);

/// A camera outside the diagonal of the box, looking at its centre with `up` as the vertical.
Camera camera_for(const Box& bounds, Vec3 up);

}  // namespace reconverge::scenes
