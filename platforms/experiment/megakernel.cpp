// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/megakernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "models/core/error.hpp"
#include "models/execution/texture.hpp"
#include "platforms/experiment/judged_hits.hpp"
#include "platforms/experiment/workload_inputs.hpp"
#include "platforms/kernels/ray_log.h"
#include "platforms/kernels/twins.hpp"
#include "platforms/launch/generate.hpp"
#include "platforms/launch/launch_sequence.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/files/picture.hpp"

namespace reconverge {

namespace {

using scenes::MegakernelFrame;
using scenes::TriangleRecord;
using scenes::Vec3;

/// As in platforms/kernels/megakernel.h.
constexpr std::uint32_t tile_width = 8;
constexpr unsigned pictures = 16;
constexpr unsigned texel_bytes = 4;
/// Repetitions of a picture along the diagonal of the scene.
constexpr float repetitions = 16.0F;
constexpr std::size_t parameter_count = 10;
constexpr std::uint64_t most_rays_of_pixel = 8;  // as far as memory allows

std::uint64_t divided_up(std::uint64_t what, std::uint64_t by) { return (what + by - 1) / by; }
std::uint64_t blocks_in_a_row(const WorkloadParameters& workload) { return divided_up(workload.width, tile_width); }

/// Keys that configure streams or other kernels, and have no meaning here.
void check_other_keys(const ExperimentParameters& parameters) {
  const WorkloadParameters& given = parameters.workload;
  const WorkloadParameters usual;
  const auto refuse = [](bool given_otherwise, std::string key, std::string_view hint) {
    if (given_otherwise) throw ParameterError(std::move(key), "a megakernel does not have it", hint);
  };
  constexpr std::string_view streams = "it is about streams of rays: leave it out, or set workload.form to streams";
  refuse(given.samples != usual.samples, "workload.samples", streams);
  refuse(given.bounces != usual.bounces, "workload.bounces", streams);
  refuse(given.max_rays != usual.max_rays, "workload.max_rays", streams);
  refuse(given.occlusion_rays != usual.occlusion_rays, "workload.occlusion_rays", streams);
  refuse(parameters.transform.kind != KernelTransformKind::none, "transform.kind",
         "only kernels that trace streams of rays become micro-kernels: set it to none");
  refuse(parameters.stop_after != 0, "stop_after",
         "its threads trace many rays each: take fewer blocks by workload.sample_blocks");
  if (given.structure != WorkloadStructure::bvh && given.structure != WorkloadStructure::sbvh) {
    throw ParameterError("workload.structure", "a megakernel traces by a BVH", "set it to bvh or sbvh");
  }
}

void check_blocks(const WorkloadParameters& workload) {
  if (workload.block_threads % warp_size != 0) {
    throw ParameterError("workload.block_threads", fmt::format("{} threads are no whole warps", workload.block_threads),
                         "give a multiple of 32: a block of a megakernel is 8 pixels wide, and a warp 4 high");
  }
  const std::uint64_t common = std::gcd(workload.sample_blocks, blocks_in_a_row(workload));
  if (common == 1) return;
  throw ParameterError("workload.sample_blocks",
                       fmt::format("every {}th block leaves columns of the picture out: a row has {}, also a multiple "
                                   "of {}",
                                   workload.sample_blocks, blocks_in_a_row(workload), common),
                       "give a number without such a factor, for example a prime");
}

kernel::Program load_megakernel(const ExperimentParameters& parameters, SchemeList schemes) {
  check_other_keys(parameters);
  const WorkloadParameters& workload = parameters.workload;
  kernel::Program program = load_workload_kernel("workload.trace_program", workload.trace_program,
                                                 "workload.trace_kernel", workload.trace_kernel, schemes);
  const auto has_place = [](const kernel::KernelParameter& each) { return each.bytes == sizeof(DeviceAddress); };
  if (program.parameters.size() != parameter_count || !std::ranges::all_of(program.parameters, has_place)) {
    throw ParameterError(
        "workload.trace_kernel",
        fmt::format("kernel '{}' of {} does not have the parameters of a megakernel", program.name, program.file),
        "it takes ten of 64 bits: nodes, triangle rows, triangle of row, triangles, positions, "
        "materials, lights, texture, frame, picture; for a kernel that traces streams set "
        "workload.form to streams");
  }
  about_parameter("workload.trace_kernel", [&] { kernels::twin(program.name); });
  return program;
}

/// All data that the kernel reads, on the host.
struct Inputs {
  kernel::Program program;
  scenes::LoadedScene scene;
  Acceleration acceleration;
  std::vector<TriangleRecord> triangles;
  std::vector<kernels::Float4> positions;
  std::vector<std::uint32_t> lights;  ///< if there are none, one unused entry
  std::vector<std::byte> texels;
  MegakernelFrame frame{};
  kernels::LaunchShape shape;
};

MegakernelFrame frame_of(const WorkloadParameters& workload, const scenes::Mesh& mesh) {
  const scenes::EyeFrame eye =
      scenes::eye_frame(mesh.camera, static_cast<unsigned>(workload.width), static_cast<unsigned>(workload.height));
  const scenes::Box box = mesh.bounds();
  const Vec3 largest = max(max(box.high, -box.high), max(box.low, -box.low));
  MegakernelFrame frame{};
  std::ranges::copy(eye.eye, frame.eye);
  std::ranges::copy(eye.right, frame.right);
  std::ranges::copy(eye.up, frame.up);
  std::ranges::copy(eye.forward, frame.forward);
  frame.width = eye.width;
  frame.height = eye.height;
  frame.programs = static_cast<unsigned>(workload.shader_programs);
  frame.lights = static_cast<unsigned>(mesh.lights().size());
  // Well above the rounding error of a hit's position, as in scenes/light/path_tracer.cpp.
  frame.surface_offset = std::ldexp(max_component(largest), -16);
  frame.occlusion_distance = static_cast<float>(workload.occlusion_distance) * box.diagonal();
  frame.texture_scale = repetitions / box.diagonal();
  frame.seed = static_cast<unsigned>(workload.seed);
  frame.block_stride = static_cast<unsigned>(workload.sample_blocks);
  return frame;
}

Inputs prepare(const ExperimentParameters& parameters, SchemeList schemes) {
  const WorkloadParameters& workload = parameters.workload;
  kernel::Program program = load_megakernel(parameters, schemes);  // cheap to refuse
  scenes::LoadedScene scene = load_workload_scene(workload);
  const scenes::Mesh& mesh = scene.mesh;
  Acceleration acceleration(workload, mesh);
  Inputs inputs{std::move(program), {}, std::move(acceleration),  {}, {},
                mesh.lights(),      {}, frame_of(workload, mesh), {}};
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    inputs.triangles.push_back({{a, b, c}, mesh.material_of_triangle[i]});
  }
  for (const Vec3& at : mesh.positions) inputs.positions.push_back({at.x, at.y, at.z, 0.0F});
  if (inputs.lights.empty()) inputs.lights.push_back(0);
  const std::uint64_t side = workload.texture_side;
  inputs.texels =
      launch::randomised(launch::ElementType::u8, side * side * pictures * texel_bytes, workload.seed, "0", "255");
  const std::uint64_t rows = divided_up(workload.height, workload.block_threads / tile_width);
  const std::uint64_t blocks = divided_up(blocks_in_a_row(workload) * rows, workload.sample_blocks);
  inputs.shape = {{static_cast<unsigned>(blocks), 1, 1}, {static_cast<unsigned>(workload.block_threads), 1, 1}};
  inputs.scene = std::move(scene);
  return inputs;
}

/// The host's pixels of the picture, and the rays that it traced for them.
struct HostPicture {
  std::vector<kernels::Float4> pixels;
  kernels::RayLog log;
  std::vector<scenes::Hit> witnesses;  ///< the closest hits, for rays that asked for them

  std::uint64_t rays() const { return log.closest.size() + log.any.size(); }
};

HostPicture draw_on_host(const Inputs& inputs, std::uint64_t texture_side) {
  HostPicture host;
  host.pixels.resize(std::size_t{inputs.frame.width} * inputs.frame.height);
  const auto side = static_cast<unsigned>(texture_side);
  const kernels::NativeVolume volume{reinterpret_cast<const unsigned char*>(inputs.texels.data()),
                                     {side, side, pictures}};
  const scenes::Bvh& bvh = *inputs.acceleration.hierarchy();
  kernels::ray_log = &host.log;
  kernels::twin(inputs.program.name)(inputs.shape, bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                                     inputs.triangles.data(), inputs.positions.data(),
                                     inputs.scene.mesh.materials.data(), inputs.lights.data(),
                                     static_cast<kernels::TextureObject>(reinterpret_cast<std::uintptr_t>(&volume)),
                                     &inputs.frame, host.pixels.data());
  kernels::ray_log = nullptr;
  host.witnesses.resize(host.log.any.size());
  if (!host.log.any.empty()) {
    const auto count = static_cast<unsigned>(host.log.any.size());
    kernels::twin("trace_while_while")(kernels::shape_for(count), bvh.nodes.data(), bvh.rows.data(),
                                       bvh.triangle_of_row.data(), host.log.any.data(), host.witnesses.data(), count);
  }
  return host;
}

/// Checks all rays of the picture against Embree. Returns nothing if `goes_on` returns false.
std::optional<scenes::HitComparison> judged(const Oracle& oracle, const HostPicture& host,
                                            const std::function<bool()>& goes_on) {
  const kernels::RayLog& log = host.log;
  auto closest = judged_hits(oracle, log.closest, log.hits, false, goes_on);
  if (!closest) return std::nullopt;
  scenes::HitComparison all = std::move(*closest);
  const auto any = judged_hits(oracle, log.any, host.witnesses, true, goes_on);
  if (!any) return std::nullopt;
  const scenes::HitComparison& occlusion = *any;
  all.rays += occlusion.rays;
  all.equal += occlusion.equal;
  all.edges += occlusion.edges;
  all.mismatches += occlusion.mismatches;
  all.examples.insert(all.examples.end(), occlusion.examples.begin(), occlusion.examples.end());
  for (std::size_t i = 0; i < log.any.size(); ++i) {
    if (log.blocked[i] == (host.witnesses[i].triangle >= 0)) continue;
    ++all.mismatches;
    all.examples.push_back(
        {i, host.witnesses[i], {log.blocked[i] ? 0 : -1, 0, 0, 0}, "any hit differs from the closest"});
  }
  return all;
}

/// The largest difference of a channel; infinity if bits differ but the difference is not a number.
double difference(std::span<const float> machine, std::span<const kernels::Float4> host) {
  double largest = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::array<float, 4> wanted{host[i].x, host[i].y, host[i].z, host[i].w};
    for (std::size_t channel = 0; channel < 4; ++channel) {
      const float found = machine[4 * i + channel];
      if (std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(wanted[channel])) continue;
      const double by = std::abs(static_cast<double>(found) - static_cast<double>(wanted[channel]));
      constexpr double unknown = std::numeric_limits<double>::infinity();
      largest = std::max(largest, by > 0 ? by : unknown);
    }
  }
  return largest;
}

std::vector<std::uint32_t> displayed(std::span<const float> picture, float exposure) {
  std::vector<std::uint32_t> rgba(picture.size() / 4);
  for (std::size_t i = 0; i < rgba.size(); ++i) {
    constexpr std::uint32_t opaque = 0xff000000U;
    rgba[i] = opaque;
    for (unsigned channel = 0; channel < 3; ++channel) {
      rgba[i] |= std::uint32_t{scenes::tone_map(picture[4 * i + channel] * exposure)} << 8 * channel;
    }
  }
  return rgba;
}

/// The same inputs in the machine's memory.
struct OnDevice {
  std::vector<Argument> arguments;
  DeviceAddress picture = 0;
};

OnDevice upload(DeviceMemory& memory, const Inputs& inputs, std::uint64_t side) {
  OnDevice device;
  device.arguments = inputs.acceleration.upload(memory).arrays;
  const auto array = [&]<typename T>(const char* name, const std::vector<T>& values) {
    device.arguments.emplace_back(memory.upload(name, std::span<const T>(values)));
  };
  array("triangles", inputs.triangles);
  array("positions", inputs.positions);
  array("materials", inputs.scene.mesh.materials);
  array("lights", inputs.lights);
  TextureView view;
  view.address = memory.upload("texels", std::span<const std::byte>(inputs.texels));
  view.channel = kernel::DataType::u8;
  view.normalized = true;
  view.elements = view.rows = side;
  view.layers = pictures;
  view.filter = kernel::TextureFilter::linear;
  view.addressing = kernel::TextureAddressing::wrap;
  view.normalized_coordinates = true;
  device.arguments.emplace_back(make_texture(memory, "pictures", view));
  array("frame", std::vector{inputs.frame});
  device.picture = memory.allocate("picture", std::uint64_t{inputs.frame.width} * inputs.frame.height * 16);
  device.arguments.emplace_back(device.picture);
  return device;
}

}  // namespace

std::vector<std::string> check_megakernel(const ExperimentParameters& parameters, SchemeList schemes) {
  const kernel::Program program = load_megakernel(parameters, schemes);
  check_blocks(parameters.workload);
  std::vector<std::string> warnings =
      scheme_warnings(schemes_of(parameters.gpu.sm, schemes), program, parameters.gpu.sm);
  for (const kernel::Warning& warning : program.warnings) warnings.push_back(to_string(program, warning));
  return warnings;
}

RayTracingResult run_megakernel(const ExperimentParameters& parameters, const RunControl& control) {
  const WorkloadParameters& workload = parameters.workload;
  check_blocks(workload);
  const Inputs inputs = prepare(parameters, control.kinds.schemes);
  WorkloadSize size = size_of(workload, inputs.scene.mesh, inputs.acceleration.facts());
  size.rays = size.paths * most_rays_of_pixel;
  check_workload_memory(memory_need(size, parameters, control.kinds));
  launch::Session session(machine_of(parameters, control.kinds), parameters, control.kinds.schemes);
  session.record(recording_of(parameters));
  const OnDevice device = upload(session.memory(), inputs, workload.texture_side);
  launch::LaunchSequence launches(session, control);
  const auto& [grid, block] = inputs.shape;
  Launch launch = make_launch(inputs.program, {grid.x}, {block.x}, device.arguments);
  const HostPicture host = draw_on_host(inputs, workload.texture_side);
  const scenes::EmbreeScene oracle(inputs.scene.mesh);  // now: no results that an interrupt could lose are pending yet

  RayTracingResult result;
  result.facts = {inputs.scene.mesh.name,         inputs.scene.mesh.triangle_count(),
                  inputs.acceleration.facts(),    host.rays(),
                  inputs.scene.repairs.dropped(), size};
  result.facts.size.rays = host.rays();
  result.width = inputs.frame.width;
  result.height = inputs.frame.height;
  Stage stage{"picture", inputs.program.name, host.rays()};
  launch.print = control.print_of(stage.name);
  const auto progress = [&](const LaunchProgress& so_far) {
    const std::uint64_t done = so_far.blocks == 0 ? 0 : stage.rays * so_far.blocks_ended / so_far.blocks;
    return RunProgress{stage.name, done, stage.rays};
  };
  std::optional<launch::LaunchResult> cost = launches.run(launch, progress);
  if (!cost) return result;
  stage.cost = std::move(*cost);
  std::optional<scenes::HitComparison> hits;
  if (stage.cost.completed) {
    const RunProgress ended{stage.name, stage.rays, stage.rays, launches.cycles()};
    hits = judged({inputs.scene.mesh, oracle}, host, [&] { return control.goes_on(ended); });
    stage.cost.completed = hits.has_value();
  }
  if (!stage.cost.completed) {
    result.stages.push_back(std::move(stage));
    return result;
  }
  stage.hits = std::move(*hits);
  stage.rays_done = stage.rays;
  result.stages.push_back(std::move(stage));
  const auto picture = session.memory().view_as<float>(device.picture);
  result.picture_error = difference(picture, host.pixels);
  result.rgba = displayed(picture, static_cast<float>(workload.exposure));
  result.completed = true;
  return result;
}

}  // namespace reconverge
