// SPDX-License-Identifier: Apache-2.0
// The kernels of platforms/kernels, with data that makes their threads diverge.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversals.hpp"
#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "tests/device/device_cases.hpp"
#include "tests/device/kernel_job.hpp"
#include "tests/unit/kernels/tessellation.hpp"

namespace reconverge::tests {

namespace {

/// The counter, the first buffer, exceeds the number of rays by the number of unsuccessful requests, which depends on
/// the machine. The data to compare, hits by default, is the last buffer.
template <typename Record = scenes::Hit>
std::string difference_but_for_counter(const device::Buffers& expected, const device::Buffers& found) {
  unsigned counter = 0;
  std::memcpy(&counter, found.front().data(), sizeof counter);
  if (counter < found.back().size() / sizeof(Record)) return fmt::format("the counter ends at {}", counter);
  device::Buffers same_counter = found;
  same_counter.front() = expected.front();
  return exact_difference(expected, same_counter);
}

/// The same applies to the second counter (the places that had a ray) and the second buffer (the last contents of their
/// stacks).
std::string difference_but_for_places(const device::Buffers& expected, const device::Buffers& found) {
  device::Buffers same_stacks = found;
  same_stacks.at(1) = expected.at(1);
  return difference_but_for_counter(expected, same_stacks);
}

/// Streams of triangles, the last buffers, are equal as sets: their order depends on the machine.
std::string difference_of_sets(device::Buffers expected, device::Buffers found, std::size_t streams) {
  for (std::size_t i = 1; i <= streams; ++i) {
    for (device::Buffers* const buffers : {&expected, &found}) kernels::sort_records((*buffers)[buffers->size() - i]);
  }
  return exact_difference(expected, found);
}

void add_tessellation(std::vector<DeviceCase>& all) {
  kernels::Tessellation what;
  what.side = 32;
  what.around = 8;
  what.across = 4;
  what.tolerance = 0.08F;
  what.capacity = 1500;
  const kernels::Map map = kernels::displacement_map(what);
  all.push_back(KernelJob("displaced", "displacement_map", {{1, 1, 1}, {64, 1, 1}})
                    .buffer(std::vector<float>(map.heights.size()))
                    .buffer(std::vector<float>(map.bounds.size()))
                    .value(what.side)
                    .value(what.amplitude)
                    .finished());
  all.push_back(KernelJob("displaced", "displacement_heights", kernels::shape_for(what.side * what.side, 32))
                    .buffer(std::vector<float>(map.heights.size()))
                    .value(what.side)
                    .value(what.amplitude)
                    .finished());
  const std::vector<float> no_bounds(map.bounds.size());
  std::vector<float> first_level = no_bounds;
  std::copy_n(map.bounds.begin(), what.side * what.side / 2, first_level.begin());
  for (const unsigned size : {what.side / 2, what.side / 4}) {
    all.push_back(KernelJob("displaced", "displacement_bounds", kernels::shape_for(size * size, 32))
                      .buffer(map.heights)
                      .buffer(size == what.side / 2 ? no_bounds : first_level)
                      .value(what.side)
                      .value(size)
                      .finished());
  }
  const std::vector<kernels::Record> base = kernels::torus(what);
  all.push_back(KernelJob("displaced", "torus_patches", kernels::shape_for(what.base_count() / 2, 32))
                    .buffer(std::vector<kernels::Record>(base.size()))
                    .value(what.around)
                    .value(what.across)
                    .finished());
  const std::vector<unsigned> none(1);
  const std::vector<kernels::Record> room(what.capacity);
  KernelJob pass("tessellate", "tessellate_pass", {{2, 1, 1}, {32, 1, 1}});
  const std::size_t part_count = pass.place(none);
  const std::size_t leaf_count = pass.place(none);
  const std::size_t heights = pass.place(map.heights);
  const std::size_t bounds = pass.place(map.bounds);
  pass.buffer(base).buffer(std::vector<unsigned>{what.base_count()}).buffer(room).address(part_count).buffer(room);
  pass.address(leaf_count).value(what.capacity).address(heights).address(bounds).value(what.side).value(what.tolerance);
  all.push_back(pass.finished());
  all.back().difference = [](const auto& expected, const auto& found) {
    return difference_of_sets(expected, found, 2);
  };
  KernelJob stack("tessellate", "tessellate_stack", kernels::shape_for(what.base_count(), 32));
  const std::size_t count = stack.place(none);
  const std::size_t stack_heights = stack.place(map.heights);
  const std::size_t stack_bounds = stack.place(map.bounds);
  stack.buffer(base).value(what.base_count()).value(what.depth).buffer(room).address(count).value(what.capacity);
  stack.address(stack_heights).address(stack_bounds).value(what.side).value(what.tolerance);
  all.push_back(stack.finished());
  all.back().difference = [](const auto& expected, const auto& found) {
    return difference_of_sets(expected, found, 1);
  };
  what.run = 64;
  const kernels::Runs runs = kernels::runs_of(what, map, base);
  KernelJob alone("tessellate", "tessellate_alone", kernels::shape_for(what.base_count(), 32));
  const std::size_t alone_heights = alone.place(map.heights);
  const std::size_t alone_bounds = alone.place(map.bounds);
  alone.buffer(base).value(what.base_count()).value(what.depth);
  alone.buffer(std::vector<kernels::Record>(runs.records.size())).buffer(std::vector<unsigned>(runs.counts.size()));
  alone.value(what.run).address(alone_heights).address(alone_bounds).value(what.side).value(what.tolerance);
  all.push_back(alone.finished());
  all.push_back(KernelJob("tessellate", "pack_runs", kernels::shape_for(what.base_count(), 32))
                    .buffer(runs.records)
                    .buffer(runs.counts)
                    .value(what.base_count())
                    .value(what.run)
                    .buffer(room)
                    .buffer(none)
                    .finished());
  const kernels::Leaves leaves = kernels::by_stack(what, map, base);
  all.push_back(KernelJob("displaced", "draw_displaced", {{2, 1, 1}, {64, 1, 1}})
                    .buffer(leaves.records)
                    .buffer(std::vector<unsigned>{leaves.count})
                    .buffer(map.heights)
                    .value(what.side)
                    .value(40.0F)
                    .buffer(std::vector<int>(64 * 48))
                    .value(64U)
                    .value(48U)
                    .finished());
}

void add_small(std::vector<DeviceCase>& all) {
  constexpr unsigned count = 1000;
  std::mt19937 random(5);
  std::vector<unsigned> words(count);
  for (unsigned& word : words) word = static_cast<unsigned>(random());
  std::vector<float> x(count);
  std::vector<float> y(count);
  std::vector<unsigned> small(count);
  std::vector<int> signed_words(count);
  for (unsigned i = 0; i < count; ++i) {
    x[i] = static_cast<float>(words[i]) * 0x1p-30F;
    y[i] = static_cast<float>(i) - 500.25F;
    small[i] = words[i] >> 12U;
    signed_words[i] = static_cast<int>(words[i]);
  }
  const std::vector<unsigned> zeros(count);
  const kernels::LaunchShape shape = kernels::shape_for(count);
  all.push_back(KernelJob("saxpy", "saxpy", shape).value(1.3F).buffer(x).buffer(y).value(count).finished());
  all.push_back(KernelJob("collatz", "collatz", shape).buffer(small).buffer(zeros).value(count).finished());
  all.push_back(KernelJob("divergent_switch", "divergent_switch", shape)
                    .buffer(words)
                    .value(8U)
                    .value(20U)
                    .buffer(zeros)
                    .value(count)
                    .finished());
  all.push_back(KernelJob("reduce", "reduce_sum", shape)
                    .buffer(signed_words)
                    .buffer(std::vector<int>(shape.grid.x))
                    .buffer(std::vector<int>{5})
                    .value(count)
                    .finished());
  all.push_back(KernelJob("julia", "julia", {{4, 6, 1}, {16, 8, 1}})
                    .value(-0.7F)
                    .value(0.27F)
                    .value(60U)
                    .value(45U)
                    .value(200U)
                    .buffer(std::vector<unsigned>(60 * 45))
                    .finished());
}

/// Eight pictures of 16 x 16 random texels.
std::vector<kernels::Float4> random_textures() {
  std::mt19937 random(8);
  const auto level = [&] { return static_cast<float>(random() >> 8U) * 0x1p-24F; };
  std::vector<kernels::Float4> texels(8 * 16 * 16);
  for (kernels::Float4& texel : texels) texel = {level(), level(), level(), level()};
  return texels;
}

void add_programs(std::vector<DeviceCase>& all) {
  std::mt19937 random(9);
  std::vector<unsigned> mask(60 * 45);
  for (unsigned& each : mask) each = static_cast<unsigned>(random()) >> 31U;
  all.push_back(KernelJob("shade_programs", "material_mapping", {{4, 6, 1}, {16, 8, 1}})
                    .buffer(mask)
                    .buffer(random_textures())
                    .value(16U)
                    .value(60U)
                    .value(45U)
                    .buffer(std::vector<kernels::Float4>(mask.size()))
                    .finished());
  constexpr unsigned count = 1000;
  std::vector<kernels::Float4> points(count);
  const auto coordinate = [&] { return static_cast<float>(random() >> 8U) * 0x1p-22F - 2.0F; };
  for (kernels::Float4& point : points) point = {coordinate(), coordinate(), 0.0F, 0.0F};
  all.push_back(KernelJob("julia_stream", "julia_colours", kernels::shape_for(count))
                    .buffer(points)
                    .value(-0.122F)
                    .value(0.745F)
                    .value(10U)
                    .buffer(std::vector<float>(count))
                    .value(count)
                    .finished());
  all.push_back(KernelJob("julia_padded", "julia_padded", {{3, 1, 1}, {128, 1, 1}})
                    .buffer(std::vector<kernels::Float4>(points.begin(), points.begin() + 3L * 128))
                    .value(-0.122F)
                    .value(0.745F)
                    .value(10U)
                    .buffer(std::vector<float>(3 * 128))
                    .finished());
  all.push_back(KernelJob("julia_stream", "picture_points", kernels::shape_for(count))
                    .buffer(std::vector<kernels::Float4>(40 * 25))
                    .value(40U)
                    .value(25U)
                    .value(1.5F)
                    .finished());
  all.push_back(KernelJob("julia_stream", "checkerboard_julia", kernels::shape_for(count))
                    .buffer(points)
                    .value(-0.122F)
                    .value(0.745F)
                    .value(10U)
                    .value(0.233F)
                    .value(0.5378F)
                    .value(256U)
                    .buffer(std::vector<float>(count))
                    .value(count)
                    .finished());
  all.push_back(KernelJob("checkerboard", "checkerboard", kernels::shape_for(count))
                    .buffer(points)
                    .value(0.4F)
                    .buffer(std::vector<float>(count))
                    .value(count)
                    .finished());
  // From no iteration of its loop to the maximum.
  std::vector<float> starts(128);
  for (unsigned i = 0; i < starts.size(); ++i) starts[i] = static_cast<float>(i * 37 % 24);
  all.push_back(KernelJob("pass_example", "pass_example", {{2, 1, 1}, {64, 1, 1}})
                    .buffer(starts)
                    .buffer(std::vector<float>(starts.size()))
                    .finished());
  constexpr unsigned advance = 512;
  std::vector<int> data(32 * (512 + 2 * advance));
  for (int& each : data) each = static_cast<int>(random());
  const auto add_subwarps = [&](const char* entry, unsigned lanes) {
    all.push_back(KernelJob("subwarps", entry, {{2, 1, 1}, {64, 1, 1}})
                      .buffer(data)
                      .buffer(std::vector<int>(128))
                      .value(lanes)
                      .value(1U)
                      .value(2U)
                      .value(advance)
                      .finished());
  };
  for (const unsigned subwarp_size : {1U, 4U, 32U}) add_subwarps("subwarps", subwarp_size);
  add_subwarps("subwarps_if_then", 7);
}

/// One bounce of a frame. The hits come from the twin, so that each kernel is a separate case.
void add_frame(std::vector<DeviceCase>& all) {
  const scenes::Mesh mesh = scenes::box();
  const scenes::Bvh bvh = scenes::build_bvh(mesh);
  const scenes::KdTree tree = scenes::build_kd_tree(mesh);
  const scenes::Grid grid = scenes::build_grid(mesh);
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 2;
  options.bounces = 2;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  const unsigned pixels = streams.pixels();
  const kernels::LaunchShape shape = kernels::shape_for(pixels);
  std::vector<kernels::Float4> picture(pixels);
  for (unsigned i = 0; i < pixels; ++i) picture[i] = {0.01F * static_cast<float>(i), 0.5F, 1e-3F, 1.0F};
  for (const bool shadow : {false, true}) {
    const scenes::RayStream& stream = shadow ? streams.shadow[1] : streams.extension[1];
    const auto count = static_cast<unsigned>(stream.rays.size());
    std::vector<scenes::Hit> hits(count);
    const kernels::LaunchShape rays = kernels::shape_for(count);
    for (const kernels::Traversal& kernel : kernels::traversals) {
      KernelJob job(std::string(kernel.file), std::string(kernel.entry),
                    kernel.persistent ? kernels::LaunchShape{{3, 1, 1}, {96, 1, 1}} : rays);
      // At the front, because a test of the tests corrupts the last case.
      const std::size_t counter = kernel.persistent ? job.place(std::vector<unsigned>(1)) : 0;
      job.buffer(bvh.nodes).buffer(bvh.rows).buffer(bvh.triangle_of_row).buffer(stream.rays).buffer(hits).value(count);
      if (kernel.persistent) job.address(counter);
      all.push_back(job.finished());
      if (kernel.persistent) all.back().difference = difference_but_for_counter<>;
    }
    all.push_back(KernelJob("trace_kd_tree", "trace_kd_tree", rays)
                      .buffer(tree.nodes)
                      .buffer(tree.leaf_triangles)
                      .buffer(tree.triangles)
                      .buffer(stream.rays)
                      .buffer(hits)
                      .value(count)
                      .value(tree.bounds.low.x)
                      .value(tree.bounds.low.y)
                      .value(tree.bounds.low.z)
                      .value(tree.bounds.high.x)
                      .value(tree.bounds.high.y)
                      .value(tree.bounds.high.z)
                      .finished());
    all.push_back(KernelJob("trace_grid", "trace_grid", rays)
                      .buffer(std::vector{grid.frame})
                      .buffer(grid.first)
                      .buffer(grid.cell_triangles)
                      .buffer(grid.triangles)
                      .buffer(stream.rays)
                      .buffer(hits)
                      .value(count)
                      .finished());
    kernels::twin("trace_while_while")(rays, bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                                       stream.rays.data(), hits.data(), count);
    if (!shadow) {
      // Materials vary within a wall: neighbours run different programs.
      std::vector<unsigned> programs(mesh.triangle_count());
      for (unsigned i = 0; i < programs.size(); ++i) programs[i] = i;
      all.push_back(KernelJob("shade_programs", "shade_megakernel", rays)
                        .buffer(stream.rays)
                        .buffer(hits)
                        .buffer(programs)
                        .buffer(random_textures())
                        .value(16U)
                        .buffer(std::vector<kernels::Float4>(count))
                        .value(count)
                        .finished());
    }
    KernelJob shade("shade", shadow ? "shade_shadow" : "shade_hits", shape);
    shade.buffer(stream.pixel_first).buffer(stream.samples).buffer(hits);
    if (!shadow) shade.buffer(mesh.material_of_triangle).buffer(mesh.materials).value(0.1F).value(0.2F).value(0.3F);
    all.push_back(shade.buffer(picture).value(pixels).finished());
  }
  all.push_back(KernelJob("shade", "resolve_picture", shape)
                    .buffer(picture)
                    .buffer(std::vector<unsigned>(pixels))
                    .value(0.7F)
                    .value(pixels)
                    .finished());
}

/// The megakernels of a file, whose entries end in `ending`.
std::vector<DeviceCase> megakernel_cases(const std::string& file, const std::string& ending) {
  // Materials vary within a wall: neighbours run different programs.
  scenes::Mesh mesh = scenes::box();
  std::vector<scenes::Material> materials;
  for (std::size_t i = 0; i < 32; ++i) materials.push_back(mesh.materials.at(i % mesh.materials.size()));
  std::vector<scenes::TriangleRecord> triangles;
  for (unsigned i = 0; i < mesh.triangle_count(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    triangles.push_back({{a, b, c}, i % 32});
  }
  std::vector<kernels::Float4> positions;
  for (const scenes::Vec3& at : mesh.positions) positions.push_back({at.x, at.y, at.z, 0.0F});
  constexpr unsigned side = 16;
  constexpr unsigned layers = 16;
  std::mt19937 random(11);
  std::vector<unsigned char> texels(std::size_t{4} * side * side * layers);
  for (unsigned char& each : texels) each = static_cast<unsigned char>(random() >> 24U);
  const scenes::Vec3 forward = normalize(mesh.camera.look_at - mesh.camera.eye);
  const scenes::Vec3 right = normalize(cross(forward, mesh.camera.up));
  const scenes::Vec3 up = cross(right, forward);
  scenes::MegakernelFrame frame{};
  const std::size_t axes = 3;
  for (std::size_t i = 0; i < axes; ++i) {
    const auto part = [i](const scenes::Vec3& v) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    frame.eye[i] = part(mesh.camera.eye);
    frame.right[i] = part(right);
    frame.up[i] = part(up);
    frame.forward[i] = part(forward);
  }
  frame.width = 28;  // not a whole number of tiles
  frame.height = 20;
  frame.programs = 16;
  frame.lights = static_cast<unsigned>(mesh.lights().size());
  frame.surface_offset = 1e-3F;
  frame.occlusion_distance = 0.5F;
  frame.texture_scale = 2.0F;
  frame.seed = 3;
  frame.block_stride = 1;
  const scenes::Bvh bvh = scenes::build_bvh(mesh);
  std::vector<DeviceCase> all;
  for (const char* const effect : {"diffuse", "occlusion", "reflection", "mixed"}) {
    KernelJob job(file, fmt::format("megakernel_{}{}", effect, ending), {{12, 1, 1}, {64, 1, 1}});
    job.buffer(bvh.nodes).buffer(bvh.rows).buffer(bvh.triangle_of_row).buffer(triangles).buffer(positions);
    job.buffer(materials).buffer(mesh.lights()).volume(texels, side, layers).buffer(std::vector{frame});
    job.buffer(std::vector<kernels::Float4>(std::size_t{frame.width} * frame.height));
    all.push_back(job.finished());
  }
  return all;
}

/// For the kernels for dynamic ray shuffling: blocks, and places for the threads and one more row of rays in each of up
/// to three SMs.
constexpr kernels::LaunchShape staying{{3, 1, 1}, {96, 1, 1}};
constexpr std::size_t staying_places = std::size_t{3} * (96 + 32);

DeviceCase kd_tree_shuffled(const scenes::KdTree& tree, const std::vector<scenes::Ray>& rays) {
  const auto& [low, high] = tree.bounds;
  KernelJob job("trace_kd_tree_shuffled", "trace_kd_tree_shuffled", staying);
  const std::size_t counters = job.place(std::vector<unsigned>(2));
  const std::size_t stacks = job.place(std::vector<kernels::Word2>(staying_places * 49));
  job.buffer(tree.nodes).buffer(tree.leaf_triangles).buffer(tree.triangles).buffer(rays);
  job.buffer(std::vector<scenes::Hit>(rays.size())).value(static_cast<unsigned>(rays.size()));
  for (const float side : {low.x, low.y, low.z, high.x, high.y, high.z}) job.value(side);
  DeviceCase made = job.address(counters).address(stacks).finished();
  made.difference = difference_but_for_places;
  made.scheme = "dynamic_ray_shuffling";
  return made;
}

DeviceCase julia_shuffled() {
  std::mt19937 random(10);
  const auto coordinate = [&] { return static_cast<float>(random() >> 8U) * 0x1p-22F - 2.0F; };
  std::vector<kernels::Float4> points(1000);
  for (kernels::Float4& point : points) point = {coordinate(), coordinate(), 0.0F, 0.0F};
  KernelJob job("julia_shuffled", "julia_shuffled", staying);
  const std::size_t counter = job.place(std::vector<unsigned>(1));
  job.buffer(points).value(-0.122F).value(0.745F).value(100U).buffer(std::vector<float>(points.size()));
  DeviceCase made = job.value(static_cast<unsigned>(points.size())).address(counter).finished();
  made.difference = difference_but_for_counter<float>;
  made.scheme = "dynamic_ray_shuffling";
  return made;
}

}  // namespace

std::vector<DeviceCase> extension_cases() {
  const scenes::Bvh bvh = scenes::build_bvh(scenes::box());
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 2;
  options.bounces = 2;
  const std::vector<scenes::Ray> rays = scenes::trace_paths(scenes::box(), options).extension[1].rays;
  std::vector<DeviceCase> all;
  for (const char* const name : {"trace_shuffled", "trace_shuffled_three_rows"}) {
    KernelJob shuffled("trace_shuffled", name, staying);
    const std::size_t counters = shuffled.place(std::vector<unsigned>(2));
    const std::size_t stacks = shuffled.place(std::vector<int>(32 + staying_places * 65));
    shuffled.buffer(bvh.nodes).buffer(bvh.rows).buffer(bvh.triangle_of_row).buffer(rays);
    shuffled.buffer(std::vector<scenes::Hit>(rays.size())).value(static_cast<unsigned>(rays.size()));
    all.push_back(shuffled.address(counters).address(stacks).finished());
    all.back().difference = difference_but_for_places;
    all.back().scheme = "dynamic_ray_shuffling";
  }
  const auto count = static_cast<unsigned>(rays.size());
  const std::vector<scenes::Hit> hits(count);
  for (const char* const name : {"trace_microkernels", "trace_adaptive_microkernels", "trace_patient_microkernels"}) {
    all.push_back(KernelJob(name, name, kernels::shape_for(count, 96))
                      .buffer(bvh.nodes)
                      .buffer(bvh.rows)
                      .buffer(bvh.triangle_of_row)
                      .buffer(rays)
                      .buffer(hits)
                      .value(count)
                      .buffer(std::vector<int>(std::size_t{64} * count))
                      .finished());
    all.back().scheme = "dynamic_microkernel";
  }
  const scenes::KdTree tree = scenes::build_kd_tree(scenes::box());
  const auto& [low, high] = tree.bounds;
  all.push_back(kd_tree_shuffled(tree, rays));
  all.push_back(julia_shuffled());
  KernelJob by_tree("trace_kd_tree_microkernels", "trace_kd_tree_microkernels", kernels::shape_for(count, 96));
  by_tree.buffer(tree.nodes).buffer(tree.leaf_triangles).buffer(tree.triangles).buffer(rays).buffer(hits).value(count);
  for (const float side : {low.x, low.y, low.z, high.x, high.y, high.z}) by_tree.value(side);
  all.push_back(by_tree.buffer(std::vector<kernels::Word2>(std::size_t{48} * count)).finished());
  all.back().scheme = "dynamic_microkernel";
  all.push_back(KernelJob("trace_unit", "trace_unit", kernels::shape_for(count, 96))
                    .buffer(bvh.nodes)
                    .buffer(bvh.rows)
                    .buffer(bvh.triangle_of_row)
                    .buffer(rays)
                    .buffer(hits)
                    .value(count)
                    .finished());
  all.back().scheme = "raytrace";
  all.push_back(KernelJob("trace_unit", "trace_unit_any", kernels::shape_for(count, 96))
                    .buffer(bvh.nodes)
                    .buffer(bvh.rows)
                    .buffer(rays)
                    .buffer(std::vector<unsigned>(count))
                    .value(count)
                    .finished());
  all.back().scheme = "raytrace";
  for (DeviceCase& each : megakernel_cases("megakernels_unit", "_unit")) {
    each.scheme = "raytrace";
    all.push_back(std::move(each));
  }
  return all;
}

std::vector<DeviceCase> texture_cases() { return megakernel_cases("megakernels", ""); }

std::vector<DeviceCase> kernel_cases() {
  std::vector<DeviceCase> all;
  add_small(all);
  add_programs(all);
  add_tessellation(all);
  add_frame(all);
  add_voxel_tracer(all);
  return all;
}

}  // namespace reconverge::tests
