// SPDX-License-Identifier: Apache-2.0
/// The megakernel form of the ray-tracing workload: its checks, its refusals, and samples of blocks.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "scenes/files/picture.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace scenes = reconverge::scenes;

namespace {

const std::string tree = RECONVERGE_SOURCE_DIR;

/// A shipped megakernel with a small picture of a small scene, all of its blocks, and software traversal.
std::vector<std::string> small(const std::string& experiment, const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"run", tree + "/yaml/experiments/si/" + experiment + ".yaml"};
  std::vector<std::string> all{
      "workload.scene=conference_small", "workload.width=44",        "workload.height=28",
      "workload.texture_side=64",        "workload.sample_blocks=1", "gpu.sm.scheme=reconvergence_stack"};
  for (const char* scheme : {"convergence_barrier", "subwarp_interleaving"}) {
    all.push_back(std::string("gpu.sm.") + scheme + ".registers=32");  // for the loops of software traversal
  }
  all.push_back("workload.trace_program=" + tree + "/platforms/kernels/megakernels.ptx");
  all.push_back("workload.trace_kernel=megakernel" + experiment.substr(experiment.rfind('_')));
  all.insert(all.end(), settings.begin(), settings.end());
  for (const std::string& each : all) arguments.insert(arguments.end(), {"--set", each});
  return arguments;
}

ProgramResult run_small(const std::string& experiment, const std::vector<std::string>& settings, const fs::path& out) {
  auto arguments = small(experiment, settings);
  arguments.insert(arguments.end(), {"--out", out.string()});
  return run_program(arguments);
}

scenes::Picture picture_of(const fs::path& out) {
  const std::string bytes = read_file(out / "picture.png");
  const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
  return scenes::decode_png(data, "picture.png");
}

}  // namespace

TEST_CASE("megakernels draw the host's picture with Embree's rays under several schemes") {
  const TemporaryFolder place;
  const auto* experiment = GENERATE("conference_diffuse", "glassner_occlusion", "forest_reflection", "atrium_mixed");
  const auto* scheme =
      GENERATE("reconvergence_stack", "mimd", "thread_block_compaction", "convergence_barrier", "subwarp_interleaving");
  const ProgramResult result = run_small(experiment, {std::string("gpu.sm.scheme=") + scheme}, place.path() / "out");
  INFO(experiment << ' ' << scheme << ' ' << result.errors << result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains(", 0 mismatches") && Contains("agrees, largest difference of a channel 0"));
}

TEST_CASE("megakernels draw the same picture with the traversal unit") {
  const TemporaryFolder place;
  const std::string experiment =
      GENERATE("conference_diffuse", "glassner_occlusion", "forest_reflection", "atrium_mixed");
  const std::string paths = GENERATE("reconvergence_stack", "convergence_barrier", "subwarp_interleaving");
  const ProgramResult result =
      run_small(experiment,
                {"gpu.sm.scheme=[" + paths + ", raytrace]",
                 "workload.trace_program=" + tree + "/platforms/kernels/megakernels_unit.ptx",
                 "workload.trace_kernel=megakernel" + experiment.substr(experiment.rfind('_')) + "_unit"},
                place.path() / "out");
  INFO(experiment << ' ' << paths << ' ' << result.errors << result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains(", 0 mismatches") && Contains("agrees, largest difference of a channel 0"));
}

TEST_CASE("a megakernel that draws something else is found out") {
  const TemporaryFolder place;
  std::string text = read_file(tree + "/platforms/kernels/megakernels.ptx");
  SECTION("another constant of a material") {
    const std::size_t at = text.find("material_constantsE[512] = {102, ");
    REQUIRE(at != std::string::npos);
    text.replace(text.find("102, ", at), 5, "103, ");
  }
  SECTION("hits that begin a little later") {
    const std::string entry = "megakernel_diffuse";
    const std::size_t at = text.find("setp.gt.f32", text.find(".visible .entry " + entry));
    REQUIRE(at != std::string::npos);
    text.replace(at, 11, "setp.lt.f32");
  }
  const std::string changed = place.write("changed.ptx", text);
  const ProgramResult result =
      run_small("conference_diffuse", {"workload.trace_program=" + changed}, place.path() / "out");
  INFO(result.errors << result.output);
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.output, Contains("DIFFERS"));
}

TEST_CASE("a sample of blocks draws these pixels of the picture and no others") {
  const TemporaryFolder place;
  REQUIRE(run_small("conference_occlusion", {}, place.path() / "all").exit_code == 0);
  REQUIRE(run_small("conference_occlusion", {"workload.sample_blocks=5"}, place.path() / "some").exit_code == 0);
  const scenes::Picture all = picture_of(place.path() / "all");
  const scenes::Picture some = picture_of(place.path() / "some");
  REQUIRE(all.width == 44);
  std::size_t drawn = 0;
  for (std::uint32_t y = 0; y < all.height; ++y) {
    for (std::uint32_t x = 0; x < all.width; ++x) {
      const bool sampled = (y / 8 * 6 + x / 8) % 5 == 0;
      drawn += sampled ? 1 : 0;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const std::size_t at = 3 * (std::size_t{y} * all.width + x) + channel;
        if (some.rgb[at] != (sampled ? all.rgb[at] : 0)) FAIL("pixel " << x << ", " << y);
      }
    }
  }
  CHECK(drawn > all.width * all.height / 6);
}

TEST_CASE("settings that a megakernel does not support are refused with their key") {
  const TemporaryFolder place;
  const auto refused = [&](const std::string& setting, const std::vector<std::string>& words) {
    const ProgramResult result = run_small("conference_diffuse", {setting}, place.path() / "out");
    INFO(setting << ": " << result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    for (const std::string& word : words) CHECK_THAT(result.errors, Contains(word));
    CHECK_FALSE(fs::exists(place.path() / "out"));
  };
  refused("workload.bounces=2", {"workload.bounces", "set workload.form to streams"});
  refused("workload.samples=4", {"workload.samples"});
  refused("workload.max_rays=100", {"workload.max_rays"});
  refused("workload.occlusion_rays=4", {"workload.occlusion_rays"});
  refused("workload.structure=grid", {"workload.structure", "traces by a BVH"});
  refused("stop_after=1000", {"stop_after", "workload.sample_blocks"});
  refused("workload.block_threads=72", {"workload.block_threads", "multiple of 32"});
  refused("workload.sample_blocks=9", {"workload.sample_blocks", "a row has 6", "multiple of 3"});
  refused("workload.shader_programs=3", {"workload.shader_programs", "4"});
  refused("workload.trace_kernel=megakernel_difuse", {"megakernel_difuse", "megakernel_diffuse"});
  refused("workload.form=streams", {"workload.trace_kernel", "five addresses"});
  refused("workload.trace_program=" + tree + "/platforms/kernels/trace_while_while.ptx", {"workload.trace_kernel"});
  const ProgramResult streams =
      run_small("conference_diffuse",
                {"workload.trace_program=" + tree + "/platforms/kernels/trace_while_while.ptx",
                 "workload.trace_kernel=trace_while_while"},
                place.path() / "out");
  CHECK(streams.exit_code == 2);
  CHECK_THAT(streams.errors, Contains("'trace_while_while'") && Contains("parameters of a megakernel"));
}
