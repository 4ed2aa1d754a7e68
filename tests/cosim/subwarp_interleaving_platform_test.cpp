// SPDX-License-Identifier: Apache-2.0
/// Subwarp interleaving in a whole platform, on megakernels with the traversal unit, with subwarp schedulers as model,
/// as RTL, and as both in lock step.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>

#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

/// Runs a megakernel over a small picture of a small scene, with settings below `gpu.sm`.
ProgramResult run_small(const std::string& megakernel, const fs::path& out, const std::vector<std::string>& settings,
                        const ProgramOptions& options = {}) {
  const std::string file = RECONVERGE_SOURCE_DIR "/yaml/experiments/si/" + megakernel + ".yaml";
  std::vector<std::string> words{"run", file, "--out", out.string()};
  for (const char* setting :
       {"workload.scene=conference_small", "workload.width=44", "workload.height=28", "workload.texture_side=64",
        "workload.sample_blocks=1", "gpu.sm.scheme=[subwarp_interleaving, raytrace]"}) {
    words.insert(words.end(), {"--set", setting});
  }
  for (const std::string& setting : settings) {
    words.insert(words.end(), {"--set", "gpu.sm.subwarp_interleaving." + setting});
  }
  return run_program(words, options);
}

/// The report without the requested parameters.
json::object report_in(const fs::path& folder) {
  json::object report = json::parse(read_file(folder / "report.json")).as_object();
  report.erase("parameters");
  return report;
}

bool is_built(unsigned entries) {
  if (reconverge::twin::is_built<reconverge::SubwarpPorts>({8, entries})) return true;
  WARN("skipped: RECONVERGE_SUBWARP_RTL has no 8," << entries);
  return false;
}

}  // namespace

TEST_CASE("a megakernel has the same figures with model, RTL and lock step of subwarp schedulers") {
  const auto* megakernel = GENERATE("forest_mixed", "conference_diffuse");
  const unsigned entries = GENERATE(32U, 2U);
  if (!is_built(entries)) return;
  const TemporaryFolder place;
  for (const std::string implementation : {"model", "rtl", "lockstep"}) {
    INFO(megakernel << ' ' << entries << ' ' << implementation);
    const fs::path out = place.path() / implementation;
    const ProgramResult result = run_small(
        megakernel, out, {"implementation=" + implementation, "trigger=any", "entries=" + std::to_string(entries)});
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.output, Contains(", 0 mismatches"));
    CHECK(report_in(out) == report_in(place.path() / "model"));
    CHECK(read_file(out / "report.csv") == read_file(place.path() / "model" / "report.csv"));
  }
}

TEST_CASE("RTL of subwarp schedulers that was not built is refused with a list of the RTL that was") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_small("forest_mixed", place.path() / "out", {"implementation=lockstep", "entries=6"});
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors,
             Contains("gpu.sm.subwarp_interleaving.implementation") && Contains("RECONVERGE_SUBWARP_RTL"));
  CHECK_FALSE(fs::exists(place.path() / "out"));
}

TEST_CASE("a difference in subwarp schedulers ends the run with cycle, port, values and waveform") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  ProgramOptions wrong;
  wrong.program = RECONVERGE_WITH_WRONG_RTL;
  const ProgramResult result = run_small("forest_mixed", out, {"implementation=lockstep", "entries=6"}, wrong);
  CHECK(result.exit_code == 3);
  CHECK(is_one_complaint(result.errors));
  INFO(result.errors);
  CHECK_THAT(result.errors, Contains(": cycle ") && Contains(" in the model and ") && Contains(" in RTL") &&
                                Contains("waveform in " + (out / "difference.vcd").generic_string()));
}
