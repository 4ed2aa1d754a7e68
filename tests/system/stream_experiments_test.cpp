// SPDX-License-Identifier: Apache-2.0
/// Streaming graphs by hand and by the pass (Popa 2004, sections 3.3, 3.4 and 4.3.2): as on a GPU, the results are
/// those of the native twins.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <span>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/kernels/tessellation.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace twins = reconverge::kernels;

namespace {

const std::string kernel_folder = RECONVERGE_SOURCE_DIR "/platforms/kernels/";
const std::string by_hand = kernel_folder + "streams/";
const std::string platform =
    "extends: [" RECONVERGE_SOURCE_DIR "/yaml/platforms/stream_processor.yaml, " RECONVERGE_SOURCE_DIR
    "/yaml/platforms/gtx780.yaml]\n";

/// Runs a launch file with settings; its outputs are in `out` of the folder.
ProgramResult run_text(const TemporaryFolder& place, const std::string& text,
                       const std::vector<std::string>& settings) {
  place.write("run.yaml", platform + text);
  std::vector<std::string> words{"run", "run.yaml", "--force", "--out", "out"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return run_program(words, {place.path()});
}

template <typename T>
std::vector<T> read_buffer(const TemporaryFolder& place, const std::string& name) {
  const std::string bytes = read_file(place.path() / "out" / name);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

/// One launch, of a file and of another: by the pass on both machines, and by hand.
struct Way {
  std::string program;
  std::vector<std::string> settings;
};

std::vector<Way> ways(const std::string& ordinary, const std::string& streams) {
  return {{kernel_folder + ordinary, {"machine=timed"}},
          {kernel_folder + ordinary, {}},
          {kernel_folder + ordinary,
           {"stream_processor.graph.in_place=true", "stream_processor.lanes=8", "stream_processor.network.ports=8"}},
          {by_hand + streams, {}},
          {by_hand + streams, {"stream_processor.graph.in_place=true"}},
          {by_hand + streams, {"stream_processor.graph.constants=false", "stream_processor.registers.words=8192"}}};
}

}  // namespace

TEST_CASE("the Julia set is the same by hand and by the pass, by a feedback arc and in place") {
  constexpr unsigned width = 48;
  constexpr unsigned height = 40;
  constexpr unsigned count = width * height;
  std::vector<twins::Float4> points(count);
  twins::twin("picture_points")(twins::shape_for(count), points.data(), width, height, 1.2F);
  std::vector<float> expected(count);
  twins::twin("julia_colours")(twins::shape_for(count), points.data(), 0.233F, 0.5378F, 60U, expected.data(), count);
  const TemporaryFolder place;
  for (const Way& way : ways("julia_stream.ptx", "julia.ptx")) {
    const ProgramResult result = run_text(
        place,
        fmt::format("buffers: {{points: {{type: f32, shape: [40, 48, 4]}}, colours: {{type: f32, shape: [40, 48]}}}}\n"
                    "launches:\n"
                    "- {{program: {}julia_stream.ptx, kernel: picture_points, threads: 1920, block: 64, "
                    "arguments: [points, 48, 40, 1.2]}}\n"
                    "- {{program: {}, kernel: julia_colours, threads: 1920, block: 64, "
                    "arguments: [points, 0.233, 0.5378, 60, colours, 1920]}}\n"
                    "outputs: [{{buffer: colours, raw: colours.bin}}]\n",
                    kernel_folder, way.program),
        way.settings);
    INFO(way.program << ' ' << fmt::format("{}", fmt::join(way.settings, " ")) << ' ' << result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(same_bytes(read_buffer<float>(place, "colours.bin"), expected));
    const bool parted = way.settings.empty() || way.settings.front() != "machine=timed";
    CHECK(std::filesystem::exists(place.path() / "out" / "traffic.dot") == parted);
    if (!parted) continue;
    CHECK_THAT(read_file(place.path() / "out" / "traffic.dot"),
               Catch::StartsWith("digraph traffic {") && Contains("label=\"1,920 records"));
  }
}

TEST_CASE("material mapping is the same by hand and by the pass") {
  constexpr unsigned side = 32;
  const TemporaryFolder place;
  for (const Way& way : ways("shade_programs.ptx", "material_mapping.ptx")) {
    const ProgramResult result =
        run_text(place,
                 fmt::format("buffers:\n"
                             "  mask: {{type: f32, shape: [32, 32]}}\n"
                             "  texels: {{type: f32, shape: [8, 16, 16, 4], random: {{seed: 1, from: 0, to: 1}}}}\n"
                             "  colours: {{type: f32, shape: [32, 32, 4]}}\n"
                             "launches:\n"
                             "- {{program: {}displaced.ptx, kernel: displacement_heights, threads: 1024, block: 64, "
                             "arguments: [mask, 32, 1]}}\n"
                             "- {{program: {}, kernel: material_mapping, grid: [2, 4], block: [16, 8], "
                             "arguments: [mask, texels, 16, 32, 32, colours]}}\n"
                             "outputs: [{{buffer: mask, raw: mask.bin}}, {{buffer: texels, raw: texels.bin}}, "
                             "{{buffer: colours, raw: colours.bin}}]\n",
                             kernel_folder, way.program),
                 way.settings);
    INFO(way.program << ' ' << fmt::format("{}", fmt::join(way.settings, " ")) << ' ' << result.errors);
    REQUIRE(result.exit_code == 0);
    const auto mask = read_buffer<unsigned>(place, "mask.bin");
    const auto texels = read_buffer<twins::Float4>(place, "texels.bin");
    std::vector<twins::Float4> expected(side * side);
    twins::twin("material_mapping")({{2, 4, 1}, {16, 8, 1}}, mask.data(), texels.data(), 16U, side, side,
                                    expected.data());
    CHECK(same_bytes(read_buffer<twins::Float4>(place, "colours.bin"), expected));
  }
}

namespace {

/// Adaptive tessellation of a small torus, and the results of the twins.
struct SmallTorus {
  SmallTorus() {
    what.side = 32;
    what.around = 16;
    what.across = 8;
    what.tolerance = 0.06F;
    what.depth = 5;
    map = twins::displacement_map(what);
    base = twins::torus(what);
    leaves = twins::by_stack(what, map, base);
    picture = twins::picture(what, map, leaves, 60.0F, 96, 72);
    leaves.records.resize(leaves.count);
    REQUIRE(leaves.count > 2 * what.base_count());
  }

  /// Files with the map and the base; returns their buffers and one for the picture, as text.
  std::string put(const TemporaryFolder& place) const {
    const auto write = [&](const std::string& name, const auto& values) {
      const auto bytes = std::as_bytes(std::span(values));
      place.write(name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    };
    write("heights.bin", map.heights);
    write("bounds.bin", map.bounds);
    write("base.bin", base);
    return "buffers:\n"
           "  heights: {type: f32, raw: heights.bin}\n"
           "  bounds: {type: f32, raw: bounds.bin}\n"
           "  base: {type: f32, raw: base.bin}\n"
           "  picture: {type: s32, shape: [72, 96]}\n";
  }

  twins::Tessellation what;
  twins::Map map;
  std::vector<twins::Record> base;
  twins::Leaves leaves;
  std::vector<int> picture;
};

}  // namespace

TEST_CASE("tessellation by hand leaves the triangles and the picture of the rounds") {
  SmallTorus expected;
  twins::sort_records(std::as_writable_bytes(std::span(expected.leaves.records)));
  const TemporaryFolder place;
  const std::string buffers = expected.put(place);
  const std::vector<std::vector<std::string>> settings{
      {},
      {"stream_processor.graph.in_place=true"},
      {"stream_processor.registers.count=5", "stream_processor.registers.words=1248"},
      {"stream_processor.lanes=4", "stream_processor.network.ports=4",
       "stream_processor.scheduler.push_threshold=0.9"}};
  for (const auto& each : settings) {
    const ProgramResult result = run_text(
        place,
        fmt::format(
            "{}"
            "  leaves: {{type: f32, shape: [4096, 24]}}\n"
            "  numbers: {{type: u32, count: 4096}}\n"
            "launches:\n"
            "- {{program: {}tessellate.ptx, threads: 256, block: 64, "
            "arguments: [base, 256, 5, leaves, numbers, 4096, heights, bounds, 32, 0.06, 60, picture, 96, 72]}}\n"
            "outputs: [{{buffer: leaves, raw: leaves.bin}}, {{buffer: numbers, raw: numbers.bin}}, "
            "{{buffer: picture, raw: shown.bin}}]\n",
            buffers, by_hand),
        each);
    INFO(fmt::format("{}", fmt::join(each, " ")) << ' ' << result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.output, !Contains(" 0 registers spilled"));  // more streams than registers
    const auto places = read_buffer<twins::Record>(place, "leaves.bin");
    const auto numbers = read_buffer<unsigned>(place, "numbers.bin");
    std::vector<twins::Record> leaves;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] != 0) leaves.push_back(places.at(i));
    }
    twins::sort_records(std::as_writable_bytes(std::span(leaves)));
    CHECK(same_bytes(leaves, expected.leaves.records));
    CHECK(read_buffer<int>(place, "shown.bin") == expected.picture);
  }
}

TEST_CASE("tessellation by passes has the triangles, their order and the picture of the stack") {
  const SmallTorus expected;
  const TemporaryFolder place;
  const std::string buffers = expected.put(place);
  const std::string atomics = "stream_processor.atomics=true";
  const std::vector<std::vector<std::string>> settings{
      {"machine=functional"},
      {"machine=timed"},
      {},
      {atomics},
      {atomics, "stream_processor.graph.in_place=true"},
      {atomics, "stream_processor.graph.merging=none", "stream_processor.registers.words=8192"},
      {atomics, "stream_processor.graph.merge_nodes=true", "stream_processor.graph.accumulation_nodes=true"},
      {atomics, "stream_processor.scheduler.policy=deepest_first", "stream_processor.lanes=4",
       "stream_processor.network.ports=4"}};
  const std::string leaves =
      buffers + fmt::format(
                    "  runs: {{type: f32, shape: [256, 64, 24]}}\n"
                    "  run_counts: {{type: u32, count: 256}}\n"
                    "  leaves: {{type: f32, shape: [{0}, 24]}}\n"
                    "  leaf_count: {{type: u32, count: 1}}\n"
                    "outputs: [{{buffer: leaves, raw: leaves.bin}}, {{buffer: picture, raw: shown.bin}}]\n"
                    "expected: [{{buffer: leaf_count, values: [{0}]}}]\n"
                    "launches:\n"
                    "- {{program: {1}tessellate.ptx, kernel: tessellate_alone, threads: 256, block: 64, "
                    "arguments: [base, 256, 5, runs, run_counts, 64, heights, bounds, 32, 0.06]}}\n"
                    "- {{program: {1}tessellate.ptx, kernel: pack_runs, threads: 256, block: 64, "
                    "arguments: [runs, run_counts, 256, 64, leaves, leaf_count]}}\n",
                    expected.leaves.count, kernel_folder);
  const std::string picture = "- {program: " + kernel_folder +
                              "displaced.ptx, kernel: draw_displaced, threads: 512, block: 64, "
                              "arguments: [leaves, leaf_count, heights, 32, 60, picture, 96, 72]}\n";
  for (const auto& each : settings) {
    // Leaves need no atomics, but pixels do, because they keep the nearest hit.
    const bool draws = !each.empty();
    const ProgramResult result = run_text(place, draws ? leaves + picture : leaves, each);
    INFO(fmt::format("{}", fmt::join(each, " ")) << ' ' << result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(same_bytes(read_buffer<twins::Record>(place, "leaves.bin"), expected.leaves.records));
    if (draws) CHECK(read_buffer<int>(place, "shown.bin") == expected.picture);
  }
}

TEST_CASE("rays have the same hits on the stream processor as on a GPU with either kernel") {
  const TemporaryFolder place;
  const std::string folder = GENERATE("", "streams/");
  const ProgramResult result = run_program(small_run(
      {"--set", "machine=streams", "--set", "workload.scene=conference_small", "--set", "workload.structure=kd_tree",
       "--set", "workload.trace_program=" + kernel_folder + folder + "trace_kd_tree.ptx", "--set",
       "workload.trace_kernel=trace_kd_tree", "--out", (place.path() / "out").string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("0 mismatches") && Contains("Picture against the host's: agrees"));
}

TEST_CASE("incompatible kernels and machines are refused with advice") {
  const TemporaryFolder place;
  const auto refusal = [&](const std::string& program, const std::string& arguments,
                           const std::vector<std::string>& settings) {
    const ProgramResult result = run_text(place,
                                          "buffers: {x: {type: f32, count: 4096}, n: {type: u32, count: 1024}}\n"
                                          "launches: [{program: " +
                                              program + ", threads: 32, block: 32, arguments: " + arguments + "}]\n",
                                          settings);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    return result.errors;
  };
  const std::string points = "[x, 0, 0, 4, x, 32]";
  CHECK_THAT(refusal(by_hand + "julia.ptx", points, {"machine=timed"}),
             Contains("streams/julia.ptx:48:") && Contains("emit"));
  CHECK_THAT(refusal(by_hand + "julia.ptx", points, {"machine=functional"}), Contains("emit"));
  const std::string triangles = "[x, 32, 2, x, n, 1024, x, x, 16, 0.1, 4, n, 4, 4]";
  CHECK_THAT(refusal(by_hand + "tessellate.ptx", triangles, {"stream_processor.registers.words=1024"}),
             Contains("stream_processor.registers.words") && Contains("'pixel'") && Contains("1184 here"));
  CHECK_THAT(refusal(by_hand + "tessellate.ptx", triangles, {"stream_processor.registers.count=4"}),
             Contains("stream_processor.registers.count") && Contains("'split'") && Contains("writes 4"));
  const std::string loop =
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry walk(.param .u64 out)\n{\n"
      "  .reg .pred %p;\n  .reg .b32 %r;\n  mov.u32 %r, %tid.x;\n  emit inner;\n  exit;\n"
      "inner:\n  mov.u32 %r, %tid.x;\nagain:\n  add.s32 %r, %r, 1;\n  setp.lt.s32 %p, %r, 99;\n  @%p bra again;\n"
      "  exit;\n}\n";
  CHECK_THAT(refusal(place.write("walk.ptx", loop), "[x]", {}),
             Contains("walk.ptx:14:") && Contains("a loop within one node") && Contains("emit to its head"));
}
