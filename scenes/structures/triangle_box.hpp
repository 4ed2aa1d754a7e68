#pragma once
/// Triangles against axis-aligned boxes, in double precision: the bounds of the part within a box, which builders of
/// spatial structures work by, and whether there is such a part, which grids and checks ask.

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

/// Bounds of the part of a triangle within `box`, which must meet the triangle's own bounds; empty when there is none.
/// Never smaller than the truth: the box is taken as larger by `margin`, and what was computed is rounded outwards,
/// but not beyond `box` and the triangle's own bounds. A `margin` of 2^-40 of the largest coordinate is enough.
Box clipped_bounds(const Corners& corners, const Box& box, double margin);

/// A box around what `box` holds of a triangle, for each side of a plane across `axis`: the bounds of the triangle's
/// part on that side, rounded outwards, cut off by `box` and the plane. Both sides get a part that lies in the plane; a
/// side with nothing gets an empty box.
std::array<Box, 2> split_bounds(const Corners& corners, const Box& box, std::size_t axis, float plane);

/// Whether each point of the triangle is in one of the boxes `covers`, which count as larger by `slack` on each side;
/// below zero that is smaller.
bool is_covered(const Corners& corners, std::span<const Box> covers, double slack);

/// Whether the triangle and the box, larger by `slack` on each side of each axis, have a point in common: the thirteen
/// separating axes of Akenine-Moeller, "Fast 3D triangle-box overlap testing" (2001). A slack below zero asks for the
/// box's inside; a box that it leaves nothing of is met by nothing.
bool overlaps(const Corners& corners, const Box& box, const std::array<double, 3>& slack);

}  // namespace reconverge::scenes
