// SPDX-License-Identifier: Apache-2.0
/// The meaning of launch files: bytes of buffers and arguments, shapes, files.

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <span>

#include "platforms/launch/npy.hpp"
#include "platforms/launch/plan_warnings.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/files/ray_stream_file.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "tests/unit/platforms/launch/plan_of.hpp"
#include "tests/unit/scenes/vox_bytes.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;
using tests::PlanFolder;
using tests::take_with;

namespace {

template <typename T>
T value_at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
std::vector<T> values_of(const PlannedBuffer& buffer) {
  std::vector<T> values(buffer.contents.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), buffer.contents.data(), buffer.contents.size());
  return values;
}

/// The buffer `x` of a file with this text for its buffers.
PlannedBuffer buffer_of(const PlanFolder& folder, const std::string& text) {
  return folder
      .plan_of("buffers:\n  x: " + text + "\nlaunches: [{program: take.ptx, kernel: nothing, grid: 1, block: 1}]\n")
      .buffers.front();
}

}  // namespace

TEST_CASE("arguments have the offsets and types that the kernel expects") {
  const PlanFolder folder;
  const LaunchPlan plan =
      folder.plan_of(take_with("[1.5, x, {fields: [{u8: 1}, {f32: [2, 3]}, x]}, 0xffff, -128, {f32: -1}]"));
  const PlannedLaunch& launch = plan.launches.front();
  const auto& parameters = launch.program->parameters;
  const auto offset = [&](std::size_t i) { return parameters[i].offset; };
  CHECK(value_at<float>(launch.parameters, offset(0)) == 1.5F);
  CHECK(value_at<std::uint8_t>(launch.parameters, offset(2)) == 1);
  CHECK(value_at<float>(launch.parameters, offset(2) + 4) == 2);
  CHECK(value_at<float>(launch.parameters, offset(2) + 8) == 3);
  CHECK(value_at<std::uint16_t>(launch.parameters, offset(3)) == 0xffff);
  CHECK(value_at<std::int8_t>(launch.parameters, offset(4)) == -128);
  CHECK(value_at<float>(launch.parameters, offset(5)) == -1);
  REQUIRE(launch.addresses.size() == 2);
  CHECK(launch.addresses[0].offset == offset(1));
  CHECK(launch.addresses[1].offset == offset(2) + 16);
}

TEST_CASE("pointers have 32 bits if addresses have 32 bits") {
  const PlanFolder folder;
  folder.place().write("narrow.ptx",
                       ".version 4.0\n.target sm_30\n.address_size 32\n"
                       ".visible .entry k(.param .u32 p, .param .align 4 .b8 s[12], .param .u64 q)\n{\n  ret;\n}\n");
  const LaunchPlan plan = folder.plan_of(
      "buffers: {x: {type: f32, count: 10}}\nlaunches:\n- {program: narrow.ptx, grid: 1, block: 1, arguments: [x, "
      "{fields: [{u8: 1}, x, {buffer: x, offset: 8}]}, x]}\n");
  const std::vector<AddressPlace>& addresses = plan.launches.front().addresses;
  REQUIRE(addresses.size() == 4);
  const std::size_t offsets[] = {0, 8, 12, 16};
  const std::size_t bytes[] = {4, 4, 4, 8};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    CHECK(addresses[i].offset == offsets[i]);
    CHECK(addresses[i].bytes == bytes[i]);
  }
  CHECK(addresses[2].addend == 8);
  CHECK_THROWS_WITH(folder.plan_of("buffers: {large: {type: u8, count: 1800000000}, x: {type: u8, count: 1000000000}}\n"
                                   "launches:\n- {program: narrow.ptx, grid: 1, block: 1, arguments: [x, {fields: "
                                   "[{u32: [1, 2, 3]}]}, 0]}\n"),
                    Catch::Contains("'x' lies beyond the first 1792 MiB, which pointers of 32 bits reach"));
}

TEST_CASE("structs may be lists of bytes, pointers may point into a buffer, arguments may be counts of buffers") {
  const PlanFolder folder;
  const std::string bytes = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,0xff]";
  const LaunchPlan plan = folder.plan_of(
      take_with("[0, {buffer: x, offset: 8}, " + bytes + ", {count_of: x}, 0, {count_of: x, times: 3}]"));
  const PlannedLaunch& launch = plan.launches.front();
  const auto& parameters = launch.program->parameters;
  CHECK(value_at<std::uint8_t>(launch.parameters, parameters[2].offset + 23) == 0xff);
  CHECK(launch.addresses.front().addend == 8);
  CHECK(value_at<std::uint16_t>(launch.parameters, parameters[3].offset) == 10);
  CHECK(value_at<std::uint32_t>(launch.parameters, parameters[5].offset) == 30);
}

TEST_CASE("grid and block have one to three extents, or threads are given") {
  const PlanFolder folder;
  const auto launch_of = [&](const std::string& shape) {
    return folder.plan_of("launches: [{program: take.ptx, kernel: nothing, dynamic_shared: 1 KiB, " + shape + "}]\n")
        .launches.front();
  };
  CHECK(launch_of("grid: 7, block: 32").grid == Dim3{7, 1, 1});
  CHECK(launch_of("grid: [1, 65535, 2], block: [4, 4, 64]").grid == Dim3{1, 65535, 2});
  CHECK(launch_of("grid: [3, 2], block: [4, 4, 64]").block == Dim3{4, 4, 64});
  CHECK(launch_of("threads: 65, block: [8, 4]").grid == Dim3{3, 1, 1});
  CHECK(launch_of("threads: 64, block: [8, 4]").grid == Dim3{2, 1, 1});
  CHECK(launch_of("grid: 1, block: 1").dynamic_shared_bytes == 1024);
  CHECK(launch_of("grid: 1, block: 1").stack_bytes == 4096);
  CHECK(launch_of("grid: 1, block: 1, stack: 512 KiB").stack_bytes == 524288);
  CHECK(launch_of("grid: 1, block: 1").name == "nothing");
}

TEST_CASE("launches have different names, and none has the name of the total") {
  const PlanFolder folder;
  const auto launch = [](const std::string& name) {
    return "- {program: take.ptx, kernel: nothing, grid: 1, block: 1" + name + "}\n";
  };
  const LaunchPlan plan = folder.plan_of("launches:\n" + launch(", name: nothing (2)") + launch("") + launch("") +
                                         launch(", name: total") + launch("") + launch(", name: nothing (2)"));
  std::vector<std::string> names;
  for (const PlannedLaunch& each : plan.launches) names.push_back(each.name);
  CHECK(names == std::vector<std::string>{"nothing (2)", "nothing", "nothing (3)", "total (2)", "nothing (4)",
                                          "nothing (2) (2)"});
}

TEST_CASE("the launch file may contain the contents of buffers") {
  const PlanFolder folder;
  CHECK(buffer_of(folder, "{type: s16, values: [1, -2, 0x7f]}").count == 3);
  CHECK(values_of<std::int16_t>(buffer_of(folder, "{type: s16, values: [1, -2]}")) == std::vector<std::int16_t>{1, -2});
  CHECK(values_of<float>(buffer_of(folder, "{type: f32, count: 2, fill: .5}")) == std::vector<float>{0.5F, 0.5F});
  CHECK(values_of<std::uint32_t>(buffer_of(folder, "{type: u32, count: 3, range: {}}")) ==
        std::vector<std::uint32_t>{0, 1, 2});
  const PlannedBuffer zeros = buffer_of(folder, "{type: f64, shape: [3, 5]}");
  CHECK(zeros.count == 15);
  CHECK(zeros.contents.empty());
  const PlannedBuffer random = buffer_of(folder, "{type: u8, count: 50, random: {to: 9}}");
  CHECK(random.contents == buffer_of(folder, "{type: u8, count: 50, random: {seed: 1, from: 0, to: 9}}").contents);
  CHECK(random.contents != buffer_of(folder, "{type: u8, count: 50, random: {seed: 2, to: 9}}").contents);
}

TEST_CASE("raw files may contain the contents of buffers") {
  const PlanFolder folder;
  folder.place().write("data/six.bin", "abcdef");
  const auto bytes = [&](const std::string& text) {
    const auto values = values_of<char>(buffer_of(folder, text));
    return std::string(values.begin(), values.end());
  };
  CHECK(bytes("{type: u8, raw: data/six.bin}") == "abcdef");
  CHECK(bytes("{type: u16, raw: data/six.bin, offset: 2}") == "cdef");
  CHECK(bytes("{type: u8, raw: data/six.bin, offset: 1 B, length: 3}") == "bcd");
  CHECK(bytes("{type: u8, raw: data/six.bin, count: 4}") == "abcd");
}

TEST_CASE("a NumPy array supplies type, count and shape, which must match values in the launch file") {
  const PlanFolder folder;
  const std::vector<std::uint64_t> shape{2, 3};
  folder.place().write("a.npy", npy_bytes(ElementType::f64, shape, std::vector<std::byte>(48)));
  const PlannedBuffer buffer = buffer_of(folder, "{npy: a.npy}");
  CHECK(buffer.type == ElementType::f64);
  CHECK(buffer.shape == shape);
  CHECK(buffer_of(folder, "{npy: a.npy, type: f64, count: 6, shape: [2, 3]}").count == 6);
}

TEST_CASE("scenes and rays have the layout of the traversal kernels") {
  const PlanFolder folder;
  const scenes::LoadedScene scene = scenes::load_scene("box");
  const scenes::Bvh bvh = scenes::build_bvh(scene.mesh);
  CHECK(buffer_of(folder, "{scene: box, part: nodes}").bytes() == bvh.nodes.size() * sizeof(scenes::BvhNode));
  CHECK(buffer_of(folder, "{scene: box, part: triangles}").bytes() == bvh.rows.size() * sizeof(scenes::TriangleRow));
  CHECK(values_of<int>(buffer_of(folder, "{scene: box, part: triangle_of_row}")) == bvh.triangle_of_row);

  scenes::PathTracerOptions options;
  options.width = 8;
  options.height = 4;
  options.samples_per_pixel = 1;
  options.bounces = 2;
  const scenes::RayStreams streams = scenes::trace_paths(scene.mesh, options);
  const PlannedBuffer rays = buffer_of(folder, "{scene: box, part: rays, width: 8, height: 4}");
  CHECK(rays.count == 8 * 4 * 8);
  CHECK(rays.record == 8);
  scenes::save_streams(streams, folder.place().path() / "box.rays");
  const PlannedBuffer shadow = buffer_of(folder, "{rays: box.rays, bounce: 2, kind: shadow}");
  CHECK(shadow.bytes() == streams.shadow[1].rays.size() * sizeof(scenes::Ray));
  CHECK(buffer_of(folder, "{rays: box.rays}").contents == rays.contents);
}

TEST_CASE("each file that was read is listed once") {
  const PlanFolder folder;
  folder.place().write("b.bin", "x");
  const LaunchPlan plan = folder.plan_of(
      "buffers: {x: {type: u8, raw: b.bin}}\nlaunches:\n- &a {program: take.ptx, kernel: nothing, grid: 1, block: 1}\n"
      "- *a\nexpected: [{buffer: x, raw: b.bin}]\n");
  const std::string top = folder.place().path().string();
  CHECK(plan.files == std::vector<std::string>{top + "/b.bin", top + "/take.ptx"});
  CHECK(plan.launches.size() == 2);
}

TEST_CASE("texture references and objects read buffers, on both machines") {
  const PlanFolder folder;
  folder.place().write("tex.ptx", tests::texture_ptx);
  const std::string text =
      "buffers:\n  image: {type: u8, values: [0, 51, 255, 102]}\n  pairs: {type: f32, values: [1, 2, 3, 4]}\n"
      "  out: {type: f32, count: 4}\n"
      "launches:\n- program: tex.ptx\n  kernel: both\n  grid: 1\n  block: 2\n"
      "  arguments: [{texture: pairs, components: 2}, out]\n"
      "  textures: {image_reference: {buffer: image, components: 2, normalized: true}}\n"
      "expected: [{buffer: out, values: [0.2, 2, 0.4, 4], ulps: 1}]\n";
  const LaunchPlan plan = folder.plan_of(text);
  const PlanResult result = run_plan(plan, find_machine(GENERATE("timed", "functional")), {});
  for (const Difference& difference : result.checks.front().first) {
    UNSCOPED_INFO(difference.index << ": " << difference.got << ", expected " << difference.expected);
  }
  CHECK(result.checks.front().agrees());
}

TEST_CASE("a cooperative launch synchronises at grid barriers, and is refused before the run if it is too large") {
  const PlanFolder folder;
  // Like cooperative_groups::this_grid().sync(): the first block adds a value with which the highest bit flips when all
  // blocks have arrived.
  folder.place().write("grid.ptx",
                       ".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry meet(.param .u64 words)\n{\n"
                       "  .reg .b64 %rd<6>;\n  .reg .b32 %r<12>;\n  .reg .pred %p<4>;\n"
                       "  ld.param.u64 %rd1, [words];\n"
                       "  mov.u32 %r1, %envreg1;\n  mov.u32 %r2, %envreg2;\n  mov.b64 %rd2, {%r2, %r1};\n"
                       "  setp.eq.u64 %p1, %rd2, 0;\n  @%p1 trap;\n"
                       "  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %nctaid.x;\n"
                       "  mul.wide.u32 %rd3, %r3, 4;\n  add.u64 %rd3, %rd1, %rd3;\n"
                       "  red.global.add.u32 [%rd3], 1;\n"
                       "  setp.eq.u32 %p2, %r3, 0;\n  sub.u32 %r5, 0x80000001, %r4;\n  selp.u32 %r5, %r5, 1, %p2;\n"
                       "  atom.add.release.gpu.u32 %r6, [%rd2+4], %r5;\n"
                       "AGAIN:\n  ld.acquire.gpu.u32 %r7, [%rd2+4];\n  xor.b32 %r7, %r7, %r6;\n"
                       "  setp.gt.s32 %p3, %r7, -1;\n  @%p3 bra AGAIN;\n"
                       "  add.u32 %r8, %r3, 1;\n  rem.u32 %r8, %r8, %r4;\n"
                       "  mul.wide.u32 %rd4, %r8, 4;\n  add.u64 %rd4, %rd1, %rd4;\n  ld.relaxed.gpu.u32 %r9, [%rd4];\n"
                       "  st.global.u32 [%rd3+64], %r9;\n  ret;\n}\n");
  const auto text = [](const std::string& cooperative) {
    return "buffers: {words: {type: u32, count: 32}}\nlaunches:\n- repeat: 2\n  launches:\n"
           "  - {program: grid.ptx, grid: 16, block: 1, arguments: [words]" +
           cooperative + "}\nexpected: [{buffer: words, fill: 2}]\n";
  };
  const LaunchPlan plan = folder.plan_of(text(", cooperative: true"));
  const MachineKind& machine = find_machine(GENERATE("timed", "functional"));
  GpuParameters gpu;
  CHECK(run_plan(plan, machine, gpu).checks.front().agrees());
  CHECK(warnings_of(plan, machine, gpu).empty());
  gpu.sms = 1;
  gpu.sm.block_slots = 15;
  CHECK_THROWS_WITH(rehearse_plan(plan, machine, gpu), Contains("has 16 blocks, and the machine holds 15 at a time"));
  const std::vector<std::string> warnings = warnings_of(folder.plan_of(text("")), machine, gpu);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings.front(), Contains("grid.ptx:10:") && Contains("`cooperative: true`"));
}

TEST_CASE("the functional machine warns of waiting loops if the platform's scheme may differ") {
  const PlanFolder folder;
  folder.place().write("flag.ptx",
                       ".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry flag(.param .u64 words)\n{\n"
                       "  .reg .b64 %rd<2>;\n  .reg .b32 %r<2>;\n  .reg .pred %p<2>;\n"
                       "  ld.param.u64 %rd1, [words];\n"
                       "AGAIN:\n  ld.volatile.global.u32 %r1, [%rd1];\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra AGAIN;\n"
                       "  ret;\n}\n");
  const LaunchPlan plan = folder.plan_of(
      "buffers: {words: {type: u32, fill: 1, count: 1}}\n"
      "launches: [{program: flag.ptx, grid: 1, block: 32, arguments: [words]}]\n");
  for (const auto& [scheme, warns] :
       {std::pair{"reconvergence_stack", false}, std::pair{"mimd", false}, std::pair{"convergence_barrier", false},
        std::pair{"thread_block_compaction", true}}) {
    GpuParameters gpu;
    gpu.sm.scheme = {scheme};
    INFO(scheme);
    const std::vector<std::string> warnings = warnings_of(plan, find_machine("functional"), gpu);
    REQUIRE(warnings.empty() == !warns);
    if (warns) CHECK_THAT(warnings.front(), Contains("flag.ptx:13:") && Contains(scheme));
  }
}

TEST_CASE("a group of launches runs repeatedly, in order, and its runs are added up") {
  const PlanFolder folder;
  // Each run of the group computes two Fibonacci numbers, which depend on the order.
  const std::string saxpy = RECONVERGE_SOURCE_DIR "/platforms/kernels/saxpy.ptx";
  const auto launch = [&](const std::string& from, const std::string& to) {
    return "{name: " + to + ", program: " + saxpy + ", grid: 1, block: 32, arguments: [1, " + from + ", " + to +
           ", 1]}";
  };
  const std::string buffers =
      "buffers: {a: {type: f32, values: [1]}, b: {type: f32, values: [0]}, c: {type: f32, count: 1}}\n";
  const LaunchPlan plan =
      folder.plan_of(buffers + "launches:\n- " + launch("b", "c") + "\n- repeat: 5\n  launches:\n  - " +
                     launch("a", "b") + "\n  - " + launch("b", "a") + "\n- " + launch("a", "c") +
                     "\nexpected: [{buffer: a, values: [89]}, {buffer: b, values: [55]}, {buffer: c, values: [89]}]\n");
  REQUIRE(plan.launches.size() == 4);
  CHECK(plan.order == std::vector<std::size_t>{0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3});
  const MachineKind& machine = find_machine(GENERATE("timed", "functional", "streams"));
  const PlanResult result = run_plan(plan, machine, Platform());
  CHECK(result.completed);
  for (const Comparison& check : result.checks) CHECK(check.agrees());
  REQUIRE(result.launches.size() == 4);
  const LaunchResult& once = result.launches[0];
  const LaunchResult& often = result.launches[2];
  CHECK(once.runs == 1);
  CHECK(often.runs == 5);
  CHECK(often.instructions.thread_instructions == 5 * once.instructions.thread_instructions);
  if (machine.traits.timed) CHECK(often.cycles() > 4 * result.launches[3].cycles());
  REQUIRE(often.traffic.size() == once.traffic.size());
  for (std::size_t i = 0; i < often.traffic.size(); ++i) {
    CHECK(often.traffic[i].records == 5 * once.traffic[i].records);
    CHECK(often.traffic[i].bytes == 5 * once.traffic[i].bytes);
  }
  CHECK((machine.name == "streams") == !once.traffic.empty());
}

TEST_CASE("a run that is stopped in a group reports the started launches and the number of runs") {
  const PlanFolder folder;
  const LaunchPlan plan = folder.plan_of(
      "launches:\n- repeat: 3\n  launches:\n  - &a {program: take.ptx, kernel: nothing, grid: 1, block: 1}\n  - *a\n");
  // Each launch has one block.
  const auto stop_at_fourth = [&](const RunProgress& progress) { return progress.done < 3; };
  const PlanResult result = run_plan(plan, find_machine("functional"), Platform(), {.keep_running = stop_at_fourth});
  CHECK_FALSE(result.completed);
  REQUIRE(result.launches.size() == 2);
  CHECK(result.launches[0].runs + result.launches[1].runs == 3);
}

TEST_CASE("progress counts the blocks of all launches, including repeated launches") {
  const PlanFolder folder;
  const LaunchPlan plan = folder.plan_of(
      "launches:\n- repeat: 3\n  launches:\n  - {program: take.ptx, kernel: nothing, grid: 2, block: 1}\n"
      "- {program: take.ptx, kernel: nothing, grid: 5, block: 1}\n");
  std::vector<std::uint64_t> ended;
  const auto note = [&](const RunProgress& progress) {
    CHECK(progress.all == 11);
    if (ended.empty() || ended.back() != progress.done) ended.push_back(progress.done);
    return true;
  };
  CHECK(run_plan(plan, find_machine("timed"), Platform(), {.keep_running = note}).completed);
  CHECK(ended == std::vector<std::uint64_t>{0, 2, 4, 6, 11});
}

TEST_CASE("a limit of cycles applies to all launches together, and the run stops at the limit") {
  const PlanFolder folder;
  const LaunchPlan plan = folder.plan_of(
      "launches:\n- repeat: 3\n  launches:\n"
      "  - {program: take.ptx, kernel: nothing, grid: 1, block: 1}\n");
  const MachineKind& machine = find_machine(GENERATE("timed", "streams", "multi_pass"));
  const auto limited = [&](Cycle cycles) { return run_plan(plan, machine, Platform(), {.most_cycles = cycles}); };
  const PlanResult all = limited(0);
  const Cycle cycles = all.launches[0].cycles();
  CHECK(limited(cycles + 1).completed);
  const PlanResult some = limited(cycles - 1);
  CHECK_FALSE(some.completed);
  CHECK(some.checks.empty());
  REQUIRE(some.launches.size() == 1);
  CHECK(some.launches[0].runs == 3);
  CHECK(limited(cycles / 3).launches[0].runs < 3);
  if (machine.traits.sms) CHECK(some.launches[0].cycles() == cycles - 1);
}

TEST_CASE("an argument may copy the start of a buffer, and a scene supplies its camera and its grid") {
  const PlanFolder folder;
  const LaunchPlan plan =
      folder.plan_of(take_with("[0, x, {contents_of: x}, 0, 0, 0]", "x: {type: f32, values: [1, 2, 3, 4, 5, 6]}"));
  const PlannedLaunch& launch = plan.launches.front();
  CHECK(value_at<float>(launch.parameters, launch.program->parameters[2].offset + 20) == 6);
  CHECK(launch.addresses.size() == 1);

  const scenes::Mesh mesh = scenes::load_scene("box").mesh;
  const scenes::Grid grid = scenes::build_grid(mesh);
  const auto part = [&](const std::string& name, std::uint64_t record, const auto& expected) {
    const PlannedBuffer buffer = buffer_of(folder, "{scene: box, width: 30, height: 20, part: " + name + "}");
    CHECK(buffer.record == record);
    const auto bytes = std::as_bytes(std::span(expected));
    CHECK(std::ranges::equal(buffer.contents, bytes));
  };
  part("camera", 16, std::vector{scenes::eye_frame(mesh.camera, 30, 20)});
  part("grid_frame", 16, std::vector{grid.frame});
  part("grid_first", 1, grid.first);
  part("grid_cell_triangles", 1, grid.cell_triangles);
  part("grid_triangles", 12, grid.triangles);
}

TEST_CASE("a .vox file supplies its grid") {
  const PlanFolder folder;
  const scenes::Mesh mesh = scenes::box();
  const scenes::Grid grid = scenes::build_grid(mesh, {.resolution = {3, 2, 4}});
  const std::string file = folder.place().write("box.vox", scenes::vox_bytes(mesh, grid));
  const PlannedBuffer first = buffer_of(folder, "{scene: " + file + ", part: grid_first}");
  CHECK(values_of<unsigned>(first) == grid.first);
  CHECK(first.count == 25);
  CHECK(values_of<int>(buffer_of(folder, "{scene: " + file + ", part: grid_cell_triangles}")) == grid.cell_triangles);
}

TEST_CASE("a part of a buffer may be expected, within a tolerance") {
  const PlanFolder folder;
  const LaunchPlan plan = folder.plan_of(
      "buffers: {x: {type: f32, count: 10, range: {}}}\n"
      "launches: [{program: take.ptx, kernel: nothing, grid: 1, block: 1}]\n"
      "expected:\n- {buffer: x, first: 3, count: 2, values: [3, 4.5], absolute: 0.5}\n"
      "- {buffer: x, first: 9, fill: 8, relative: 0.01, ulps: 4}\n");
  const PlanResult result = run_plan(plan, find_machine("functional"), {});
  REQUIRE(result.checks.size() == 2);
  CHECK(result.checks[0].agrees());
  CHECK(result.checks[0].values == 2);
  CHECK_FALSE(result.checks[1].agrees());
  CHECK(plan.checks[1].tolerance == Tolerance{0, 0.01, 4});
}

TEST_CASE("a buffer may be a variable of a module") {
  const PlanFolder folder;
  folder.place().write("variables.ptx", tests::variables_ptx);
  const LaunchPlan plan = folder.plan_of(
      "buffers:\n  w: {variable: weights, program: variables.ptx, type: f32, values: [1, 2, 3]}\n"
      "  m: {variable: misses, program: variables.ptx, type: u32}\n  out: {type: f32, count: 1}\n"
      "launches:\n- {program: variables.ptx, grid: 1, block: 32, arguments: [out]}\n"
      "expected:\n- {buffer: m, values: [39]}\n- {buffer: w, values: [1, 2, 3]}\n- {buffer: out, values: [3]}\n");
  CHECK(plan.buffers[0].count == 3);
  CHECK(plan.buffers[1].count == 1);
  CHECK(plan.buffers[1].contents.empty());
  CHECK(std::count_if(plan.files.begin(), plan.files.end(),
                      [](const std::string& file) { return file.ends_with("variables.ptx"); }) == 1);
  const PlanResult result = run_plan(plan, find_machine("functional"), GpuParameters{});
  for (const Comparison& check : result.checks) CHECK(check.agrees());
  // The address of the variable is an argument, and the kernel writes its result there.
  const LaunchPlan aimed = folder.plan_of(
      "buffers:\n  w: {variable: weights, program: variables.ptx, type: f32, values: [1, 2, 3]}\n"
      "  m: {variable: where, program: variables.ptx, type: f32}\n"
      "launches:\n- {program: variables.ptx, grid: 1, block: 1, arguments: [m]}\n"
      "expected:\n- {buffer: m, count: 1, values: [3]}\n");
  CHECK(run_plan(aimed, find_machine("functional"), GpuParameters{}).checks.front().agrees());
}
