// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/small_scenes.hpp"

#include <utility>

#include "scenes/generators/shapes.hpp"

namespace reconverge::scenes {

Mesh one_triangle() {
  Mesh mesh;
  mesh.name = "triangle";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.material_of_triangle = {0};
  mesh.materials = {{{0.8F, 0.8F, 0.8F}, 0.0F, {1.0F, 1.0F, 1.0F}, 0.0F}};
  mesh.material_names = {"glow"};
  mesh.camera = {{0.25F, 0.25F, 2.0F}, {0.25F, 0.25F, 0.0F}, {0.0F, 1.0F, 0.0F}, 45.0F};
  return mesh;
}

Mesh quad() {
  Mesh mesh = one_triangle();
  mesh.name = "quad";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.material_of_triangle = {0, 0};
  mesh.camera = {{0.5F, 0.5F, 2.0F}, {0.5F, 0.5F, 0.0F}, {0.0F, 1.0F, 0.0F}, 45.0F};
  return mesh;
}

Mesh box() {
  MeshBuilder builder("box", 1.0F);
  const auto white = builder.add_material("white", {0.73F, 0.73F, 0.73F});
  const auto red = builder.add_material("red", {0.63F, 0.065F, 0.05F});
  const auto green = builder.add_material("green", {0.14F, 0.45F, 0.09F});
  const auto light = builder.add_material("light", {}, 0.0F, {24.0F, 18.0F, 10.5F});
  builder.use_material(white);
  builder.add_rectangle({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
  builder.add_rectangle({-1, -1, 2}, {0, 2, 0}, {2, 0, 0});
  builder.add_rectangle({-1, 1, 0}, {2, 0, 0}, {0, 0, 2});
  builder.use_material(red);
  builder.add_rectangle({-1, -1, 0}, {0, 2, 0}, {0, 0, 2});
  builder.use_material(green);
  builder.add_rectangle({1, -1, 0}, {0, 0, 2}, {0, 2, 0});
  builder.use_material(white);
  builder.place({{-0.35F, 0.3F, 0.0F}, 0.3F});
  builder.add_box({-0.3F, -0.3F, 0.001F}, {0.3F, 0.3F, 1.2F});
  builder.place({{0.4F, -0.3F, 0.0F}, -0.3F});
  builder.add_box({-0.3F, -0.3F, 0.001F}, {0.3F, 0.3F, 0.6F});
  builder.place({});
  builder.use_material(light);
  builder.add_rectangle({-0.25F, -0.2F, 1.98F}, {0, 0.4F, 0}, {0.5F, 0, 0});
  // The front is open for the camera; rays that leave there are the misses that tests need.
  return std::move(builder).finish({{0.0F, -3.9F, 1.0F}, {0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, 1.0F}, 39.0F});
}

Mesh furnace(float albedo, float emission) {
  MeshBuilder builder("furnace", 1.0F);
  builder.use_material(builder.add_material("glow", {albedo, albedo, albedo}, 0.0F, {emission, emission, emission}));
  builder.add_cushion({}, {1, 1, 1}, 1.0F, 48, 24);
  return std::move(builder).finish({{0.1F, -0.7F, 0.1F}, {0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 1.0F}, 70.0F});
}

}  // namespace reconverge::scenes
