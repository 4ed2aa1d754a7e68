// SPDX-License-Identifier: Apache-2.0
/// Dynamic micro-kernels in a whole platform, with warp formation as model, as RTL, and as both in lock step.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>

#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr const char* experiment = RECONVERGE_SOURCE_DIR "/yaml/experiments/dmk_microkernels.yaml";

/// Runs the paper's experiment with a small picture and with settings below `gpu.sm`.
ProgramResult run_small(const fs::path& out, const std::vector<std::string>& settings,
                        const ProgramOptions& options = {}) {
  std::vector<std::string> words{"run", experiment, "--out", out.string()};
  for (const char* setting :
       {"gpu.sms=2", "workload.scene=conference_small", "workload.width=32", "workload.height=32"}) {
    words.insert(words.end(), {"--set", setting});
  }
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", "gpu.sm." + setting});
  return run_program(words, options);
}

/// The report without the requested parameters.
json::object report_in(const fs::path& folder) {
  json::object report = json::parse(read_file(folder / "report.json")).as_object();
  report.erase("parameters");
  return report;
}

bool default_is_built() {
  if (reconverge::twin::is_built<reconverge::FormationPorts>({64, 64, 54})) return true;
  WARN("skipped: RECONVERGE_FORMATION_RTL has no 64,64,54");
  return false;
}

}  // namespace

TEST_CASE("micro-kernels have right hits and the same figures with model, RTL and lock step") {
  if (!default_is_built()) return;
  const TemporaryFolder place;
  for (const std::string implementation : {"model", "rtl", "lockstep"}) {
    INFO(implementation);
    const fs::path out = place.path() / implementation;
    const ProgramResult result = run_small(out, {"dynamic_microkernel.implementation=" + implementation});
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    const json::object report = report_in(out);
    CHECK(report.at("checks").at("hits_agree") == true);
    CHECK(report == report_in(place.path() / "model"));
    CHECK(read_file(out / "report.csv") == read_file(place.path() / "model" / "report.csv"));
  }
}

TEST_CASE("RTL of warp formation that was not built is refused with a list of the RTL that was") {
  const TemporaryFolder place;
  for (const auto& [setting, message] :
       {std::pair{"dynamic_microkernel.lut_lines=32", "no RTL was built for 32 LUT lines and a FIFO of 64"},
        {"register_file.registers=16384",
         "for 64 LUT lines and a FIFO of 64 and 56 parts of the formation area; built were: "}}) {
    INFO(setting);
    const ProgramResult result =
        run_small(place.path() / "out", {"dynamic_microkernel.implementation=lockstep", setting});
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains("gpu.sm.dynamic_microkernel.implementation") && Contains(message) &&
                                  Contains("RECONVERGE_FORMATION_RTL"));
    CHECK_FALSE(fs::exists(place.path() / "out"));
  }
}

TEST_CASE("a difference in warp formation ends the run with cycle, port, history and waveform") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  ProgramOptions wrong;
  wrong.program = RECONVERGE_WITH_WRONG_RTL;
  const ProgramResult result = run_small(
      out,
      {"register_file.registers=4864", "dynamic_microkernel.fifo=1", "dynamic_microkernel.implementation=lockstep"},
      wrong);
  CHECK(result.exit_code == 3);
  CHECK(is_one_complaint(result.errors));
  INFO(result.errors);
  CHECK_THAT(result.errors, Contains("dynamic warp formation: cycle ") &&
                                Contains("spawn_stall_o is 0x2 in the model and 0x0 in RTL; cycle ") &&
                                Contains("spawn at 0x") &&
                                Contains("waveform in " + (out / "difference.vcd").generic_string()));
  CHECK_THAT(read_file(out / "difference.vcd"), Contains("$scope module i_lut $end"));
}
