// SPDX-License-Identifier: Apache-2.0
// The voxel tracer: its hits match Embree. Seven hand-made kernels have the same hits as one kernel with loops, bit for
// bit.

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "scenes/files/vox_file.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "tests/repetition.hpp"
#include "tests/unit/kernels/voxel_tracing.hpp"
#include "tests/unit/scenes/scene_folder.hpp"

namespace reconverge::kernels {

namespace {

const std::string file = RECONVERGE_SOURCE_DIR "/platforms/kernels/voxel_tracer.ptx";

std::size_t count_hits(const std::vector<Hit>& hits) {
  return static_cast<std::size_t>(std::ranges::count_if(hits, [](const Hit& hit) { return hit.triangle >= 0; }));
}

VoxelScene small_scene(const std::array<int, 3>& resolution, unsigned side = 48) {
  VoxelScene scene{scenes::box(), {}, {}, {0.3F, 0.2F, 0.8F}};
  scene.grid = scenes::build_grid(scene.mesh, {.resolution = resolution});
  scene.eye = eye_frame(scene.mesh.camera, side, side);
  return scene;
}

VoxelScene glassner(unsigned side) {
  const scenes::Mesh mesh = scenes::load_scene("glassner").mesh;
  return {mesh, scenes::build_grid(mesh), eye_frame(mesh.camera, side, side), glassner_lamp};
}

void expect_embree(const VoxelScene& scene, const std::vector<Hit>& hits) {
  const std::vector<Ray> rays = rays_of(scene);
  const scenes::HitComparison verdict = scenes::compare_hits(scene.mesh, scenes::EmbreeScene(scene.mesh), rays, hits);
  INFO(scenes::to_string(verdict));
  CHECK(verdict.rays == scene.pixels());
  CHECK(verdict.ok());
}

/// Runs rounds until all rays have ended. Returns the minimum number of rounds for the complete picture and hits.
std::size_t least_rounds(const VoxelScene& scene, const VoxelPicture& complete) {
  VoxelRounds rounds(scene);
  std::size_t count = 0;
  std::size_t least = 0;
  bool was_complete = rounds.shade() == complete;
  for (; !rounds.ended(); ++count) {
    REQUIRE(count < 100000);
    rounds.round();
    const bool is_complete = rounds.shade() == complete;
    CHECK((is_complete || !was_complete));
    if (is_complete && !was_complete) least = count + 1;
    was_complete = is_complete;
  }
  CHECK(was_complete);
  return least;
}

}  // namespace

TEST_CASE("voxel_picture has three loops or one, and the hand-made kernels have no branch") {
  // In voxel_picture_ifs, the outer loop and the first inner one have the same head and count as one.
  const std::map<std::string, std::size_t> with_loops{
      {"voxel_picture", 3}, {"voxel_picture_ifs", 2}, {"voxel_picture_rounds", 1}};
  for (const std::string& name : kernel::entries(file)) {
    INFO(name);
    const kernel::Program program = kernel::load_program(file, name);
    const auto found = with_loops.find(name);
    const std::size_t loops = found == with_loops.end() ? 0 : found->second;
    CHECK(kernel::find_loops(program.blocks).loops.size() == loops);
    CHECK((program.blocks.size() == 1) == (loops == 0));
  }
  CHECK(kernel::entries(file).size() == 10);
}

TEST_CASE("the other forms of the voxel tracer leave the hits and the picture of nested loops, bit for bit") {
  const auto* const form = GENERATE("voxel_picture_ifs", "voxel_picture_rounds");
  for (const VoxelScene& scene : {small_scene({1, 1, 1}), small_scene({9, 4, 6}), glassner(32)}) {
    const VoxelPicture nested = voxel_picture(scene);
    const VoxelPicture other = voxel_picture(scene, form);
    CHECK(std::ranges::equal(std::as_bytes(std::span(other.hits)), std::as_bytes(std::span(nested.hits))));
    CHECK(other.picture == nested.picture);
  }
}

TEST_CASE("every hit of the voxel tracer matches Embree, in any grid") {
  for (const auto& resolution : {std::array{1, 1, 1}, std::array{7, 5, 4}, std::array{40, 41, 3}}) {
    const VoxelScene scene = small_scene(resolution);
    const VoxelPicture result = voxel_picture(scene);
    expect_embree(scene, result.hits);
    CHECK(count_hits(result.hits) > scene.pixels() / 4);
  }
  const VoxelScene scene = glassner(64);
  const VoxelPicture result = voxel_picture(scene);
  expect_embree(scene, result.hits);
  CHECK(count_hits(result.hits) > scene.pixels() / 4);
  CHECK(count_hits(result.hits) < scene.pixels());
}

TEST_CASE("seven hand-made kernels have the same hits and picture as one kernel, bit for bit") {
  for (const VoxelScene& scene : {small_scene({1, 1, 1}), small_scene({9, 4, 6}), glassner(32)}) {
    CHECK(least_rounds(scene, voxel_picture(scene)) > 1);
  }
}

TEST_CASE("a pixel is black for a miss, and otherwise lit by the cosine and a tenth of the light") {
  // A square faces the eye, and the lamp is at the eye. So the cosine is that of the ray.
  VoxelScene scene{scenes::quad(), {}, {}, {}};
  scene.grid = scenes::build_grid(scene.mesh, {.resolution = {2, 2, 1}});
  scene.eye = eye_frame(scene.mesh.camera, 32, 32);
  scene.lamp = scene.mesh.camera.eye;
  for (auto& material : scene.mesh.materials) std::ranges::copy(std::array{1.0F, 0.25F, 0.0F}, material.albedo);
  const VoxelPicture result = voxel_picture(scene);
  const std::vector<Ray> rays = rays_of(scene);
  const scenes::Vec3 normal = normalize(geometric_normal(scene.mesh.corners(0)));
  for (unsigned i = 0; i < scene.pixels(); ++i) {
    const unsigned pixel = result.picture[i];
    CHECK(pixel >> 24U == 255);
    if (result.hits[i].triangle < 0) {
      CHECK((pixel & 0xffffffU) == 0);
      continue;
    }
    const double cosine = std::abs(dot(normal, normalize(scenes::to_vec3(rays[i].direction))));
    const double light = 0.1 + 0.9 * cosine;
    CHECK(std::abs((pixel & 255U) - 255 * std::sqrt(light)) <= 0.51);
    CHECK(std::abs((pixel >> 8U & 255U) - 255 * std::sqrt(0.25 * light)) <= 0.51);
    CHECK((pixel >> 16U & 255U) == 0);
  }
  CHECK(count_hits(result.hits) > scene.pixels() / 8);
}

TEST_CASE("BrookGPU's scenes: hits match Embree, and the number of rounds for each picture") {
  struct Scene {
    std::string file;
    std::size_t rounds;
  };
  for (const Scene& expected : {Scene{"glassner04.vox", 481}, {"glassner05.vox", 338}, {"glassner10.vox", 137}}) {
    if (reconverge::tests::short_form() && expected.file != "glassner10.vox") continue;
    const auto path = scenes::scene_folder() / expected.file;
    if (!std::filesystem::exists(path)) {
      WARN("skipped: " << path << " is not there; set RECONVERGE_SCENES to its folder");
      continue;
    }
    INFO(expected.file);
    scenes::VoxScene read = scenes::load_vox(path);
    const EyeFrame eye = eye_frame(scenes::load_scene("glassner").mesh.camera, 128, 128);
    const VoxelScene scene{std::move(read.mesh), std::move(read.grid), eye, glassner_lamp};
    const VoxelPicture complete = voxel_picture(scene);
    expect_embree(scene, complete.hits);
    CHECK(least_rounds(scene, complete) == expected.rounds);
  }
}

}  // namespace reconverge::kernels
