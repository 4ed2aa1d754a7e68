#include "platforms/experiment/workload_memory.hpp"

#include <algorithm>

#include "platforms/launch/plan_memory.hpp"

namespace reconverge {

namespace {

// Bytes, measured on runs of the shipped scenes; each is a part that lies in memory when the run takes most.
constexpr std::uint64_t of_vertex = 32;
constexpr std::uint64_t of_triangle = 230;  // mesh, Embree's tree for the oracle, and what building takes
constexpr std::uint64_t of_ray_on_host = 130;
constexpr std::uint64_t of_ray_on_device = 64;  // ray, hit, sample
constexpr std::uint64_t of_pixel = 64;
constexpr std::uint64_t of_pixel_and_stream = 8;  // where its rays begin, on both sides

constexpr std::uint64_t bytes_of_pictures = 16 * 4;  // of a texel, in all of a megakernel's

std::uint64_t rays_of(const scenes::RayStreams& streams) {
  std::uint64_t rays = 0;
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const scenes::RayStream& stream : *kind) rays += stream.rays.size();
  }
  return rays;
}

/// Of a few paths, spread over the picture.
double rays_a_path(const scenes::Mesh& mesh, scenes::PathTracerOptions options) {
  constexpr std::uint64_t few = 4096;
  const std::uint64_t rays_of_camera = std::max<std::uint64_t>(1, options.occlusion_rays);
  options.max_rays = few * rays_of_camera;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  const auto paths = static_cast<double>(std::max<std::size_t>(1, streams.extension.front().rays.size()));
  return static_cast<double>(rays_of(streams)) / paths;
}

/// That are followed.
std::uint64_t paths_of(const WorkloadParameters& workload) {
  const std::uint64_t pixels = workload.width * workload.height;
  if (workload.form == WorkloadForm::megakernel) return pixels / workload.sample_blocks;
  const std::uint64_t most = workload.max_rays / std::max<std::uint64_t>(1, workload.occlusion_rays);
  return workload.max_rays == 0 ? pixels * workload.samples : std::min(pixels * workload.samples, most);
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

MemoryNeed memory_need(const WorkloadSize& size, const GpuParameters& gpu) {
  MemoryNeed need;
  need.add("program", launch::program_bytes);
  need.add("platform", launch::platform_bytes(gpu));
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
                           const GpuParameters& gpu) {
  // At most one ray to a surface and one to a light a bounce; ambient occlusion has as many as it says.
  const std::uint64_t most = options.occlusion_rays == 0 ? 2 * options.bounces : 1 + options.occlusion_rays;
  size.rays = size.paths * most;
  if (const MemoryNeed need = memory_need(size, gpu); need.total() < large_need && memory_is_there(need)) return;
  size.rays = static_cast<std::uint64_t>(static_cast<double>(size.paths) * rays_a_path(mesh, options));
  check_workload_memory(memory_need(size, gpu));
}

}  // namespace reconverge
