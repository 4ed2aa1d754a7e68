// SPDX-License-Identifier: Apache-2.0
// Glassner's scene 4 as in the stream papers: six pedestals on a floor, with five regular solids and a teapot on them.
// Sizes in centimetres. 590 of the 840 triangles belong to the teapot.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

constexpr std::array<std::string_view, 9> materials{"floor",       "shaft",        "slab",        "cube",  "octahedron",
                                                    "tetrahedron", "dodecahedron", "icosahedron", "teapot"};

constexpr float slab = 32.5F;  ///< half of its side
constexpr float shaft = 30.0F;
constexpr float slab_height = 15.0F;
constexpr float solid = 34.0F;  ///< from a solid's centre to its corners

/// Four sides of a box between two heights.
void add_sides(MeshBuilder& mesh, Vec3 foot, float half, float low, float high) {
  const std::array<Vec3, 4> corner{Vec3{-half, -half, 0}, Vec3{half, -half, 0}, Vec3{half, half, 0},
                                   Vec3{-half, half, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 side = corner[(i + 1) % 4] - corner[i];
    mesh.add_rectangle(foot + corner[i] + Vec3{0, 0, low}, side, {0, 0, high - low});
  }
}

/// A slab without its hidden face, a shaft, another slab: 28 triangles.
void add_pedestal(Workshop& workshop, Vec3 foot, float height) {
  workshop.use("slab");
  for (const float low : {0.0F, height - slab_height}) {
    add_sides(workshop.mesh, foot, slab, low, low + slab_height);
    workshop.mesh.add_rectangle(foot + Vec3{-slab, -slab, low + slab_height}, {2 * slab, 0, 0}, {0, 2 * slab, 0});
  }
  workshop.use("shaft");
  add_sides(workshop.mesh, foot, shaft, slab_height, height - slab_height);
}

/// The faces of the regular solid with these corners, each with `sides` corners: planes with all other corners on
/// one side.
void add_solid(MeshBuilder& mesh, const std::vector<Vec3>& corners, std::size_t sides) {
  const std::size_t count = corners.size();
  std::vector<Vec3> done;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      for (std::size_t c = b + 1; c < count; ++c) {
        Vec3 normal = normalize(cross(corners[b] - corners[a], corners[c] - corners[a]));
        if (dot(normal, corners[a]) < 0.0F) normal = -normal;
        const float distance = dot(normal, corners[a]);
        std::vector<Vec3> face;
        bool outermost = true;
        for (const Vec3 corner : corners) {
          const float off = dot(normal, corner) - distance;
          outermost = outermost && off < 1e-3F;
          if (std::abs(off) < 1e-3F) face.push_back(corner);
        }
        const auto same = [normal](Vec3 other) { return dot(normal, other) > 0.999F; };
        if (!outermost || face.size() != sides || std::ranges::any_of(done, same)) continue;
        done.push_back(normal);
        const Vec3 right = normalize(face[0] - normal * distance);
        const Vec3 up = cross(normal, right);
        const auto angle = [&](Vec3 point) { return std::atan2(dot(point, up), dot(point, right)); };
        std::ranges::sort(face, {}, angle);
        mesh.add_polygon(face);
      }
    }
  }
}

std::vector<Vec3> tetrahedron() { return {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}; }
std::vector<Vec3> octahedron() { return {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}; }

std::vector<Vec3> cube() {
  std::vector<Vec3> corners;
  for (unsigned i = 0; i < 8; ++i) {
    corners.push_back({(i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F});
  }
  return corners;
}

constexpr float golden = std::numbers::phi_v<float>;

std::vector<Vec3> icosahedron() {
  std::vector<Vec3> corners;
  for (const float s : {-1.0F, 1.0F}) {
    for (const float t : {-golden, golden}) {
      corners.push_back({0, s, t});
      corners.push_back({s, t, 0});
      corners.push_back({t, 0, s});
    }
  }
  return corners;
}

std::vector<Vec3> dodecahedron() {
  std::vector<Vec3> corners = cube();
  for (const float s : {-1.0F / golden, 1.0F / golden}) {
    for (const float t : {-golden, golden}) {
      corners.push_back({0, s, t});
      corners.push_back({s, t, 0});
      corners.push_back({t, 0, s});
    }
  }
  return corners;
}

/// Turns the corners so that the unit vector `down` points down, and places them on `top`.
std::vector<Vec3> stand(std::vector<Vec3> corners, Vec3 down, Vec3 top, float angle) {
  const Vec3 up = -down;
  const auto [side, other] = tangent_frame(up);
  float lowest = 0.0F;
  for (Vec3& corner : corners) {
    const Vec3 unit = normalize(corner) * solid;
    const Vec3 turned{dot(unit, side), dot(unit, other), dot(unit, up)};
    corner = Placement{{}, angle}.apply(turned);
    lowest = std::min(lowest, corner.z);
  }
  for (Vec3& corner : corners) corner = corner + top - Vec3{0, 0, lowest};
  return corners;
}

/// `add_solid` needs the solid around the origin.
void add_standing(Workshop& workshop, std::string_view material, const std::vector<Vec3>& corners, std::size_t sides) {
  Vec3 centre;
  for (const Vec3 corner : corners) centre = centre + corner * (1.0F / static_cast<float>(corners.size()));
  std::vector<Vec3> around = corners;
  for (Vec3& corner : around) corner = corner - centre;
  workshop.use(material);
  workshop.mesh.place({centre});
  add_solid(workshop.mesh, around, sides);
  workshop.mesh.place({});
}

/// Body and lid are bodies of revolution, spout and handle bent pipes.
void add_teapot(Workshop& workshop, Vec3 foot) {
  MeshBuilder& mesh = workshop.mesh;
  workshop.use("teapot");
  mesh.place({foot, -0.5F * pi - 0.43F});
  // Both walls of the pot, and the lid from the top of its knob to its underside.
  constexpr int around = 11;
  const std::array<ProfilePoint, 11> body{{{0.0F, 0.0F},
                                           {20.0F, 0.5F},
                                           {28.0F, 10.0F},
                                           {31.0F, 20.0F},
                                           {28.0F, 30.0F},
                                           {22.0F, 38.0F},
                                           {26.0F, 29.5F},
                                           {29.0F, 20.0F},
                                           {26.0F, 11.0F},
                                           {18.0F, 2.5F},
                                           {0.0F, 2.0F}}};
  mesh.add_revolution({}, body, around);
  const std::array<ProfilePoint, 9> lid{{{0.0F, 38.5F},
                                         {11.0F, 38.0F},
                                         {21.5F, 37.0F},
                                         {12.0F, 42.5F},
                                         {2.2F, 44.0F},
                                         {4.0F, 45.8F},
                                         {4.0F, 47.6F},
                                         {2.2F, 49.0F},
                                         {0.0F, 49.6F}}};
  mesh.add_revolution({}, lid, around);
  const std::array<Vec3, 4> spout{Vec3{26, 0, 12}, Vec3{36, 0, 17}, Vec3{40, 0, 28}, Vec3{47, 0, 36}};
  mesh.add_pipe(mesh.smooth(spout, 2), 8.0F, 3.0F, 9);
  const std::array<Vec3, 5> handle{Vec3{-27, 0, 31}, Vec3{-38, 0, 31}, Vec3{-41, 0, 22}, Vec3{-36, 0, 13},
                                   Vec3{-28, 0, 11}};
  mesh.add_pipe(mesh.smooth(handle, 2), 2.2F, 2.2F, 8);
  mesh.place({});
}

void build(Workshop& workshop) {
  workshop.use("floor");
  workshop.mesh.add_rectangle({-200, -150, 0}, {400, 0, 0}, {0, 300, 0});
  for (const float x : {-100.0F, 0.0F, 100.0F}) {
    add_pedestal(workshop, {x, -50, 0}, 120.0F);
    add_pedestal(workshop, {x, 50, 0}, 160.0F);
  }
  const Vec3 corner = normalize({1, 1, 1});
  const auto add = [&](std::string_view name, const std::vector<Vec3>& shape, std::size_t sides, Vec3 down, Vec3 top,
                       float angle) { add_standing(workshop, name, stand(shape, down, top, angle), sides); };
  add("cube", cube(), 4, normalize({1, 0.8F, 0.35F}), {-103, -51.5F, 120.5F}, 0.5F);
  add("tetrahedron", tetrahedron(), 3, -corner, {-3, -52, 121.9F}, 0.4F);
  add("octahedron", octahedron(), 3, {0, 0, 1}, {100, -50, 121.4F}, 0.3F);
  add("dodecahedron", dodecahedron(), 5, {0, 0, 1}, {-100, 50, 161.6F}, 0.2F);
  add("icosahedron", icosahedron(), 3, {0, 0, 1}, {100, 50, 161.9F}, 0.6F);
  add_teapot(workshop, {0, 50, 160.4F});
}

}  // namespace

const Generator glassner_generator{"glassner", materials, {}, build};

}  // namespace reconverge::scenes
