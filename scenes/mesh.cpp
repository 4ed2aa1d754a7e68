// SPDX-License-Identifier: Apache-2.0
#include "scenes/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/core/error.hpp"

namespace reconverge::scenes {

namespace {

bool emits(const Material& material) { return max_component(to_vec3(material.emission)) > 0.0F; }

/// Area zero in double precision: the affine map to the unit triangle does not exist.
bool degenerate(const std::array<Vec3, 3>& corners) {
  const auto edge = [&corners](int to) {
    const Vec3 a = corners[0];
    const Vec3 b = corners[static_cast<std::size_t>(to)];
    return std::array<double, 3>{double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z};
  };
  const auto e1 = edge(1);
  const auto e2 = edge(2);
  const std::array<double, 3> normal{e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2],
                                     e1[0] * e2[1] - e1[1] * e2[0]};
  const double area_squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
  const double longest =
      std::max(e1[0] * e1[0] + e1[1] * e1[1] + e1[2] * e1[2], e2[0] * e2[0] + e2[1] * e2[1] + e2[2] * e2[2]);
  // The sine of the smallest angle; below this bound, float corners do not define a direction. The second bound keeps
  // the map's rows, which grow with one over the area, within the range of float.
  return area_squared <= 1e-12 * longest * longest || area_squared < 1e-30;
}

}  // namespace

EyeFrame eye_frame(const Camera& camera, unsigned width, unsigned height) {
  const Vec3 forward = normalize(camera.look_at - camera.eye);
  const float half = std::tan(camera.vertical_field_of_view * std::numbers::pi_v<float> / 360.0F);
  const Vec3 sideways = normalize(cross(forward, camera.up));
  const Vec3 up = cross(sideways, forward) * half;
  const Vec3 right = sideways * (half * static_cast<float>(width) / static_cast<float>(height));
  return {{camera.eye.x, camera.eye.y, camera.eye.z}, width, {right.x, right.y, right.z}, height, {up.x, up.y, up.z}, 0,
          {forward.x, forward.y, forward.z},          0};
}

Box Mesh::bounds() const {
  Box box;
  for (const TriangleIndices& triangle : triangles) {
    for (const std::uint32_t corner : triangle) box.extend(positions[corner]);
  }
  return box;
}

std::vector<std::uint32_t> Mesh::lights() const {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (emits(material(i))) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

Vec3 geometric_normal(const std::array<Vec3, 3>& corners) {
  return cross(corners[1] - corners[0], corners[2] - corners[0]);
}

std::string to_string(const MeshRepairs& repairs) {
  std::string text;
  const auto add = [&text](std::size_t count, std::string_view what) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(repairs.degenerate_triangles, "degenerate");
  add(repairs.non_finite_triangles, "not finite");
  add(repairs.out_of_range_triangles, "with an index out of range");
  if (!text.empty()) text = fmt::format("{} triangles dropped ({})", repairs.dropped(), text);
  if (repairs.other_primitives != 0) {
    text += fmt::format("{}{} points and lines ignored", text.empty() ? "" : "; ", repairs.other_primitives);
  }
  return text;
}

MeshRepairs repair(Mesh& mesh) {
  MeshRepairs repairs;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const TriangleIndices triangle = mesh.triangles[i];
    const std::uint32_t material = mesh.material_of_triangle.at(i);
    if (material >= mesh.materials.size()) {
      throw InputError({mesh.name}, fmt::format("triangle {} uses material {}, but there are {} materials", i, material,
                                                mesh.materials.size()));
    }
    if (std::ranges::any_of(triangle, [&mesh](std::uint32_t corner) { return corner >= mesh.positions.size(); })) {
      ++repairs.out_of_range_triangles;
      continue;
    }
    const std::array<Vec3, 3> corners = mesh.corners(i);
    if (!std::ranges::all_of(corners, is_finite)) {
      ++repairs.non_finite_triangles;
      continue;
    }
    if (degenerate(corners)) {
      ++repairs.degenerate_triangles;
      continue;
    }
    mesh.triangles[kept] = triangle;
    mesh.material_of_triangle[kept] = material;
    ++kept;
  }
  mesh.triangles.resize(kept);
  mesh.material_of_triangle.resize(kept);
  return repairs;
}

void start_at_widest_corners(Mesh& mesh) {
  for (TriangleIndices& triangle : mesh.triangles) {
    const auto opposite_side = [&](std::size_t corner) {
      return length(mesh.positions[triangle[(corner + 2) % 3]] - mesh.positions[triangle[(corner + 1) % 3]]);
    };
    const std::array<float, 3> opposite{opposite_side(0), opposite_side(1), opposite_side(2)};
    const auto widest = std::ranges::max_element(opposite) - opposite.begin();
    std::rotate(triangle.begin(), triangle.begin() + widest, triangle.end());
  }
}

void check_mesh(const Mesh& mesh) {
  const auto refuse = [&mesh](std::string_view message, std::string_view hint = {}) {
    throw InputError({mesh.name}, message, hint);
  };
  if (mesh.triangles.empty()) refuse("the scene has no triangle", "a ray tracer needs at least one");
  if (mesh.material_of_triangle.size() != mesh.triangles.size())
    refuse("triangles and their materials differ in number");
  if (mesh.material_names.size() != mesh.materials.size()) refuse("materials and their names differ in number");
  Mesh copy = mesh;
  const MeshRepairs repairs = repair(copy);
  if (repairs.dropped() != 0) refuse("the mesh needs repair: " + to_string(repairs));
  const Camera& camera = mesh.camera;
  const Vec3 view = camera.look_at - camera.eye;
  const Vec3 right = cross(view, camera.up);
  if (!is_finite(right) || !(length(right) > 1e-6F * length(view) * length(camera.up))) {
    refuse("the camera's view and up directions are parallel, zero or not finite");
  }
  if (!(camera.vertical_field_of_view > 0.0F && camera.vertical_field_of_view < 180.0F)) {
    refuse(fmt::format("the camera's field of view is {} degrees", camera.vertical_field_of_view),
           "give an angle between 0 and 180 degrees");
  }
}

Camera camera_for(const Box& bounds, Vec3 up) {
  const auto [side, front] = tangent_frame(normalize(up));
  const float reach = 0.9F * bounds.diagonal();
  Camera camera;
  camera.look_at = bounds.centre();
  camera.eye = camera.look_at + normalize(side + front + 0.6F * normalize(up)) * reach;
  camera.up = up;
  return camera;
}

}  // namespace reconverge::scenes
