// SPDX-License-Identifier: Apache-2.0
/// Triangulates polygons by ear clipping (Meisters 1975).

#include <array>
#include <vector>

#include "scenes/files/mesh_readers.hpp"

namespace reconverge::scenes {

namespace {

using Point = std::array<double, 2>;

/// Ear clipping is cubic in the number of corners; polygons with more corners than this are assumed to be convex.
constexpr std::size_t most_dented_corners = 64;

/// Twice the area of the triangle, positive if it turns left.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The corners projected along the dominant axis of the polygon's normal (Newell's), so that they turn left.
std::vector<Point> flattened(const std::vector<Vec3>& points) {
  std::array<double, 3> normal{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 a = points[i];
    const Vec3 b = points[(i + 1) % points.size()];
    normal[0] += (double{a.y} - b.y) * (double{a.z} + b.z);
    normal[1] += (double{a.z} - b.z) * (double{a.x} + b.x);
    normal[2] += (double{a.x} - b.x) * (double{a.y} + b.y);
  }
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(normal[i]) > std::abs(normal[axis])) axis = i;
  }
  std::vector<Point> flat;
  for (const Vec3 point : points) {
    const std::array<double, 3> all{point.x, point.y, point.z};
    Point seen{all[(axis + 1) % 3], all[(axis + 2) % 3]};
    if (normal[axis] < 0) std::swap(seen[0], seen[1]);
    flat.push_back(seen);
  }
  return flat;
}

class EarCutter {
 public:
  explicit EarCutter(std::vector<Point> points) : points_(std::move(points)) {
    for (std::size_t i = 0; i < points_.size(); ++i) left_.push_back(i);
  }

  /// Cuts the next ear, returned as indices of corners, and removes its tip.
  std::array<std::size_t, 3> cut() {
    // A self-intersecting polygon may have no ear: then any corner is cut.
    std::size_t tip = 0;
    while (tip < left_.size() && !is_ear(tip)) ++tip;
    if (tip == left_.size()) tip = 0;
    const std::array<std::size_t, 3> ear{at(tip + left_.size() - 1), at(tip), at(tip + 1)};
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(tip));
    return ear;
  }
  std::size_t corners_left() const { return left_.size(); }

 private:
  std::size_t at(std::size_t place) const { return left_[place % left_.size()]; }

  bool is_ear(std::size_t tip) const {
    const Point& a = points_[at(tip + left_.size() - 1)];
    const Point& b = points_[at(tip)];
    const Point& c = points_[at(tip + 1)];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t other = 2; other + 1 < left_.size(); ++other) {
      const Point& p = points_[at(tip + other)];
      if (p != a && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

  std::vector<Point> points_;
  std::vector<std::size_t> left_;
};

}  // namespace

void add_polygon(LoadedMesh& into, std::span<const std::uint32_t> corners, std::uint32_t material) {
  Mesh& mesh = into.mesh;
  if (corners.size() < 3) {
    ++into.repairs.other_primitives;
    return;
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.push_back({a, b, c});
    mesh.material_of_triangle.push_back(material);
  };
  std::vector<Vec3> points;
  if (corners.size() > 3 && corners.size() <= most_dented_corners) {
    for (const std::uint32_t corner : corners) {
      if (corner < mesh.positions.size() && is_finite(mesh.positions[corner])) points.push_back(mesh.positions[corner]);
    }
  }
  if (points.size() != corners.size()) {
    for (std::size_t i = 2; i < corners.size(); ++i) add(corners[0], corners[i - 1], corners[i]);
    return;
  }
  EarCutter cutter(flattened(points));
  while (cutter.corners_left() > 2) {
    const auto [a, b, c] = cutter.cut();
    add(corners[a], corners[b], corners[c]);
  }
}

}  // namespace reconverge::scenes
