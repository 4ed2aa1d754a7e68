// SPDX-License-Identifier: Apache-2.0
/// All commands but `run`.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

/// The output of a command, which must succeed without messages.
std::string output_of(const std::vector<std::string>& arguments, const ProgramOptions& options = {}) {
  const ProgramResult result = run_program(arguments, options);
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.errors.empty());
  return result.output;
}

constexpr const char* conference = "yaml/experiments/conference.yaml";

}  // namespace

TEST_CASE("help shows every command, its examples and the exit codes") {
  CHECK_THAT(output_of({"--help"}), Contains("Exit codes: 0 success") && Contains("130 interrupted"));
  for (const auto* command :
       {"run", "validate", "inspect", "profile", "rays", "scene-stats", "list", "schema", "transform", "report"}) {
    CHECK_THAT(output_of({"--help"}), Contains(std::string("  ") + command + ' '));
    CHECK_THAT(output_of({command, "--help"}), Contains(std::string("  reconverge ") + command + ' '));
  }
  CHECK_THAT(output_of({"--version"}), StartsWith("reconverge 1."));
}

TEST_CASE("validate accepts the main experiment and writes nothing") {
  const TemporaryFolder place;
  const std::string file = std::string(RECONVERGE_SOURCE_DIR "/") + conference;
  CHECK_THAT(output_of({"validate", file}, {place.path()}),
             Contains("valid") && Contains("conference") && Contains("every kernel fits"));
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("validate refuses what run would refuse") {
  const ProgramResult result = run_program(
      {"validate", conference, "--set", "workload.scene=box", "--set", "gpu.sm.register_file.registers=2048"});
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("does not fit"));
}

TEST_CASE("scene-stats measures a scene, compares it and paints it") {
  const std::string table = output_of({"scene-stats", "glassner"});
  CHECK_THAT(table, StartsWith("triangles                  840\n") && Contains("\nmaterials\n") && Contains("teapot"));
  CHECK_THAT(
      output_of({"scene-stats", "glassner", "--against", "box"}),
      Contains("against") && Contains("apart") && Contains(" figures of glassner are within a factor of 1.2 of box"));

  const json::value parsed = json::parse(output_of({"scene-stats", "glassner", "--against", "glassner", "--json"}));
  CHECK(parsed.at("scene").as_string() == "glassner");
  CHECK(parsed.at("statistics").at("triangles").to_number<int>() == 840);
  CHECK(parsed.at("statistics").at("materials").as_object().size() == 10);
  for (const auto& entry : parsed.at("comparison").as_object()) CHECK(entry.value().at("close").as_bool());

  const TemporaryFolder place;
  const fs::path picture = place.path() / "glassner.png";
  output_of(
      {"scene-stats", "glassner", "--picture", picture.string(), "--width", "40", "--height", "30", "--samples", "4"});
  CHECK_THAT(read_file(picture), StartsWith("\x89PNG"));
}

TEST_CASE("scene-stats refuses a file that is not a scene") {
  const ProgramResult unknown = run_program({"scene-stats", "glasner"});
  CHECK(unknown.exit_code == 2);
  CHECK(is_one_complaint(unknown.errors));
  CHECK_THAT(unknown.errors, Contains("did you mean 'glassner'?"));
  const ProgramResult nowhere = run_program({"scene-stats", "quad", "--picture", "/nowhere/a.png", "--samples", "1"});
  CHECK(nowhere.exit_code != 0);
  CHECK(is_one_complaint(nowhere.errors));
}

TEST_CASE("inspect shows programs and their flow") {
  const std::string shade = "platforms/kernels/shade.ptx";
  CHECK_THAT(output_of({"inspect", "program", "platforms/kernels/saxpy.ptx"}),
             StartsWith("saxpy: ") && Contains("ld.param.u32") && Contains("bra"));
  CHECK_THAT(output_of({"inspect", "cfg", shade, "--entry", "shade_hits"}), StartsWith("B0: ") && Contains("meets at"));
  CHECK_THAT(output_of({"inspect", "cfg", shade, "--entry", "shade_hits", "--dot"}), StartsWith("digraph "));
  const ProgramResult several = run_program({"inspect", "program", shade});
  CHECK(several.exit_code == 2);
  CHECK(is_one_complaint(several.errors));
  CHECK_THAT(several.errors, Contains("shade_hits") && Contains("resolve_picture"));
}

TEST_CASE("inspect shows the results of each pass") {
  const std::string trace = "platforms/kernels/trace_while_while.ptx";
  CHECK_THAT(output_of({"inspect", "loops", trace}), StartsWith("loop at ") && Contains("\n  loop at "));
  CHECK_THAT(output_of({"inspect", "functions", trace}),
             StartsWith("trace_while_while: ") && Contains("B local memory a thread") && Contains("  nothing\n"));
  CHECK_THAT(output_of({"inspect", "liveness", trace}), StartsWith("trace_while_while: ") && Contains("live"));
  CHECK_THAT(output_of({"inspect", "reconvergence", trace}), Contains("meets at pc"));
  CHECK_THAT(output_of({"inspect", "divergence", trace}), Contains("divergent"));
  CHECK_THAT(output_of({"inspect", "barriers", trace}), Contains("join   B0") && Contains("wait   B0"));
  CHECK_THAT(output_of({"inspect", "scoreboards", trace}), Contains("&wr=sb0") && Contains("&req=sb0"));
}

TEST_CASE("inspect shows the occupancy on a platform") {
  const std::string saxpy = "platforms/kernels/saxpy.ptx";
  const std::string platform = "yaml/platforms/gtx780.yaml";
  // 64 warp slots and 16 block slots: 16 blocks of 64 threads, 8 of 256.
  CHECK_THAT(output_of({"inspect", "occupancy", saxpy, "--platform", platform}),
             Contains("     64      16      32    1024  block slots\n") &&
                 Contains("    256       8      64    2048  warp slots\n"));
  CHECK_THAT(output_of({"inspect", "occupancy", saxpy, "--block", "64", "--by-warp"}),
             Contains("     64      32      64    2048  warp slots\n") && !Contains("    256 "));
  CHECK_THAT(
      output_of({"inspect", "occupancy", saxpy, "--platform", platform, "--block", "64", "--dynamic-shared", "24576"}),
      Contains("     64       2       4     128  shared memory\n"));
}

TEST_CASE("rays are recorded, and described as they were recorded") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "box.rays").string();
  const std::string recorded = output_of(
      {"rays", "--scene", "box", "--width", "20", "--height", "10", "--bounces", "2", "--seed", "7", "--out", file});
  CHECK_THAT(recorded, Contains("20 x 10 pixels") && Contains("seed 7") && Contains("           200"));
  const std::string described = output_of({"rays", "--info", file});
  CHECK(recorded == described + "Rays in " + file + "\n");
  CHECK(names_in(place.path()) == std::vector<std::string>{"box.rays"});
}

TEST_CASE("rays that cannot be recorded or read are refused") {
  const TemporaryFolder place;
  const std::string nowhere = (place.path() / "no" / "box.rays").string();
  CHECK(run_program({"rays", "--scene", "box", "--out", nowhere}).exit_code == 4);
  const ProgramResult device = run_program({"rays", "--scene", "box", "--out", "/dev/full"});
  CHECK(device.exit_code == 4);
  CHECK(is_one_complaint(device.errors));
  CHECK(fs::is_character_file("/dev/full"));
  ProgramOptions full;
  full.file_size_limit = 2000;
  CHECK(run_program({"rays", "--scene", "box", "--out", (place.path() / "box.rays").string()}, full).exit_code == 4);
  CHECK(names_in(place.path()).empty());

  const ProgramResult wrong = run_program({"rays", "--info", place.write("no.rays", "not rays")});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.errors, Contains("no.rays"));
  const ProgramResult scene = run_program({"rays", "--scene", "bxo", "--out", (place.path() / "new.rays").string()});
  CHECK(scene.exit_code == 2);
  CHECK_THAT(scene.errors, Contains("'box'"));
  CHECK(run_program({"rays", "--scene", "box", "--bounces", "0", "--out", (place.path() / "new.rays").string()})
            .exit_code == 2);
}

TEST_CASE("list names blocks, parameters, statistics and scenes") {
  CHECK_THAT(output_of({"list", "blocks"}), Contains("warp_scheduler") && Contains("models/sm"));
  CHECK_THAT(output_of({"list", "parameters"}), Contains("gpu.sm.l1.capacity = 48 KiB") && Contains("workload.scene"));
  CHECK_THAT(output_of({"list", "statistics"}), Contains("warp_scheduler.active_lanes"));
  CHECK_THAT(output_of({"list", "scenes"}), Contains("conference\n") && Contains("box\n"));
  CHECK_THAT(output_of({"list", "blocks", "--markdown", "--block", "l1_cache"}),
             StartsWith("# l1_cache\n") && Contains("| `capacity` |") && Contains("| `hits` |"));
  const ProgramResult unknown = run_program({"list", "parameters", "--block", "l1_cash"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.errors, Contains("l1_cache"));
}

TEST_CASE("every parameter that is listed can be set to the default that is listed") {
  const json::value listed = json::parse(output_of({"list", "parameters", "--json"}));
  std::vector<std::string> arguments{"run", conference, "--dump-config"};
  for (const json::value& parameter : listed.as_array()) {
    arguments.emplace_back("--set");
    arguments.push_back(std::string(parameter.at("path").as_string()) + '=' +
                        std::string(parameter.at("default").as_string()));
  }
  REQUIRE(listed.as_array().size() > 40);
  output_of(arguments);
}

TEST_CASE("the other lists are JSON on demand") {
  for (const auto* kind : {"blocks", "statistics", "scenes"}) {
    CHECK_FALSE(json::parse(output_of({"list", kind, "--json"})).as_array().empty());
  }
}

TEST_CASE("the schema is the one that is checked in") {
  const TemporaryFolder place;
  const std::string schema = output_of({"schema"});
  CHECK(schema == read_file(RECONVERGE_SOURCE_DIR "/yaml/schema/experiment.json"));
  const fs::path file = place.path() / "schema.json";
  output_of({"schema", "--out", file.string()});
  CHECK(read_file(file) == schema);
}
