// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/expected_work.hpp"

#include <algorithm>
#include <cmath>

#include "models/core/error.hpp"
#include "models/core/lane_mask.hpp"
#include "platforms/experiment/ray_sample.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge {

namespace {

constexpr std::size_t most_warps = 64;                // that are traced: some milliseconds
constexpr std::size_t rays_of_persistent_thread = 8;  // enough for threads to take rays at different times

constexpr int most_questions = 256;            // of a launch: some seconds
constexpr double instructions_of_step = 2.5;   // of warps, for each ray
constexpr double slots_of_single_lanes = 1.7;  // for each warp instruction, as counted on the shipped scenes

bool needs_hardware(const kernel::Program& program) {
  return std::ranges::any_of(program.instructions, [](const kernel::Instruction& instruction) {
    return instruction.extension != kernel::no_extension;
  });
}

}  // namespace

ExpectedWork::ExpectedWork(const Acceleration& acceleration, const TracedBy& kernel, const Platform& platform)
    : acceleration_(acceleration), kernel_(kernel) {
  if (needs_hardware(kernel.program)) return;
  machine_ = machine_without_time(platform, memory_);
  structure_ = acceleration.upload(memory_);
}

double StreamWork::share(double rays) const {
  const auto parts = static_cast<double>(until.size());
  const auto part = static_cast<std::size_t>(std::max(rays, 0.0) * parts);
  if (until.empty()) return rays;
  if (part >= until.size()) return 1;
  const double before = part == 0 ? 0 : until[part - 1];
  return before + (until[part] - before) * (rays * parts - static_cast<double>(part));
}

double StreamWork::share(double rays, const InstructionCounts& executed) const {
  if (thread_instructions == 0) return share(rays);
  const double done = static_cast<double>(executed.warp_instructions) / slots;
  const double left = all * std::max(1 - static_cast<double>(executed.thread_instructions) / thread_instructions, 0.0);
  return left == 0 ? 1 : done / (done + left);
}

StreamWork ExpectedWork::of(std::span<const scenes::Ray> stream, bool shadow) {
  if (stream.empty()) return {};
  const std::uint64_t warps = (stream.size() + warp_size - 1) / warp_size;
  const RaySample sample(stream, {std::max<std::uint64_t>(warps / most_warps, 1), 1}, warp_size);
  const std::span<const scenes::Ray> rays = sample.rays();
  const double samples = static_cast<double>(stream.size()) / static_cast<double>(rays.size());
  StreamWork work = traced_on_host(rays, shadow);
  if (machine_) {
    const InstructionCounts counts = executed(rays);
    work.all = static_cast<double>(counts.warp_instructions);
    work.thread_instructions = static_cast<double>(counts.thread_instructions) * samples;
    if (kernel_.lanes_alone) work.slots = slots_of_single_lanes;
  }
  // A partial warp has at least one thread.
  const double places_of_ray = static_cast<double>(kernel_.places) / static_cast<double>(stream.size());
  work.all *= samples * std::clamp<double>(places_of_ray, 1, warp_size);
  return work;
}

InstructionCounts ExpectedWork::executed(std::span<const scenes::Ray> rays) {
  const auto count = static_cast<std::uint32_t>(rays.size());
  std::vector<Argument> arguments = structure_.arrays;
  arguments.insert(arguments.end(),
                   {memory_.upload("rays", rays), memory_.allocate("hits", count * sizeof(scenes::Hit)), count});
  arguments.insert(arguments.end(), structure_.values.begin(), structure_.values.end());
  if (kernel_.takes_rays) arguments.emplace_back(memory_.allocate("rays taken", 2 * sizeof(std::uint32_t)));
  const std::uint32_t rays_of_block = kernel_.block * (kernel_.takes_rays ? rays_of_persistent_thread : 1);
  const Launch launch =
      make_launch(kernel_.program, {(count + rays_of_block - 1) / rays_of_block}, {kernel_.block}, arguments);
  const InstructionCounts before = machine_->instructions();
  // A kernel may wait for progress that only its scheme gives, or never end: then nothing is expected.
  int questions = 0;
  try {
    if (!machine_->run(launch, [&](const LaunchProgress&) { return ++questions < most_questions; })) return {};
  } catch (const ExecutionError&) {
    return {};
  }
  return machine_->instructions().since(before);
}

StreamWork ExpectedWork::traced_on_host(std::span<const scenes::Ray> rays, bool shadow) const {
  StreamWork work;
  double slowest_sum = 0;
  double sum = 0;
  for (std::size_t first = 0; first < rays.size(); first += warp_size) {
    double slowest = 0;
    for (const scenes::Ray& ray : rays.subspan(first, std::min<std::size_t>(warp_size, rays.size() - first))) {
      const scenes::TraceWork traced = acceleration_.work_of(ray, shadow);
      const auto steps = static_cast<double>(1 + traced.nodes + traced.triangles);
      slowest = std::max(slowest, steps);
      sum += steps;
    }
    slowest_sum += slowest * warp_size;
    work.until.push_back(std::sqrt(slowest_sum * sum));
  }
  const double steps = work.until.back();
  for (double& part : work.until) part /= steps;
  work.all = instructions_of_step * steps;
  return work;
}

}  // namespace reconverge
