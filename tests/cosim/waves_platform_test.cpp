// SPDX-License-Identifier: Apache-2.0
/// --wave in whole runs: each block that has RTL, what is rejected, and that the file is either complete or absent.

#include <catch2/catch.hpp>

#include "tests/cosim/waves_reader.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> words(const std::string& experiment, const fs::path& out,
                               const std::vector<std::string>& settings, const std::vector<std::string>& more) {
  std::vector<std::string> all{"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/" + experiment + ".yaml", "--out",
                               out.string(), "--quiet"};
  for (const std::string& setting : settings) all.insert(all.end(), {"--set", setting});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<std::string> small_scene{"workload.scene=conference_small", "workload.width=64", "workload.height=48",
                                           "workload.samples=1", "workload.bounces=1"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const std::string shuffling = "gpu.sm.dynamic_ray_shuffling.implementation=";

}  // namespace

TEST_CASE("every block that is in lock step shows its RTL and its model") {
  struct Block {
    std::string experiment;
    std::vector<std::string> settings;
    std::string scope;
    std::string port;
  };
  const auto block = GENERATE(
      Block{"drs_shuffling", with(small_scene, {shuffling + "lockstep"}), "gpu.sm_0.dynamic_ray_shuffling",
            "control_valid_i"},
      Block{"dmk/microkernels", with(small_scene, {"gpu.sms=2", "gpu.sm.dynamic_microkernel.implementation=lockstep"}),
            "gpu.sm_0.dynamic_microkernel.formation", "spawn_valid_i"},
      Block{"si/forest_mixed",
            {"workload.scene=conference_small", "workload.width=44", "workload.height=28", "workload.texture_side=64",
             "workload.sample_blocks=1", "gpu.sm.scheme=[subwarp_interleaving, raytrace]",
             "gpu.sm.subwarp_interleaving.trigger=any", "gpu.sm.subwarp_interleaving.implementation=lockstep"},
            "gpu.sm_0.subwarp_interleaving.unit_0",
            "set_i"},
      Block{
          "stream_julia", {"stream_processor.network.implementation=lockstep"}, "stream_processor.network", "valid_o"});
  INFO(block.experiment);
  const TemporaryFolder place;
  const fs::path file = place.path() / "waves.fst";
  const ProgramResult result =
      run_program(words(block.experiment, place.path() / "out", block.settings, {"--wave", file.string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const ReadSignals signals = read_fst(file);
  const ReadSignal& rtl = signals.at(block.scope + ".rtl." + block.port);
  const ReadSignal& model = signals.at(block.scope + ".model." + block.port);
  CHECK(rtl.width == model.width);
  // The value is the same for both, and not constant.
  CHECK(rtl.changes.size() > 2);
  bool equal = true;
  for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) equal = equal && rtl.at(10 * cycle) == model.at(10 * cycle);
  CHECK(equal);
}

TEST_CASE("waveforms do not change the report and two runs write the same bytes") {
  const TemporaryFolder place;
  const std::vector<std::string> settings = with(small_scene, {shuffling + "rtl"});
  for (const std::string name : {"first", "second"}) {
    REQUIRE(run_program(words("drs_shuffling", place.path() / name, settings,
                              {"--wave", (place.path() / (name + ".fst")).string(), "--wave-window", "100:300"}))
                .exit_code == 0);
  }
  CHECK(read_file(place.path() / "first.fst") == read_file(place.path() / "second.fst"));
  REQUIRE(run_program(words("drs_shuffling", place.path() / "without", settings, {})).exit_code == 0);
  CHECK(read_file(place.path() / "without" / "report.json") == read_file(place.path() / "first" / "report.json"));
}

TEST_CASE("a run without signals is refused with advice before it starts") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "waves.fst").string();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why, const char* program) {
    const ProgramResult result = run_program(arguments, {.program = program});
    INFO(result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(why));
    CHECK(names_in(place.path()).empty());
  };
  const fs::path out = place.path() / "out";
  const auto model = words("drs_shuffling", out, small_scene, {"--wave", file});
  refused(model, "implementation=lockstep", RECONVERGE_PROGRAM);
  refused(model, "install Verilator", RECONVERGE_WITHOUT_VERILATOR);
  refused(words("drs_shuffling", out, small_scene, {"--wave", file, "--sweep", "gpu.sms=1,2"}), "one run",
          RECONVERGE_PROGRAM);
  refused(words("drs_shuffling", out, small_scene, {"--wave", file, "--resume"}), "--resume", RECONVERGE_PROGRAM);
  for (const std::string window : {"7", "7:", ":7", "7:6", "0:9x", "-1:5", "0:99999999999999999999999"}) {
    refused(words("drs_shuffling", out, small_scene, {"--wave", file, "--wave-window=" + window}), "window of cycles",
            RECONVERGE_PROGRAM);
  }
}

TEST_CASE("a failed write of a waveform file keeps the existing file") {
  const TemporaryFolder place;
  const std::string file = place.write("waves.fst", "an earlier one");
  const ProgramOptions full_disk{.file_size_limit = 60'000};
  const ProgramResult result = run_program(
      words("drs_shuffling", place.path() / "out", with(small_scene, {shuffling + "rtl"}), {"--wave", file}),
      full_disk);
  INFO(result.errors);
  CHECK(result.exit_code == 4);
  CHECK(is_one_complaint(result.errors));
  CHECK(read_file(file) == "an earlier one");
  CHECK(names_in(place.path()).size() <= 2);
}
