// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/workload_memory.hpp"

#include <algorithm>

#include "platforms/launch/plan_memory.hpp"

namespace reconverge {

namespace {

// Bytes, measured on runs of the shipped scenes; each part is allocated when the run's memory use peaks.
constexpr std::uint64_t of_vertex = 32;
constexpr std::uint64_t of_triangle = 230;         // mesh, Embree's tree for the oracle, and memory for building
constexpr std::uint64_t of_traced_triangle = 160;  // with its vertices, if only rays are recorded
constexpr std::uint64_t of_ray_on_host = 130;
constexpr std::uint64_t of_ray_on_device = 64;  // ray, hit, sample
constexpr std::uint64_t of_pixel = 64;
constexpr std::uint64_t of_pixel_and_stream = 8;  // index of its first ray, on host and device

constexpr std::uint64_t bytes_of_pictures = 16 * 4;  // of a texel, in all of a megakernel's

std::uint64_t rays_of(const scenes::RayStreams& streams) {
  std::uint64_t rays = 0;
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const scenes::RayStream& stream : *kind) rays += stream.rays.size();
  }
  return rays;
}

/// Rays for each path, measured on a few paths spread over the picture: 64 places, so that the scene is among them.
double rays_a_path(const scenes::Mesh& mesh, scenes::PathTracerOptions options) {
  constexpr std::uint64_t few = 65536;
  const std::uint64_t rays_of_camera = std::max<std::uint64_t>(1, options.occlusion_rays);
  options.max_rays = few * rays_of_camera;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  const auto paths = static_cast<double>(std::max<std::size_t>(1, streams.extension.front().rays.size()));
  return static_cast<double>(rays_of(streams)) / paths;
}

/// The number of paths that are followed, out of all.
std::uint64_t followed(std::uint64_t paths, std::uint64_t max_rays, std::uint64_t occlusion_rays) {
  return max_rays == 0 ? paths : std::min(paths, max_rays / std::max<std::uint64_t>(1, occlusion_rays));
}

std::uint64_t paths_of(const WorkloadParameters& workload) {
  const std::uint64_t pixels = workload.width * workload.height;
  if (workload.form == WorkloadForm::megakernel) return pixels / workload.sample_blocks;
  return followed(pixels * workload.samples, workload.max_rays, workload.occlusion_rays);
}

/// Checks the need for as many rays as paths can have. If that is large, follows a few paths to estimate the number of
/// rays, and refuses or reports the need for these.
template <typename Need>
void check_rays(WorkloadSize size, const scenes::Mesh& mesh, const scenes::PathTracerOptions& options,
                const std::string& hint, const Need& need_of) {
  // A bounce has at most one ray to a surface and one to a light; ambient occlusion has its configured number.
  const std::uint64_t most = options.occlusion_rays == 0 ? 2 * options.bounces : 1 + options.occlusion_rays;
  size.rays = size.paths * most;
  if (const MemoryNeed need = need_of(size); need.total() < large_need && memory_is_there(need)) return;
  size.rays = static_cast<std::uint64_t>(static_cast<double>(size.paths) * rays_a_path(mesh, options));
  const MemoryNeed need = need_of(size);
  check_memory(need, hint);
  tell_large(need);
}

}  // namespace

WorkloadSize WorkloadSize::with_picture(const WorkloadParameters& workload) const {
  WorkloadSize other = *this;
  other.pixels = workload.width * workload.height;
  other.paths = paths_of(workload);
  other.rays = paths == 0 ? 0 : other.paths * rays / paths;
  return other;
}

WorkloadSize size_of(const WorkloadParameters& workload, const scenes::Mesh& mesh, const AccelerationFacts& structure) {
  WorkloadSize size;
  size.vertices = mesh.positions.size();
  size.triangles = mesh.triangle_count();
  size.structure_bytes = structure.bytes;
  size.pixels = workload.width * workload.height;
  size.paths = paths_of(workload);
  const bool is_megakernel = workload.form == WorkloadForm::megakernel;
  size.streams = is_megakernel ? 0 : 2 * workload.bounces;
  size.textures_bytes = is_megakernel ? bytes_of_pictures * workload.texture_side * workload.texture_side : 0;
  return size;
}

MemoryNeed memory_need(const WorkloadSize& size, const ExperimentParameters& parameters, Kinds kinds) {
  MemoryNeed need;
  need.add("program", launch::program_bytes);
  need.add("platform", host_bytes(parameters, kinds));
  need.add("scene", size.vertices * of_vertex + size.triangles * of_triangle);
  need.add("structure", 2 * size.structure_bytes);
  need.add("textures", 2 * size.textures_bytes);
  need.add("rays", size.rays * (of_ray_on_host + of_ray_on_device));
  need.add("picture", size.pixels * (of_pixel + of_pixel_and_stream * size.streams));
  return need;
}

void check_workload_memory(const MemoryNeed& need) {
  check_memory(need, smaller_workload);
  tell_large(need);
}

void check_workload_memory(WorkloadSize size, const scenes::Mesh& mesh, const scenes::PathTracerOptions& options,
                           const ExperimentParameters& parameters, Kinds kinds) {
  check_rays(size, mesh, options, smaller_workload,
             [&](const WorkloadSize& each) { return memory_need(each, parameters, kinds); });
}

void check_recording_memory(const scenes::Mesh& mesh, const scenes::PathTracerOptions& options) {
  WorkloadSize size;
  size.pixels = std::uint64_t{options.width} * options.height;
  size.paths = followed(size.pixels * options.samples_per_pixel, options.max_rays, options.occlusion_rays);
  check_rays(size, mesh, options,
             "lower --width, --height, --samples or --bounces, give --max-rays, or take a scene with fewer triangles",
             [&](const WorkloadSize& each) {
               MemoryNeed need;
               need.add("program", launch::program_bytes);
               need.add("scene", mesh.triangle_count() * of_traced_triangle);
               need.add("rays", each.rays * of_ray_on_host);
               need.add("picture", each.pixels * (of_pixel + of_pixel_and_stream * options.bounces));
               return need;
             });
}

}  // namespace reconverge
