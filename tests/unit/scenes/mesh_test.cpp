// SPDX-License-Identifier: Apache-2.0
#include "scenes/mesh.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "scenes/generators/shapes.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

TEST_CASE("Repair drops and counts untraceable triangles, and keeps the order of the rest") {
  Mesh mesh = quad();
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  mesh.positions.push_back({nothing, 0, 0});                                 // 4
  mesh.positions.push_back({std::numeric_limits<float>::infinity(), 0, 0});  // 5
  mesh.triangles = {{0, 1, 4}, {0, 1, 2}, {0, 0, 1}, {0, 1, 99}, {0, 2, 3}, {5, 1, 2}, {0, 1, 1}};
  mesh.material_of_triangle.assign(mesh.triangles.size(), 0);
  const MeshRepairs repairs = repair(mesh);
  CHECK(repairs == MeshRepairs{2, 1, 2, 0});
  CHECK(repairs.dropped() == 5);
  CHECK(to_string(repairs) == "5 triangles dropped (2 degenerate, 2 not finite, 1 with an index out of range)");
  CHECK(mesh.triangles == std::vector<TriangleIndices>{{0, 1, 2}, {0, 2, 3}});
  CHECK(mesh.material_of_triangle.size() == 2);
  CHECK(repair(mesh) == MeshRepairs{});
  CHECK(to_string(MeshRepairs{}).empty());
}

TEST_CASE("Triangles whose corners are on a line have no area, regardless of their size") {
  Mesh mesh = one_triangle();
  mesh.positions = {{0, 0, 0}, {1000, 1000, 1000}, {3000, 3000, 3000}};
  CHECK(repair(mesh).degenerate_triangles == 1);
}

TEST_CASE("A small but valid triangle is kept") {
  Mesh mesh = one_triangle();
  for (Vec3& position : mesh.positions) position = position * 1e-4F + Vec3{1, 1, 1};
  CHECK(repair(mesh).dropped() == 0);
}

TEST_CASE("Bounds and lights") {
  const Mesh mesh = box();
  CHECK(mesh.bounds().low == Vec3{-1, -1, 0});
  CHECK(mesh.bounds().high == Vec3{1, 1, 2});
  CHECK(mesh.triangle_count() == 36);
  const auto lights = mesh.lights();
  REQUIRE(lights.size() == 2);
  for (const auto light : lights) CHECK(mesh.material_names[mesh.material_of_triangle[light]] == "light");
  CHECK(Box{}.empty());
  CHECK(Box{}.diagonal() == 0.0F);
}

TEST_CASE("The error for an unusable mesh has the reason") {
  Mesh mesh = quad();
  std::string part;
  SECTION("no triangle") {
    mesh.triangles.clear();
    part = "has no triangle";
  }
  SECTION("materials missing") {
    mesh.material_of_triangle.pop_back();
    part = "differ in number";
  }
  SECTION("a material out of range") {
    mesh.material_of_triangle[1] = 3;
    part = "material 3";
  }
  SECTION("an index out of range") {
    mesh.triangles[0][0] = 77;
    part = "needs repair";
  }
  SECTION("view direction parallel to up") {
    mesh.camera.up = {0, 0, 1};
    part = "camera";
  }
  SECTION("no field of view") {
    mesh.camera.vertical_field_of_view = 180.0F;
    part = "field of view";
  }
  CHECK(refusal([&] { check_mesh(mesh); }).find(part) != std::string::npos);
}

TEST_CASE("In a bent rod straight parts stay single pieces, and corners become arcs") {
  const MeshBuilder builder("rod", 1.0F);
  const std::array<Vec3, 3> corners{Vec3{0, 0, 0}, Vec3{3, 0, 0}, Vec3{3, 0, 4}};
  CHECK(builder.bend(corners, 0.0F, 0.1F) == std::vector<Vec3>(corners.begin(), corners.end()));
  // The corner becomes a quarter of a circle of radius 1 around (2, 0, 1), in pieces of a sixth of a right angle.
  const auto path = builder.bend(corners, 1.0F, 0.26F);
  REQUIRE(path.size() == 9);
  CHECK(path.front() == corners.front());
  CHECK(path.back() == corners.back());
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    CHECK(length(path[i] - Vec3{2, 0, 1}) == Approx(1.0F).epsilon(1e-5));
    CHECK(path[i].y == 0.0F);
  }
  CHECK(length(path[1] - Vec3{2, 0, 0}) < 1e-5F);
  CHECK(length(path[7] - Vec3{3, 0, 1}) < 1e-5F);
  // An arc that is too large for the adjacent straight parts is reduced. Finer detail has more pieces.
  for (const Vec3 point : builder.bend(corners, 5.0F, 0.26F)) CHECK(point.x >= 0.0F);
  CHECK(MeshBuilder("rod", 2.0F).bend(corners, 1.0F, 0.26F).size() == 15);
}

TEST_CASE("Starting a triangle at its widest corner keeps its normal") {
  MeshBuilder builder("slivers", 1.0F);
  builder.use_material(builder.add_material("grey", {0.5F, 0.5F, 0.5F}));
  builder.add_rectangle({0, 0, 0}, {0.01F, 0, 0}, {0, 3, 0});
  Mesh mesh = builder.mesh();
  start_at_widest_corners(mesh);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto corners = mesh.corners(i);
    CHECK(dot(corners[1] - corners[0], corners[2] - corners[0]) == 0.0F);
    CHECK(geometric_normal(corners).z > 0.0F);
  }
}

TEST_CASE("The default camera for a box sees the whole box") {
  const Box box{{-1, -2, -3}, {3, 2, 1}};
  for (const Vec3 up : {Vec3{0, 0, 1}, Vec3{0, 1, 0}}) {
    const Camera camera = camera_for(box, up);
    const Vec3 view = normalize(camera.look_at - camera.eye);
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner{(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                        (i & 4) != 0 ? box.high.z : box.low.z};
      CHECK(dot(normalize(corner - camera.eye), view) > std::cos(35.0F * 3.14159F / 180.0F));
    }
  }
}
