// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Small meshes that are difficult for spatial structures, each for a different reason.

#include <cmath>

#include "tests/unit/scenes/test_support.hpp"

namespace reconverge::scenes {

struct MeshKind {
  std::string name;
  Mesh mesh;
};

/// `mesh` with its corners moved to multiples of 1/`steps`, without triangles that then have no area.
inline Mesh snapped(Mesh mesh, float steps) {
  for (Vec3& p : mesh.positions)
    p = Vec3{std::round(p.x * steps), std::round(p.y * steps), std::round(p.z * steps)} * (1.0F / steps);
  repair(mesh);
  return mesh;
}

/// `mesh` with each triangle flattened along one axis, for each axis in turn.
inline Mesh axis_aligned(Mesh mesh) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    Vec3& p = mesh.positions[i];
    const Vec3 first = mesh.positions[i - i % 3];
    const std::size_t axis = i / 3 % 3;
    p = {axis == 0 ? first.x : p.x, axis == 1 ? first.y : p.y, axis == 2 ? first.z : p.z};
  }
  repair(mesh);
  return mesh;
}

/// `mesh`, flattened to the plane z = 0.
inline Mesh flattened(Mesh mesh) {
  for (Vec3& p : mesh.positions) p.z = 0.0F;
  repair(mesh);
  return mesh;
}

/// `mesh` with every triangle repeated `times` times.
inline Mesh repeated(Mesh mesh, int times) {
  const auto triangles = mesh.triangles;
  for (int i = 1; i < times; ++i) mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  mesh.material_of_triangle.assign(mesh.triangles.size(), 0);
  return mesh;
}

inline std::vector<MeshKind> mesh_kinds(std::uint32_t seed) {
  const auto random = [seed](std::uint32_t n, float size) { return random_mesh(seed, n, 1.0F, size); };
  return {{"small triangles", random(600, 0.1F)},
          {"triangles as large as the scene", random(60, 1.0F)},
          {"corners on a coarse grid", snapped(random(300, 0.4F), 8.0F)},
          {"axis-aligned", axis_aligned(random(300, 0.3F))},
          {"axis-aligned on a coarse grid", snapped(axis_aligned(random(400, 0.3F)), 8.0F)},
          {"in one plane", flattened(random(200, 0.2F))},
          {"each four times", repeated(random(100, 0.3F), 4)},
          {"all in one place", repeated(random(1, 0.5F), 50)}};
}

}  // namespace reconverge::scenes
