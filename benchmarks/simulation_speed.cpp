// SPDX-License-Identifier: Apache-2.0
// Measures the speed of the models, in warp instructions per second of host time. The workloads are incoherent rays
// (the second bounce of a path tracer in the conference room) with the while-while kernel, the runs of the
// micro-kernels paper with loops and with micro-kernels, a megakernel of the subwarp interleaving paper without and
// with interleaving, and a Julia set. For a stream processor, node records per second. Prints one JSON object a line
// for each figure.

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <optional>
#include <vector>

#include "benchmarks/line_reporter.hpp"
#include "blocks/experiment.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"
#include "platforms/profile/recorded_run.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/kd_tree.hpp"

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge {
namespace {

const std::filesystem::path tree = RECONVERGE_SOURCE_DIR;

/// The program and the data that every figure uses.
struct Workload {
  kernel::Program program = kernel::load_program(tree / "platforms/kernels/trace_while_while.ptx", "trace_while_while");
  scenes::Bvh bvh;
  std::vector<scenes::Ray> rays;

  Workload() {
    const auto scene = scenes::load_scene("conference");
    bvh = scenes::build_bvh(scene.mesh);
    scenes::PathTracerOptions options;
    options.bounces = 2;
    options.samples_per_pixel = 1;
    options.max_rays = 32768;
    rays = scenes::trace_paths(scene.mesh, options).extension[1].rays;
  }

  template <typename Machine>
  Launch launch_on(Machine& machine) const {
    auto& memory = machine.memory();
    const auto count = static_cast<unsigned>(rays.size());
    const std::array<Argument, 6> arguments{memory.upload("nodes", std::span<const scenes::BvhNode>(bvh.nodes)),
                                            memory.upload("rows", std::span<const scenes::TriangleRow>(bvh.rows)),
                                            memory.upload("triangle of row", std::span<const int>(bvh.triangle_of_row)),
                                            memory.upload("rays", std::span<const scenes::Ray>(rays)),
                                            memory.allocate("hits", count * sizeof(scenes::Hit)),
                                            count};
    return make_launch(program, {(count + 191) / 192}, {192}, arguments);
  }
};

/// A picture of 512 x 512 points that leave the loop after up to 256 iterations.
struct Julia {
  kernel::Program program = kernel::load_program(tree / "platforms/kernels/julia.ptx", "julia");

  template <typename Machine>
  Launch launch_on(Machine& machine) const {
    constexpr std::uint32_t side = 512;
    const auto picture = machine.memory().allocate("iterations", side * side * sizeof(std::uint32_t));
    const std::array<Argument, 6> arguments{-0.8F, 0.156F, side, side, std::uint32_t{256}, picture};
    return make_launch(program, {side / 16, side / 16}, {16, 16}, arguments);
  }
};

/// Camera rays through a kd-tree, the picture of the micro-kernels paper.
struct KdTreePicture {
  scenes::KdTree kd_tree;
  std::vector<scenes::Ray> rays;

  KdTreePicture() {
    const auto scene = scenes::load_scene("conference_large");
    kd_tree = scenes::build_kd_tree(scene.mesh);
    scenes::PathTracerOptions options;
    options.bounces = 1;
    options.samples_per_pixel = 1;
    options.width = options.height = 256;
    rays = scenes::trace_paths(scene.mesh, options).extension[0].rays;
  }
};

/// Traces with the kernel with loops, or with one whose threads create others and which has its stacks in memory.
struct KdTreeTracer {
  const KdTreePicture& picture;
  bool creates_threads;
  kernel::Program program;

  KdTreeTracer(const KdTreePicture& of, const std::string& kernel, bool microkernels)
      : picture(of),
        creates_threads(microkernels),
        program(kernel::load_program(tree / "platforms/kernels" / (kernel + ".ptx"), kernel,
                                     extensions_of(built_in_schemes()))) {}

  template <typename Machine>
  Launch launch_on(Machine& machine) const {
    auto& memory = machine.memory();
    const auto& [kd_tree, rays] = picture;
    const auto count = static_cast<unsigned>(rays.size());
    std::vector<Argument> arguments{
        memory.upload("nodes", std::span<const scenes::KdNode>(kd_tree.nodes)),
        memory.upload("leaf triangles", std::span<const int>(kd_tree.leaf_triangles)),
        memory.upload("triangles", std::span<const scenes::WoopTriangle>(kd_tree.triangles)),
        memory.upload("rays", std::span<const scenes::Ray>(rays)),
        memory.allocate("hits", count * sizeof(scenes::Hit)),
        count};
    const auto& [low, high] = kd_tree.bounds;
    arguments.insert(arguments.end(), {low.x, low.y, low.z, high.x, high.y, high.z});
    constexpr std::uint64_t stack_bytes = 48 * 8;  // as in platforms/kernels/kernels.h
    if (creates_threads) arguments.emplace_back(memory.allocate("stacks", count * stack_bytes));
    return make_launch(program, {(count + 63) / 64}, {64}, arguments);
  }
};

/// `sms`: 0 for the number and the cycles in the file.
template <typename Work>
void timed(benchmark::State& state, const Work& workload, const char* file, std::uint64_t sms,
           const Recording& recording) {
  ExperimentParameters parameters;
  configuration::load(with_kinds(experiment_block), &parameters, tree / "yaml" / file);
  if (sms != 0) parameters.gpu.sms = sms;
  std::uint64_t instructions = 0;
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    const SimulationContext context;
    Gpu gpu("gpu", parameters.gpu);
    if (sms == 0) gpu.stop_after(parameters.stop_after);
    const Launch launch = workload.launch_on(gpu);
    state.ResumeTiming();
    run_recorded(gpu, launch, {}, recording);
    state.PauseTiming();
    const auto active = gpu.totals().of<WarpSchedulerStatistics>().active_lanes;
    instructions += std::accumulate(active.begin(), active.end(), std::uint64_t{0});
    state.ResumeTiming();
  }
  state.counters["rate"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

/// Every 257th block of a megakernel, from the first progress report after cycle 0 to the last one.
void megakernel(benchmark::State& state, const char* scheme) {
  using Clock = std::chrono::steady_clock;
  ExperimentParameters parameters;
  configuration::load(with_kinds(experiment_block), &parameters, tree / "yaml/experiments/si/forest_mixed.yaml");
  parameters.gpu.sm.scheme.front() = scheme;
  parameters.workload.sample_blocks = 257;
  std::uint64_t instructions = 0;
  for (auto iteration : state) {
    (void)iteration;
    std::optional<Clock::time_point> begun;
    Clock::time_point last;
    const auto note = [&](const RunProgress& progress) {
      last = Clock::now();
      if (!begun && progress.cycles != 0) begun = last;
      return true;
    };
    const auto result = run_ray_tracing(parameters, {.keep_running = note});
    state.SetIterationTime(std::chrono::duration<double>(last - *begun).count());
    for (const Stage& stage : result.stages) {
      const auto active = stage.cost.counters->of<WarpSchedulerStatistics>().active_lanes;
      instructions += std::accumulate(active.begin(), active.end(), std::uint64_t{0});
    }
  }
  // A rate over manual time, which Counter::kIsRate uses.
  state.counters["rate"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

/// Node records that a stream processor processes per second of host time, on one core.
template <typename Work>
void streams(benchmark::State& state, const Work& workload) {
  ExperimentParameters parameters;
  configuration::load(with_kinds(experiment_block), &parameters, tree / "yaml/platforms/stream_processor.yaml");
  std::uint64_t records = 0;
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    const SimulationContext context;
    StreamMachine machine(parameters.machines.of<StreamProcessorParameters>());
    const Launch launch = workload.launch_on(machine);
    state.ResumeTiming();
    machine.run(launch);
    records += machine.totals().of<StreamProcessorStatistics>().records;
  }
  state.counters["rate"] = benchmark::Counter(static_cast<double>(records), benchmark::Counter::kIsRate);
}

void functional(benchmark::State& state, const Workload& workload) {
  FunctionalMachine machine;
  const Launch launch = workload.launch_on(machine);
  for (auto iteration : state) {
    (void)iteration;
    machine.run(launch);
  }
  const std::uint64_t instructions = machine.instructions().warp_instructions;
  state.counters["rate"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  // `manual`: the function reports its own time. One iteration: equal work in each run that is compared.
  const auto add = [](const char* name, auto function, bool manual = false) {
    auto* const one = benchmark::RegisterBenchmark(name, function);
    one->Unit(benchmark::kSecond)->Iterations(1)->Repetitions(5)->ReportAggregatesOnly();
    manual ? one->UseManualTime() : one->UseRealTime();
  };
  // Made when a benchmark first needs them: scenes take longer than a single benchmark.
  const auto workload = []() -> const reconverge::Workload& {
    static const reconverge::Workload made;
    return made;
  };
  const auto julia = []() -> const reconverge::Julia& {
    static const reconverge::Julia made;
    return made;
  };
  const auto picture = []() -> const reconverge::KdTreePicture& {
    static const reconverge::KdTreePicture made;
    return made;
  };
  const auto by_loops = [&picture]() -> const reconverge::KdTreeTracer& {
    static const reconverge::KdTreeTracer made(picture(), "trace_kd_tree", false);
    return made;
  };
  const auto by_microkernels = [&picture]() -> const reconverge::KdTreeTracer& {
    static const reconverge::KdTreeTracer made(picture(), "trace_kd_tree_microkernels", true);
    return made;
  };
  const auto add_timed = [&](const char* name, const auto& work, const char* file, std::uint64_t sms,
                             const reconverge::Recording& recording = {}) {
    add(name, [=, &work](benchmark::State& state) { reconverge::timed(state, work(), file, sms, recording); });
  };
  add_timed("timed.gtx780.1sm", workload, "platforms/gtx780.yaml", 1);
  add_timed("timed.gtx780.1sm.profile", workload, "platforms/gtx780.yaml", 1, {true, 0});
  add_timed("timed.gtx780.1sm.interval", workload, "platforms/gtx780.yaml", 1, {false, 1000});
  add_timed("timed.gtx780.15sm", workload, "platforms/gtx780.yaml", 15);
  add_timed("timed.fx5800.1sm", workload, "platforms/fx5800.yaml", 1);
  add_timed("timed.turing.1sm", workload, "platforms/turing.yaml", 1);
  add_timed("timed.julia.1sm", julia, "platforms/gtx780.yaml", 1);
  add_timed("timed.dmk_stack", by_loops, "experiments/simulated_dmk.yaml", 0);
  add_timed("timed.dmk", by_microkernels, "experiments/dmk_microkernels.yaml", 0);
  add(
      "timed.si_barriers", [](auto& state) { reconverge::megakernel(state, "convergence_barrier"); }, true);
  add(
      "timed.si", [](auto& state) { reconverge::megakernel(state, "subwarp_interleaving"); }, true);
  add("timed.stream", [&](benchmark::State& state) { reconverge::streams(state, julia()); });
  add("timed.stream_kd_tree", [&](benchmark::State& state) { reconverge::streams(state, by_loops()); });
  add("functional", [&](benchmark::State& state) { reconverge::functional(state, workload()); });
  const auto unit = [](const auto& run) -> std::string {
    return run.run_name.function_name.starts_with("timed.stream") ? "records/s" : "warp instructions/s";
  };
  reconverge::LineReporter reporter(unit, [](const auto& run) { return run.counters.at("rate").value; });
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
