// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Triangles against axis-aligned boxes, in double precision: the bounds of the part inside a box, for builders of
/// spatial structures, and whether there is such a part, for grids and checks.

#include <array>
#include <span>

#include "scenes/vec3.hpp"

namespace reconverge::scenes {

using Corners = std::array<Vec3, 3>;

Box bounds_of(const Corners& corners);

/// The element of a vector by its number, 0..2.
constexpr float component(Vec3 v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
constexpr void set_component(Vec3& v, std::size_t axis, float value) {
  (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value;
}

/// Bounds of the part of a triangle inside `box`, which must overlap the triangle's bounds; empty if there is none. The
/// result is conservative: the box is enlarged by `margin`, and results are rounded outwards, but not beyond `box` and
/// the triangle's bounds. A `margin` of 2^-40 of the largest coordinate is enough.
Box clipped_bounds(const Corners& corners, const Box& box, double margin);

/// For each side of a plane across `axis`, the bounds of a triangle's part inside `box` on that side, rounded outwards
/// and clipped to `box` and the plane. A part in the plane goes to both sides; a side without a part gets an empty box.
std::array<Box, 2> split_bounds(const Corners& corners, const Box& box, std::size_t axis, float plane);

/// Whether each point of the triangle is in one of the boxes `covers`, each enlarged by `slack` on every side (shrunk
/// if negative).
bool is_covered(const Corners& corners, std::span<const Box> covers, double slack);

/// Whether the triangle and the box, enlarged by `slack` on both sides of each axis, have a point in common: the
/// thirteen separating axes of Akenine-Moeller, "Fast 3D triangle-box overlap testing" (2001). A negative slack tests
/// the box's interior; if it leaves nothing of the box, the result is false.
bool overlaps(const Corners& corners, const Box& box, const std::array<double, 3>& slack);

}  // namespace reconverge::scenes
