// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/expected_work.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge {
namespace {

struct Camera {
  scenes::LoadedScene scene = scenes::load_scene("conference_small");
  WorkloadParameters workload;
  std::vector<scenes::Ray> rays;

  explicit Camera(WorkloadStructure structure = WorkloadStructure::bvh) {
    workload.structure = structure;
    scenes::PathTracerOptions options;
    options.width = options.height = 128;
    options.bounces = 1;
    rays = scenes::trace_paths(scene.mesh, options).extension.front().rays;
  }

  /// The work of a kernel without hardware traversal. Its warps wait for the slowest lane, or it runs single lanes.
  double executed(bool lanes_alone = false) const {
    const Acceleration acceleration(workload, scene.mesh);
    return ExpectedWork(acceleration, {kernel("trace_while_while"), false, lanes_alone, 192}, {}).of(rays, false).all;
  }
  /// The work of a kernel with hardware traversal.
  StreamWork work(bool shadow = false) const {
    const Acceleration acceleration(workload, scene.mesh);
    return ExpectedWork(acceleration, {kernel("trace_shuffled"), true, false, 192}, {}).of(rays, shadow);
  }
  double traced(bool shadow = false) const { return work(shadow).all; }
  static kernel::Program kernel(const std::string& name) {
    return kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / (name + ".ptx"),
                                name, extensions_of(built_in_schemes()));
  }
};

}  // namespace

TEST_CASE("incoherent rays are more work for warps whose lanes wait for each other, but not for single lanes") {
  Camera camera;
  const double coherent = camera.executed();
  const double lanes = camera.executed(true);
  const double hardware = camera.traced();
  std::mt19937 random(1);
  std::ranges::shuffle(camera.rays, random);
  const double more = camera.executed() / coherent;
  CHECK(more > 1.3);
  CHECK(camera.executed(true) == Approx(lanes).epsilon(0.2));
  CHECK(camera.traced() / hardware < more);
}

TEST_CASE("the work of a stream is the sum over its rays") {
  Camera camera;
  const double all = camera.executed(true);
  camera.rays.insert(camera.rays.end(), camera.rays.begin(), camera.rays.end());
  CHECK(camera.executed(true) == Approx(2 * all).epsilon(0.2));
  camera.rays.resize(7);  // fewer than a warp's lanes
  CHECK(camera.executed(true) > 7 * 50);
  camera.rays.clear();
  CHECK(camera.executed(true) == 0);
}

TEST_CASE("rays that miss the scene are little of the work of a stream") {
  Camera camera;
  CHECK(camera.work().share(0) == 0);
  CHECK(camera.work().share(1) == 1);
  std::vector<scenes::Ray> away = camera.rays;
  for (scenes::Ray& ray : away) ray.t_max = 0;
  camera.rays.insert(camera.rays.begin(), away.begin(), away.end());
  CHECK(camera.work().share(0.5) < 0.4);
  CHECK(camera.work().share(0.75) == Approx((1 + camera.work().share(0.5)) / 2).margin(0.1));
  CHECK(StreamWork{}.share(0.25) == 0.25);
}

TEST_CASE("the host traces with any structure, and shadow rays end at any hit") {
  const Camera camera(GENERATE(WorkloadStructure::bvh, WorkloadStructure::kd_tree, WorkloadStructure::grid));
  CHECK(camera.traced(true) > static_cast<double>(camera.rays.size()));
  CHECK(camera.traced(true) <= camera.traced());
}

}  // namespace reconverge
