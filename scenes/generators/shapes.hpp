// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Shapes for scene generators. Every function appends triangles to the builder's mesh; `MeshBuilder::segments` scales
/// the numbers of segments with the requested detail.

#include <functional>
#include <span>
#include <string>

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// Scaling, rotation about z by `angle` (radians), then a shift.
struct Placement {
  Vec3 origin;
  float angle = 0.0F;
  float scale = 1.0F;

  Vec3 apply(Vec3 local) const;
};

/// A point of a profile of revolution: distance from the axis and position along it.
struct ProfilePoint {
  float radius;
  float height;
};

/// Triangles to be placed many times.
struct Part {
  std::vector<Vec3> positions;
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint32_t> material_of_triangle;
};

class MeshBuilder {
 public:
  /// `detail` scales all tessellation: 1 is the built-in size, triangles grow with its square.
  MeshBuilder(std::string name, float detail);

  /// Returns the index for `use_material`.
  std::uint32_t add_material(std::string name, Vec3 albedo, float mirror = 0.0F, Vec3 emission = {},
                             float roughness = 0.0F);
  void use_material(std::uint32_t material) { material_ = material; }
  void place(const Placement& placement) { placement_ = placement; }

  void set_detail(float detail) { detail_ = detail; }
  /// `base` segments at detail 1, never fewer than `least`.
  int segments(int base, int least) const;

  /// `smooth_path` with `base` pieces a span at detail 1, never fewer than one.
  std::vector<Vec3> smooth(std::span<const Vec3> points, int base) const;
  std::vector<ProfilePoint> smooth(std::span<const ProfilePoint> points, int base) const;

  /// A rod's path: straight from corner to corner, with an arc of `radius` metres around each corner, cut into pieces
  /// of `step` metres at detail 1. The arc is smaller if a straight segment is too short for it. Straight segments stay
  /// undivided. Without a radius, the corners stay sharp.
  std::vector<Vec3> bend(std::span<const Vec3> corners, float radius, float step) const;

  void add_corner_triangle(Vec3 a, Vec3 b, Vec3 c);
  /// A flat convex polygon, as a fan around its first corner; the normal is that of corners in counter-clockwise order.
  void add_polygon(std::span<const Vec3> corners);
  /// A parallelogram from `corner`, `nu` by `nv` cells; the normal is u x v.
  void add_rectangle(Vec3 corner, Vec3 u, Vec3 v, int nu = 1, int nv = 1);
  /// An axis-aligned box (before placement), twelve triangles.
  void add_box(Vec3 low, Vec3 high);
  /// A box whose edges are rounded: a superellipsoid of the given half size. `roundness` in (0, 1]: 1 is an ellipsoid,
  /// near 0 a box. About 2 * around * along triangles.
  void add_cushion(Vec3 centre, Vec3 half_size, float roundness, int around, int along);
  /// A body of revolution about `axis` (a unit vector) through `centre`.
  void add_revolution(Vec3 centre, std::span<const ProfilePoint> profile, int around, Vec3 axis = {0, 0, 1});
  /// A round tube along a path, closed at both ends.
  void add_tube(std::span<const Vec3> path, float radius, int around);
  /// A tube without ends, whose radius changes evenly from the first to the last point of the path:
  /// 2 * around * (points - 1) triangles.
  void add_pipe(std::span<const Vec3> path, float first_radius, float last_radius, int around);
  /// A curved sheet: `surface(u, v)` for u, v in 0..1.
  void add_surface(const std::function<Vec3(float, float)>& surface, int nu, int nv);

  /// Returns the triangles that `make` adds, without placement, and removes them from the mesh.
  Part record(const std::function<void()>& make);
  /// Adds the part at the placement `place`.
  void add_part(const Part& part);

  /// Drops triangles without area, which arise at poles of closed surfaces. Returns the number of triangles.
  std::size_t tidy();

  const Mesh& mesh() const { return mesh_; }
  Mesh finish(const Camera& camera) &&;

 private:
  std::uint32_t add_vertex(Vec3 local);
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);

  Mesh mesh_;
  float detail_;
  Placement placement_;
  std::uint32_t material_ = 0;
  std::size_t recorded_ = 0;  // triangles of parts
  std::size_t placed_ = 0;    // triangles of placed parts
};

/// A smooth curve along the points given (Catmull-Rom), cut into `pieces` of equal parameter length; with as many
/// pieces as spans, or a multiple, it passes through every point.
std::vector<Vec3> smooth_path(std::span<const Vec3> points, int pieces);
/// The same for profiles.
std::vector<ProfilePoint> smooth_profile(std::span<const ProfilePoint> points, int pieces);

}  // namespace reconverge::scenes
