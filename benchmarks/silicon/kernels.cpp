// SPDX-License-Identifier: Apache-2.0
// The tree's divergent kernels at several sizes, timed as a whole.

#include "benchmarks/silicon/kernels.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "platforms/kernels/traversals.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"

namespace reconverge::silicon {

namespace {

using device::BufferAddress;
using device::Job;

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Job job_of(const std::string& file, const std::string& entry, Dim3 grid, Dim3 block) {
  std::ifstream stream(fmt::format("{}/platforms/kernels/{}.ptx", RECONVERGE_SOURCE_DIR, file));
  Job job;
  job.ptx.assign(std::istreambuf_iterator<char>(stream), {});
  job.name = job.entry = entry;
  job.grid = grid;
  job.block = block;
  return job;
}

Job julia(std::uint32_t side) {
  Job job = job_of("julia", "julia", {side / 16, side / 16}, {16, 16});
  job.buffers = {std::vector<std::byte>(std::size_t{4} * side * side)};
  job.arguments = {Argument(-0.8F), Argument(0.156F), Argument(side), Argument(side), Argument(std::uint32_t{256}),
                   BufferAddress{0}};
  return job;
}

Job collatz(std::uint32_t count) {
  Job job = job_of("collatz", "collatz", {count / 256}, {256});
  std::vector<std::uint32_t> starts(count);
  for (std::uint32_t i = 0; i < count; ++i) starts[i] = i * 2654435761U >> 12U;
  job.buffers = {bytes_of(starts), std::vector<std::byte>(std::size_t{4} * count)};
  job.arguments = {BufferAddress{0}, BufferAddress{1}, Argument(count)};
  return job;
}

Job ways(std::uint32_t count, std::uint32_t ways) {
  Job job = job_of("divergent_switch", "divergent_switch", {count / 256}, {256});
  std::vector<std::uint32_t> way(count);
  for (std::uint32_t i = 0; i < count; ++i) way[i] = i;
  job.buffers = {bytes_of(way), std::vector<std::byte>(std::size_t{4} * count)};
  job.arguments = {BufferAddress{0}, Argument(ways), Argument(std::uint32_t{256}), BufferAddress{1}, Argument(count)};
  return job;
}

/// A scene with the rays of each bounce.
struct Frame {
  scenes::Bvh bvh;
  scenes::RayStreams streams;

  Frame(const std::string& scene, unsigned rays) {
    const auto loaded = scenes::load_scene(scene);
    bvh = scenes::build_bvh(loaded.mesh);
    scenes::PathTracerOptions options;
    options.bounces = 4;
    options.samples_per_pixel = 4;
    options.max_rays = rays;
    streams = scenes::trace_paths(loaded.mesh, options);
  }
};

Job trace(const Frame& frame, unsigned bounce, const kernels::Traversal& kernel, unsigned multiprocessors) {
  const auto& rays = frame.streams.extension.at(bounce - 1).rays;
  const auto count = static_cast<std::uint32_t>(rays.size());
  constexpr std::uint32_t threads = 192;
  const std::uint32_t blocks = kernel.persistent ? 8 * multiprocessors : (count + threads - 1) / threads;
  Job job = job_of(std::string(kernel.file), std::string(kernel.entry), {blocks}, {threads});
  job.buffers = {bytes_of(frame.bvh.nodes),
                 bytes_of(frame.bvh.rows),
                 bytes_of(frame.bvh.triangle_of_row),
                 bytes_of(rays),
                 std::vector<std::byte>(count * sizeof(scenes::Hit)),
                 std::vector<std::byte>(4)};
  for (std::size_t i = 0; i < 5; ++i) job.arguments.emplace_back(BufferAddress{i});
  job.arguments.emplace_back(Argument(count));
  if (kernel.persistent) job.arguments.emplace_back(BufferAddress{5});
  return job;
}

}  // namespace

std::vector<TimedJob> timed_kernels(unsigned multiprocessors, unsigned scale) {
  std::vector<TimedJob> all;
  for (const std::uint32_t side : {256U, 1024U, 4096U}) {
    if (side / scale < 16) continue;
    all.push_back({fmt::format("julia, {0} x {0}", side / scale), [=] { return julia(side / scale); }});
  }
  for (const std::uint32_t count : {1U << 16U, 1U << 20U, 1U << 24U}) {
    all.push_back({fmt::format("collatz, {} threads", count / scale), [=] { return collatz(count / scale); }});
  }
  for (const std::uint32_t each : {1U, 2U, 4U, 8U}) {
    const std::uint32_t count = (1U << 20U) / scale;
    all.push_back(
        {fmt::format("divergent_switch, {} ways, {} threads", each, count), [=] { return ways(count, each); }});
  }
  for (const unsigned rays : {1U << 16U, 1U << 20U}) {
    const auto frame = std::make_shared<Frame>("conference", rays / scale);
    for (const unsigned bounce : {1U, 2U, 4U}) {
      for (const kernels::Traversal& kernel : kernels::traversals) {
        const auto count = frame->streams.extension.at(bounce - 1).rays.size();
        all.push_back({fmt::format("{}, conference, bounce {}, {} rays", kernel.entry, bounce, count),
                       [=] { return trace(*frame, bounce, kernel, multiprocessors); }});
      }
    }
  }
  return all;
}

}  // namespace reconverge::silicon
