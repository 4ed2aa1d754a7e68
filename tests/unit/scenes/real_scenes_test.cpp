// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/scene_statistics.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/sbvh.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/repetition.hpp"
#include "tests/unit/scenes/scene_folder.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

struct Expected {
  std::string file;
  std::size_t triangles;
  double hit_rate;
  double depth_complexity;
  double mean_distance;
  double diffuse_hit_rate;
};

/// Figures from the manifest of the scenes, for camera rays at 320 x 240.
const std::array<Expected, 6> scenes{{{"conference_268k.ply", 267'732, 1.0, 1.91, 0.4101, 0.9996},
                                      {"plants_crop_284k.ply", 284'398, 0.5907, 2.3, 0.4199, 0.3724},
                                      {"glassner04.ply", 840, 0.5268, 1.12, 0.6546, 0.3277},
                                      {"breakfast_533k.ply", 533'260, 0.9743, 1.65, 0.3747, 0.9501},
                                      {"standin_sponza_262k.ply", 262'267, 0.9827, 6.42, 0.2358, 0.97},
                                      {"standin_forest_174k.ply", 174'117, 0.8211, 9.25, 0.0651, 0.6625}}};

/// Whether the file is skipped because it is missing or too large for the short form.
bool left_out(const std::filesystem::path& file) {
  if (reconverge::tests::short_form() && file.filename() != "glassner04.ply") return true;
  if (std::filesystem::exists(file)) return false;
  WARN("skipped: " << file << " is not there; set RECONVERGE_SCENES to its folder");
  return true;
}

}  // namespace

TEST_CASE("Real scenes load, have the figures of their manifest, and trace without mismatches") {
  for (const Expected& expected : scenes) {
    const auto file = scene_folder() / expected.file;
    if (left_out(file)) continue;
    INFO(expected.file);
    const LoadedScene plain = load_scene(file.string(), {.camera = {}, .add_missing_light = false});
    CHECK(plain.mesh.triangle_count() + plain.repairs.dropped() == expected.triangles);
    const SceneStatistics statistics = measure(plain.mesh);
    INFO(to_string(statistics));
    CHECK(statistics.hit_rate == Approx(expected.hit_rate).margin(0.005));
    CHECK(statistics.depth_complexity == Approx(expected.depth_complexity).epsilon(0.05));
    CHECK(statistics.mean_distance == Approx(expected.mean_distance).epsilon(0.02));
    CHECK(statistics.diffuse_hit_rate == Approx(expected.diffuse_hit_rate).margin(0.02));
    const Mesh mesh = load_scene(file.string()).mesh;
    const Bvh bvh = build_bvh(mesh);
    CHECK_NOTHROW(check_bvh(bvh, mesh));
    const EmbreeScene oracle(mesh);
    const RayStreams streams = trace_paths(mesh, {.width = 160, .height = 120, .samples_per_pixel = 1, .bounces = 3});
    for (std::size_t bounce = 0; bounce < 3; ++bounce) {
      const auto& rays = streams.extension[bounce].rays;
      const HitComparison hits = compare_hits(mesh, oracle, rays, trace_scalar(bvh, rays));
      INFO(to_string(hits));
      CHECK(hits.ok());
      const auto& shadows = streams.shadow[bounce].rays;
      const HitComparison blocked = compare_occlusion(mesh, oracle, shadows, trace_scalar(bvh, shadows, true));
      INFO(to_string(blocked));
      CHECK(blocked.ok());
    }
  }
}

TEST_CASE("Real scenes: SBVHs are sound, save work and trace without mismatches") {
  for (const std::string file : {"conference_268k.ply", "standin_forest_174k.ply", "glassner04.ply"}) {
    const auto path = scene_folder() / file;
    if (left_out(path)) continue;
    INFO(file);
    const Mesh mesh = load_scene(path.string()).mesh;
    const Bvh split = build_sbvh(mesh);
    CHECK_NOTHROW(check_sbvh(split, mesh));
    const Bvh whole = build_bvh(mesh);
    const EmbreeScene oracle(mesh);
    const RayStreams streams = trace_paths(mesh, {.width = 160, .height = 120, .samples_per_pixel = 1, .bounces = 2});
    TraceWork with_splits;
    TraceWork without;
    for (const RayStream& stream : streams.extension) {
      const HitComparison hits =
          compare_hits(mesh, oracle, stream.rays, trace_scalar(split, stream.rays, false, &with_splits));
      INFO(to_string(hits));
      CHECK(hits.ok());
      trace_scalar(whole, stream.rays, false, &without);
    }
    CHECK(with_splits.nodes < without.nodes);
    for (const RayStream& stream : streams.shadow)
      CHECK(compare_occlusion(mesh, oracle, stream.rays, trace_scalar(split, stream.rays, true)).ok());
  }
}

TEST_CASE("Real scenes: kd-trees are valid, as deep as the paper's, and trace without mismatches") {
  struct Scene {
    std::string file;
    int depth;  // depth for the similar scene in Steffen and Zambreno's Table III
  };
  for (const Scene& scene :
       {Scene{"conference_268k.ply", 35}, {"standin_forest_174k.ply", 36}, {"glassner04.ply", 35}}) {
    const auto file = scene_folder() / scene.file;
    if (left_out(file)) continue;
    INFO(scene.file);
    const Mesh mesh = load_scene(file.string()).mesh;
    const KdTree tree = build_kd_tree(mesh);
    CHECK_NOTHROW(check_kd_tree(tree, mesh));
    CHECK(tree.depth <= scene.depth);
    const EmbreeScene oracle(mesh);
    const RayStreams streams = trace_paths(mesh, {.width = 160, .height = 120, .samples_per_pixel = 1, .bounces = 2});
    for (std::size_t bounce = 0; bounce < 2; ++bounce) {
      const auto& rays = streams.extension[bounce].rays;
      const HitComparison hits = compare_hits(mesh, oracle, rays, trace_scalar(tree, rays));
      INFO(to_string(hits));
      CHECK(hits.ok());
    }
  }
}
