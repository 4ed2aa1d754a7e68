// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/ray_tracing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "models/core/error.hpp"
#include "platforms/experiment/expected_work.hpp"
#include "platforms/experiment/judged_hits.hpp"
#include "platforms/experiment/megakernel.hpp"
#include "platforms/experiment/ray_sample.hpp"
#include "platforms/experiment/workload_inputs.hpp"
#include "platforms/launch/kernel_transform.hpp"
#include "platforms/launch/launch_sequence.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/light/path_tracer.hpp"

namespace reconverge {

namespace {

using scenes::Hit;
using scenes::RayStream;

/// The kernel that traces, and its requirements besides the arguments that describe the work.
struct Tracer {
  kernel::Program program;
  bool takes_rays = false;                        ///< persistent threads
  bool creates_threads = false;                   ///< in which rays continue
  std::uint64_t place_stack_bytes = 0;            ///< of each place, if rays move from thread to thread
  std::uint64_t stack_bytes = 0;                  ///< of each ray, if its threads create others
  std::optional<launch::TransformedKernel> made;  ///< runs instead of the program

  const kernel::Program& runs() const { return made ? made->program : program; }
  std::vector<std::uint64_t> state_bytes() const {
    return made ? std::vector{made->state_bytes} : std::vector<std::uint64_t>();
  }
};

/// The host's inputs, prepared before the platform is built.
struct Inputs {
  Tracer trace;
  kernel::Program shade_hits;
  kernel::Program shade_shadow;
  kernel::Program resolve;
  scenes::LoadedScene scene;
  Acceleration acceleration;
  scenes::RayStreams streams;
};

Tracer load_trace(const ExperimentParameters& parameters, SchemeList schemes) {
  const WorkloadParameters& workload = parameters.workload;
  Tracer trace;
  trace.program = load_workload_kernel("workload.trace_program", workload.trace_program, "workload.trace_kernel",
                                       workload.trace_kernel, schemes);
  check_trace_kernel(workload.structure, trace.program);
  trace.takes_rays = takes_rays_itself(workload.structure, trace.program);
  trace.place_stack_bytes = stack_bytes_of_place(workload.structure, trace.program);
  trace.stack_bytes = stack_bytes_of_ray(workload.structure, trace.program);
  if (launch::transforms(parameters.transform))
    trace.made = launch::transformed(trace.program, parameters.transform, microkernels_name, schemes);
  trace.creates_threads = creates_threads(trace.runs());
  return trace;
}

Inputs prepare(const ExperimentParameters& parameters, Kinds kinds) {
  const WorkloadParameters& workload = parameters.workload;
  const auto shading = [&](const std::string& entry) {
    return load_workload_kernel("workload.shade_program", workload.shade_program, "workload.shade_program", entry,
                                kinds.schemes);
  };
  // Programs first: refusing them is cheap.
  Tracer trace = load_trace(parameters, kinds.schemes);
  kernel::Program shade_hits = shading("shade_hits");
  kernel::Program shade_shadow = shading("shade_shadow");
  kernel::Program resolve = shading("resolve_picture");
  scenes::LoadedScene scene = load_workload_scene(workload);
  scenes::PathTracerOptions options;
  options.width = static_cast<std::uint32_t>(workload.width);
  options.height = static_cast<std::uint32_t>(workload.height);
  options.samples_per_pixel = static_cast<std::uint32_t>(workload.samples);
  options.bounces = static_cast<std::uint32_t>(workload.bounces);
  options.seed = static_cast<std::uint32_t>(workload.seed);
  options.max_rays = workload.max_rays;
  options.occlusion_rays = static_cast<std::uint32_t>(workload.occlusion_rays);
  options.occlusion_distance = static_cast<float>(workload.occlusion_distance);
  Acceleration acceleration(workload, scene.mesh);
  check_workload_memory(size_of(workload, scene.mesh, acceleration.facts()), scene.mesh, options, parameters, kinds);
  scenes::RayStreams streams = scenes::trace_paths(scene.mesh, options);
  return {std::move(trace), std::move(shade_hits),   std::move(shade_shadow), std::move(resolve),
          std::move(scene), std::move(acceleration), std::move(streams)};
}

WorkloadFacts facts_of(const WorkloadParameters& workload, const Inputs& inputs) {
  WorkloadFacts facts;
  facts.scene = inputs.scene.mesh.name;
  facts.triangles = inputs.scene.mesh.triangle_count();
  facts.structure = inputs.acceleration.facts();
  facts.repaired_triangles = inputs.scene.repairs.dropped();
  for (const auto* kind : {&inputs.streams.extension, &inputs.streams.shadow}) {
    for (const RayStream& stream : *kind) facts.rays += stream.rays.size();
  }
  facts.size = size_of(workload, inputs.scene.mesh, facts.structure);
  facts.size.rays = facts.rays;
  return facts;
}

/// Precedes the stacks of a BVH's places, as in platforms/kernels/kernels.h: no stack begins at word 0.
constexpr std::uint64_t spare_stack_bytes = warp_size * sizeof(std::uint32_t);

/// Maximum number of places for rays in all SMs: places of warps, and places that schemes add.
std::uint64_t places_of(const GpuParameters& gpu, SchemeList schemes) {
  std::uint64_t places = gpu.sm.warp_slots * warp_size;
  for (const SchemeKind* kind : schemes_of(gpu.sm, schemes)) {
    if (kind->places_beyond_warps != nullptr) places += kind->places_beyond_warps(gpu.sm);
  }
  return gpu.sms * places;
}

/// The workload on the device: buffers that all stages share, and the launches.
class TracedWorkload {
 public:
  TracedWorkload(const ExperimentParameters& parameters, const Inputs& inputs, const RunControl& control)
      : workload_(parameters.workload),
        inputs_(inputs),
        control_(control),
        gpu_(launch::fitted_gpu(parameters, inputs.trace.state_bytes(), control.kinds)),
        stop_after_(parameters.stop_after),
        sampling_(parameters.sample),
        places_(places_of(gpu_, control.kinds.schemes)),
        kind_(machine_of(parameters, control.kinds)),
        session_(kind_, {gpu_, parameters}, control.kinds.schemes),
        oracle_(inputs.scene.mesh) {
    check_stop();
    result_.facts = facts_of(workload_, inputs);
    result_.width = inputs.streams.width;
    result_.height = inputs.streams.height;
    if (inputs.trace.made) result_.microkernels = inputs.trace.made->text;
    session_.record(recording_of(parameters));
    if (sampling_.every > 1) session_.sample(sampling_);
    upload();
    expect_work({gpu_, parameters});
    launches_.emplace(session_, control_);
  }

  RayTracingResult run() {
    for (std::size_t bounce = 0; bounce < inputs_.streams.bounces(); ++bounce) {
      if (!trace_and_shade(fmt::format("bounce {}", bounce + 1), inputs_.streams.extension[bounce], false))
        return finish();
      if (!trace_and_shade(fmt::format("bounce {} shadow", bounce + 1), inputs_.streams.shadow[bounce], true))
        return finish();
    }
    const auto pixels = inputs_.streams.pixels();
    const auto scale = static_cast<float>(workload_.exposure);
    const std::array<Argument, 4> arguments{picture_, rgba_, scale, pixels};
    if (!launch("resolve", inputs_.resolve, pixels, 0, arguments)) return finish();
    result_.completed = true;
    const auto rgba = session_.memory().view_as<std::uint32_t>(rgba_);
    result_.rgba.assign(rgba.begin(), rgba.end());
    result_.picture_error = picture_error();
    return finish();
  }

 private:
  /// For the remaining time, which only long runs show.
  void expect_work(const Platform& platform) {
    constexpr std::uint64_t few_rays = 20'000;
    if (result_.facts.rays < few_rays) return;
    const SchemeKind& paths = *schemes_of(gpu_.sm, control_.kinds.schemes).front();
    ExpectedWork work(
        inputs_.acceleration,
        {inputs_.trace.runs(), inputs_.trace.takes_rays, paths.traits.lanes_alone,
         static_cast<std::uint32_t>(workload_.block_threads), inputs_.trace.creates_threads ? places_ : 0},
        platform);
    for (std::size_t bounce = 0; bounce < inputs_.streams.bounces(); ++bounce) {
      for (const bool shadow : {false, true}) {
        const auto& rays = (shadow ? inputs_.streams.shadow : inputs_.streams.extension)[bounce].rays;
        if (rays.empty()) continue;
        StreamWork expected = work.of(rays, shadow);
        if (expected.all == 0) return work_.clear();
        expected.all *= traced_share(rays.size());
        // Machines without SMs execute different instructions, or count them only at the end of a launch.
        expected.thread_instructions *= kind_.traits.sms ? traced_share(rays.size()) : 0;
        work_.push_back(std::move(expected));
        work_.push_back({ExpectedWork::of_shaded_pixel * inputs_.streams.pixels(), {}});
      }
    }
    work_.push_back({ExpectedWork::of_shaded_pixel * inputs_.streams.pixels(), {}});
  }

  /// Of the expected work. `rays`: share of the current launch's rays. `executed`: its instructions so far.
  std::optional<double> share_of_work(double rays, const InstructionCounts& executed) const {
    if (work_.empty()) return std::nullopt;
    const auto current = work_.begin() + static_cast<std::ptrdiff_t>(result_.stages.size());
    const auto sum_until = [&](auto end) {
      return std::accumulate(work_.begin(), end, 0.0,
                             [](double sum, const StreamWork& work) { return sum + work.all; });
    };
    return (sum_until(current) + current->share(rays, executed) * current->all) / sum_until(work_.end());
  }

  void upload() {
    auto& memory = session_.memory();
    const auto& mesh = inputs_.scene.mesh;
    structure_ = inputs_.acceleration.upload(memory);
    material_of_triangle_ =
        memory.upload("material of triangle", std::span<const std::uint32_t>(mesh.material_of_triangle));
    materials_ = memory.upload("materials", std::span<const scenes::Material>(mesh.materials));
    picture_ = memory.allocate("picture", std::uint64_t{inputs_.streams.pixels()} * 16);
    rgba_ = memory.allocate("display picture", std::uint64_t{inputs_.streams.pixels()} * 4);
    const Tracer& trace = inputs_.trace;
    if (trace.stack_bytes != 0) ray_stacks_ = memory.allocate("stacks", most_rays() * trace.stack_bytes);
    if (trace.made && trace.made->array_bytes != 0) {
      const std::uint64_t block = workload_.block_threads;
      const std::uint64_t threads = (most_rays() + block - 1) / block * block;
      local_arrays_ = memory.allocate("local arrays", threads * trace.made->array_bytes);
    }
  }

  void check_stop() const {
    if (stop_after_ == 0) return;
    if (!kind_.traits.sms) {
      throw ParameterError("stop_after", fmt::format("the machine is {}", kind_.name),
                           "leave it out, or set machine to timed");
    }
    if (!inputs_.trace.takes_rays) return;
    throw ParameterError("stop_after",
                         fmt::format("threads of '{}' trace many rays each, and rays that are done are known by the "
                                     "threads that have ended",
                                     inputs_.trace.runs().name),
                         "leave it out");
  }

  std::uint64_t most_rays() const {
    std::uint64_t most = 0;
    for (const auto* kind : {&inputs_.streams.extension, &inputs_.streams.shadow}) {
      for (const RayStream& stream : *kind) most = std::max<std::uint64_t>(most, stream.rays.size());
    }
    return most;
  }

  bool trace_and_shade(const std::string& name, const RayStream& stream, bool shadow) {
    auto& memory = session_.memory();
    const auto count = static_cast<std::uint32_t>(stream.rays.size());
    if (count == 0) {
      note_hits({}, shadow);
      return true;
    }
    const std::optional<RaySample> sample = sample_of(stream);
    const std::span<const scenes::Ray> traced = sample ? sample->rays() : stream.rays;
    const auto rays = memory.upload(name + " rays", traced);
    auto hits = memory.allocate(name + " hits", traced.size() * sizeof(Hit));
    const auto traced_count = static_cast<std::uint32_t>(traced.size());
    if (!trace_rays(name, {rays, hits, traced_count}, traced_count, count)) return false;
    const auto found = memory.view_as<Hit>(hits);
    if (!judge(traced, found, shadow)) return false;
    if (sample) {
      const std::vector<Hit> all = sample->completed(found, oracle_, shadow);
      hits = memory.upload(name + " all hits", std::span<const Hit>(all));
    }
    note_hits(memory.view_as<Hit>(hits), shadow);
    const auto samples = memory.upload(name + " samples", std::span<const scenes::PathSample>(stream.samples));
    const auto first = memory.upload(name + " pixel ranges", std::span<const std::uint32_t>(stream.pixel_first));
    const auto pixels = inputs_.streams.pixels();
    if (shadow) {
      const std::array<Argument, 5> shade{first, samples, hits, picture_, pixels};
      return launch("shade " + name, inputs_.shade_shadow, pixels, 0, shade);
    }
    const float sky = 0.0F;  // the path tracer's scenes are lit by emitters only
    const std::array<Argument, 10> shade{first, samples,  hits,  material_of_triangle_, materials_, sky, sky,
                                         sky,   picture_, pixels};
    return launch("shade " + name, inputs_.shade_hits, pixels, 0, shade);
  }

  BlockSelection selection() const {
    const std::uint64_t block = workload_.block_threads;
    return sampling::selection_of(sampling_, (places_ + block - 1) / block);
  }

  /// The share of a stream's rays that are traced on the machine.
  double traced_share(std::uint64_t rays) {
    const std::uint64_t block = workload_.block_threads;
    if (rays == 0) return 0;
    const std::uint64_t traced = selection().count((rays + block - 1) / block) * block;
    return sampling_.every <= 1 || !work_of(rays, traced).is_large_enough() ? 1 : real(traced) / real(rays);
  }

  /// The rays that are traced on the machine; nothing: all.
  std::optional<RaySample> sample_of(const RayStream& stream) {
    too_small_.clear();
    if (sampling_.every <= 1) return std::nullopt;
    RaySample sample(stream.rays, selection(), workload_.block_threads);
    const sampling::Work work = work_of(stream.rays.size(), sample.rays().size());
    if (work.is_large_enough()) return sample;
    too_small_ = work.too_small();
    return std::nullopt;
  }

  sampling::Work work_of(std::uint64_t rays, std::uint64_t traced) {
    const auto begun = [this](const Statistics& so_far) -> std::uint64_t {
      if (inputs_.trace.takes_rays) return session_.memory().view_as<std::uint32_t>(rays_taken_)[0];
      return so_far.of<GpuStatistics>().blocks_launched * workload_.block_threads;
    };
    return {"rays", rays, traced, places_, begun};
  }

  /// `what`: the arguments for rays, hits and the number of rays. `rays`: number of rays that the stage represents.
  bool trace_rays(const std::string& name, std::initializer_list<Argument> what, std::uint32_t traced,
                  std::uint64_t rays) {
    auto& memory = session_.memory();
    std::vector<Argument> trace = structure_.arrays;
    trace.insert(trace.end(), what);
    trace.insert(trace.end(), structure_.values.begin(), structure_.values.end());
    if (inputs_.trace.takes_rays) {
      rays_taken_ = memory.allocate(name + " rays taken", 2 * sizeof(std::uint32_t));
      trace.emplace_back(rays_taken_);
    }
    if (inputs_.trace.place_stack_bytes != 0) {
      const std::uint64_t bytes = places_ * inputs_.trace.place_stack_bytes;
      const DeviceAddress stacks = memory.allocate(name + " stacks", bytes + spare_stack_bytes);
      const bool spare = workload_.structure != WorkloadStructure::kd_tree;
      place_stacks_ = {stacks + (spare ? spare_stack_bytes : 0), bytes, inputs_.trace.place_stack_bytes};
      trace.emplace_back(stacks);
    }
    if (ray_stacks_) trace.emplace_back(*ray_stacks_);
    if (local_arrays_) trace.emplace_back(*local_arrays_);
    return launch(name, inputs_.trace.runs(), traced, rays, trace);
  }

  /// False if it was interrupted: the stage then counts as incomplete.
  bool judge(std::span<const scenes::Ray> rays, std::span<const Hit> found, bool shadow) {
    Stage& stage = result_.stages.back();
    RunProgress progress{stage.name, rays_done_, result_.facts.rays, launches_->cycles()};
    progress.share = share_of_work(0, {});
    auto hits =
        judged_hits({inputs_.scene.mesh, oracle_}, rays, found, shadow, [&] { return control_.goes_on(progress); });
    stage.cost.completed = hits.has_value();
    if (hits) stage.hits = std::move(*hits);
    if (!stage.cost.completed) stage.rays_done = 0;
    return stage.cost.completed;
  }

  bool launch(std::string name, const kernel::Program& program, std::uint32_t threads, std::uint64_t rays,
              std::span<const Argument> arguments) {
    const auto block = static_cast<std::uint32_t>(workload_.block_threads);
    Launch what = make_launch(program, {(threads + block - 1) / block}, {block}, arguments);
    const bool stays = rays != 0 && inputs_.trace.takes_rays;
    if (stays) what.ray_stacks = place_stacks_;
    // Persistent threads fill the machine once. With fewer rays, or if no block fits, the grid is that of other
    // kernels.
    if (stays && session_.device().blocks_at_once(what) != 0) {
      what.grid.x =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(what.grid.x, session_.device().blocks_at_once(what)));
    }
    const std::uint64_t grid_threads = what.grid.x * std::uint64_t{block};
    const bool creates = rays != 0 && inputs_.trace.creates_threads;
    Stage stage{std::move(name), program.name, rays};
    what.print = control_.print_of(stage.name);
    const InstructionCounts before = session_.device().instructions();
    const auto progress = [&](const LaunchProgress& so_far) {
      const std::uint64_t ended = so_far.blocks_ended * block;
      const std::uint64_t begun = stays ? session_.memory().view_as<std::uint32_t>(rays_taken_)[0] : ended;
      const std::uint64_t traced = std::min<std::uint64_t>(threads, begun);
      RunProgress all{stage.name, rays_done_ + traced * rays / threads, result_.facts.rays};
      // Half of the work of a ray in flight is still to do.
      const std::uint64_t running = std::max(grid_threads, ended) - ended;
      const std::uint64_t in_flight = stays ? running : creates ? places_ : 0;
      all.share = share_of_work((real(traced) - real(std::min(traced, in_flight)) / 2) / threads,
                                session_.device().instructions().since(before));
      return all;
    };
    std::optional<launch::LaunchResult> cost = rays > threads
                                                   ? launches_->run_part(what, progress, work_of(rays, threads))
                                                   : launches_->run(what, progress, rays != 0 ? stop_after_ : 0);
    if (!cost) return false;
    stage.cost = std::move(*cost);
    if (rays != 0 && !stage.cost.in_full.empty()) stage.cost.in_full = too_small_;
    if (stage.cost.completed) {
      stage.rays_done = rays;
    } else if (launches_->cut()) {
      // The last block may have threads without a ray.
      stage.rays_done = std::min(rays, session_.device().threads_done());
      result_.cut = true;
    }
    rays_done_ += stage.rays_done;
    result_.stages.push_back(std::move(stage));
    // An interrupt in the last cycle comes too late for this launch, but no launch follows.
    return result_.stages.back().cost.completed && !launches_->stopped();
  }

  void note_hits(std::span<const Hit> found, bool shadow) {
    if (shadow) {
      auto& blocked = blocked_.emplace_back();
      for (const Hit& hit : found) blocked.push_back(hit.triangle >= 0 ? 1 : 0);
    } else {
      auto& triangles = hit_triangle_.emplace_back();
      for (const Hit& hit : found) triangles.push_back(hit.triangle);
    }
  }

  /// Compared with the same sum on the host, from the machine's hits: any difference is an error of shading.
  double picture_error() {
    const auto device = session_.memory().view_as<float>(picture_);
    const std::vector<float> host = scenes::sum_picture(inputs_.streams, inputs_.scene.mesh, hit_triangle_, blocked_);
    double largest = 0;
    for (std::size_t pixel = 0; pixel < inputs_.streams.pixels(); ++pixel) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const double difference =
            std::abs(static_cast<double>(device[4 * pixel + channel]) - host[3 * pixel + channel]);
        // A NaN on either side must not count as a small difference.
        largest = difference <= largest ? largest : difference;
      }
    }
    return largest;
  }

  RayTracingResult finish() { return std::move(result_); }

  const WorkloadParameters& workload_;
  const Inputs& inputs_;
  const RunControl& control_;
  GpuParameters gpu_;  // with states for the micro-kernels that were made
  Cycle stop_after_;
  SamplingParameters sampling_;
  std::string too_small_;  // the sample of the stream that is traced
  std::uint64_t places_;
  const MachineKind& kind_;
  launch::Session session_;
  std::optional<launch::LaunchSequence> launches_;  ///< begins once the shared buffers exist
  scenes::EmbreeScene oracle_;
  Acceleration::OnDevice structure_;
  DeviceAddress material_of_triangle_ = 0;
  DeviceAddress materials_ = 0;
  DeviceAddress picture_ = 0;
  DeviceAddress rgba_ = 0;
  RayStacks place_stacks_;                      // of the stream that is traced
  std::optional<DeviceAddress> ray_stacks_;     // of one stream at a time, if threads create others
  std::optional<DeviceAddress> local_arrays_;   // of one stream at a time, if threads were transformed to create others
  DeviceAddress rays_taken_ = 0;                // by persistent threads, from the current stream
  std::vector<std::vector<int>> hit_triangle_;  // by bounce and ray, as found by the machine
  std::vector<std::vector<std::uint8_t>> blocked_;
  std::uint64_t rays_done_ = 0;
  std::vector<StreamWork> work_;  // expected, by launch; empty: unknown
  RayTracingResult result_;
};

}  // namespace

std::vector<std::string> program_warnings(const ExperimentParameters& parameters, SchemeList schemes) {
  if (parameters.workload.form == WorkloadForm::megakernel) return check_megakernel(parameters, schemes);
  // The shading kernels are part of this project.
  const Tracer tracer = load_trace(parameters, schemes);
  const kernel::Program& trace = tracer.runs();
  std::vector<std::string> warnings = scheme_warnings(schemes_of(parameters.gpu.sm, schemes), trace, parameters.gpu.sm);
  for (const kernel::Warning& warning : trace.warnings) warnings.push_back(to_string(trace, warning));
  return warnings;
}

RayTracingResult run_ray_tracing(const ExperimentParameters& parameters, const RunControl& control) {
  if (parameters.workload.form == WorkloadForm::megakernel) return run_megakernel(parameters, control);
  const Inputs inputs = prepare(parameters, control.kinds);
  TracedWorkload workload(parameters, inputs, control);
  return workload.run();
}

}  // namespace reconverge
