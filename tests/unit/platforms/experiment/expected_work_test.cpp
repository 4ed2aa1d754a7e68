// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/expected_work.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
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

  /// The work of a kernel without hardware traversal. Its warps wait for the slowest lane.
  StreamWork executed(bool lanes_alone = false) const {
    const Acceleration acceleration(workload, scene.mesh);
    return ExpectedWork(acceleration, {kernel("trace_while_while"), false, lanes_alone, 192}, {}).of(rays, false);
  }
  /// The work of a kernel with hardware traversal.
  StreamWork work(bool shadow = false) const {
    const Acceleration acceleration(workload, scene.mesh);
    return ExpectedWork(acceleration, {kernel("trace_shuffled"), true, false, 192}, {}).of(rays, shadow);
  }
  /// The work of a kernel whose threads create others, on a machine with this number of places.
  double of_created_threads(std::uint64_t places) const {
    const Acceleration acceleration(workload, scene.mesh);
    return ExpectedWork(acceleration, {kernel("trace_microkernels"), false, false, 192, places}, {})
        .of(rays, false)
        .all;
  }
  double traced(bool shadow = false) const { return work(shadow).all; }
  static kernel::Program kernel(const std::string& name) {
    return kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / (name + ".ptx"),
                                name, extensions_of(built_in_schemes()));
  }
};

}  // namespace

TEST_CASE("incoherent rays are more work for warps whose lanes wait for each other, but not more thread instructions") {
  Camera camera;
  const StreamWork coherent = camera.executed();
  const double hardware = camera.traced();
  CHECK(coherent.thread_instructions > 8 * coherent.all);
  std::mt19937 random(1);
  std::ranges::shuffle(camera.rays, random);
  const StreamWork incoherent = camera.executed();
  CHECK(incoherent.all > 1.3 * coherent.all);
  CHECK(incoherent.thread_instructions == Approx(coherent.thread_instructions).epsilon(0.2));
  CHECK(camera.traced() / hardware < incoherent.all / coherent.all);
}

TEST_CASE("the work of a stream is the sum over its rays") {
  Camera camera;
  const StreamWork once = camera.executed();
  camera.rays.insert(camera.rays.end(), camera.rays.begin(), camera.rays.end());
  CHECK(camera.executed().all == Approx(2 * once.all).epsilon(0.2));
  CHECK(camera.executed().thread_instructions == Approx(2 * once.thread_instructions).epsilon(0.2));
  camera.rays.resize(7);  // fewer than a warp's lanes
  CHECK(camera.executed().thread_instructions > 7 * 50);
  camera.rays.clear();
  CHECK(camera.executed().all == 0);
}

TEST_CASE("the share of the work follows the executed instructions of a kernel without hardware traversal") {
  const Camera camera;
  const StreamWork work = camera.executed();
  const auto warps = static_cast<std::uint64_t>(work.all);
  const auto threads = static_cast<std::uint64_t>(work.thread_instructions);
  CHECK(work.share(0, {}) == 0);
  CHECK(work.share(0, {warps / 2, threads / 2}) == Approx(0.5).epsilon(0.01));
  CHECK(work.share(0, {warps, 2 * threads}) == 1);
  // While all lanes of each warp are together, a thread instruction is little work.
  CHECK(work.share(0, {warps / 4, threads / 2}) < 0.4);
  CHECK(camera.executed(true).share(0, {warps, threads / 2}) < work.share(0, {warps, threads / 2}));
  CHECK(camera.work().share(0.5, {warps, threads}) == camera.work().share(0.5));
}

TEST_CASE("created threads are as much work for a few rays as for a ray in each place") {
  Camera camera;
  camera.rays.resize(640);
  const double full = camera.of_created_threads(640);
  CHECK(camera.of_created_threads(320) == Approx(full));
  CHECK(camera.of_created_threads(1280) == Approx(2 * full));
  camera.rays.resize(1);
  CHECK(camera.of_created_threads(1280) == Approx(warp_size * camera.of_created_threads(1)));
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

TEST_CASE("progress of the MIMD machine follows instructions while all rays are in flight") {
  ExperimentParameters parameters;
  const std::vector<std::string> small{"workload.scene=box", "workload.height=128", "workload.bounces=1"};
  configuration::load(with_kinds(experiment_block), &parameters,
                      std::filesystem::path(RECONVERGE_SOURCE_DIR) / "yaml/experiments/conference_mimd.yaml", small);
  Machine* machine = nullptr;
  struct Moment {
    double instructions = 0;
    double share = 0;
  };
  std::vector<Moment> moments;
  RunControl control;
  control.prepare = [&](Machine& made) { (machine = &made)->ask_every(1000); };
  control.keep_running = [&](const RunProgress& progress) {
    const auto instructions = static_cast<double>(machine->instructions().thread_instructions);
    moments.push_back({instructions, progress.share.value()});
    return progress.part == "bounce 1";
  };
  run_ray_tracing(parameters, control);
  const Moment end = moments.back();
  const auto half =
      std::ranges::find_if(moments, [&](const Moment& moment) { return moment.instructions >= end.instructions / 2; });
  CHECK(half->share / end.share == Approx(half->instructions / end.instructions).epsilon(0.3));
}

}  // namespace reconverge
