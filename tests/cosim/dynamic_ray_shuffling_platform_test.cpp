// SPDX-License-Identifier: Apache-2.0
/// Dynamic ray shuffling in a whole platform: the model, the RTL, and both in lock step.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <regex>

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr const char* experiment = RECONVERGE_SOURCE_DIR "/yaml/experiments/drs_shuffling.yaml";
constexpr const char* by_kd_tree = RECONVERGE_SOURCE_DIR "/yaml/experiments/every_machine/kd_tree_shuffling.yaml";

/// Command-line words that run an experiment (the paper's by default) with a small picture and settings below `gpu.sm`.
std::vector<std::string> small(const fs::path& out, const std::vector<std::string>& settings,
                               const char* what = experiment) {
  std::vector<std::string> words{"run", what, "--out", out.string()};
  for (const char* setting : {"workload.scene=conference_small", "workload.width=64", "workload.height=48",
                              "workload.samples=1", "workload.bounces=2"}) {
    words.insert(words.end(), {"--set", setting});
  }
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", "gpu.sm." + setting});
  return words;
}

ProgramResult run_small(const fs::path& out, const std::vector<std::string>& settings,
                        const ProgramOptions& options = {}) {
  return run_program(small(out, settings), options);
}

/// The report without the requested parameters.
json::object report_in(const fs::path& folder) {
  json::object report = json::parse(read_file(folder / "report.json")).as_object();
  report.erase("parameters");
  return report;
}

bool default_is_built() {
  if (reconverge::twin::is_built<reconverge::RayPorts>({58, 1, 6, 17})) return true;
  WARN("skipped: RECONVERGE_RTL has no 58,1,6,17");
  return false;
}

}  // namespace

TEST_CASE("an experiment has right hits and the same figures with model, RTL and lock step") {
  if (!default_is_built()) return;
  const char* const what = GENERATE(experiment, by_kd_tree);
  INFO(what);
  const TemporaryFolder place;
  for (const std::string implementation : {"model", "rtl", "lockstep"}) {
    INFO(implementation);
    const ProgramResult result = run_program(
        small(place.path() / implementation, {"dynamic_ray_shuffling.implementation=" + implementation}, what));
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    const json::object report = report_in(place.path() / implementation);
    CHECK(report.at("checks").at("hits_agree") == true);
    const json::value& counters = report.at("total").at("counters").at("gpu.sm.dynamic_ray_shuffling");
    CHECK(counters.at("waiting_cycles").to_number<std::uint64_t>() > counters.at("stalls").to_number<std::uint64_t>());
    CHECK(report == report_in(place.path() / "model"));
    CHECK(read_file(place.path() / implementation / "report.csv") == read_file(place.path() / "model" / "report.csv"));
  }
}

TEST_CASE("RTL is rehearsed like its model, however few warps a rehearsal has") {
  if (!default_is_built()) return;
  const TemporaryFolder place;
  const std::string lock_step = "gpu.sm.dynamic_ray_shuffling.implementation=lockstep";
  const ProgramResult validated = run_program({"validate", experiment, "--set", lock_step});
  INFO(validated.errors);
  CHECK(validated.exit_code == 0);
  std::vector<std::string> sweep = small(place.path() / "out", {"dynamic_ray_shuffling.implementation=lockstep"});
  sweep.insert(sweep.end(), {"--sweep", "workload.seed=1,2"});
  const ProgramResult swept = run_program(sweep);
  INFO(swept.errors);
  CHECK(swept.exit_code == 0);
  const ProgramResult refused =
      run_program({"validate", experiment, "--set", lock_step, "--set", "gpu.sm.dynamic_ray_shuffling.backup_rows=3"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Contains("no RTL was built for 3 backup rows"));
}

TEST_CASE("RTL that was not built is refused with its place and a list of the RTL that was") {
  const TemporaryFolder place;
  place.write("experiment.yaml", std::string("extends: ") + experiment +
                                     "\ngpu:\n  sm:\n    dynamic_ray_shuffling:\n      backup_rows: 3\n"
                                     "      implementation: rtl\n");
  const ProgramResult rows = run_program({"run", "experiment.yaml"}, {place.path()});
  CHECK(rows.exit_code == 2);
  CHECK(is_one_complaint(rows.errors));
  CHECK_THAT(rows.errors, Contains("experiment.yaml:6:23: ") && Contains("no RTL was built for 3 backup rows") &&
                              Contains("RECONVERGE_RTL"));
  for (const auto& [setting, message] :
       {std::pair{"dynamic_ray_shuffling.ideal=true", "for ideal shuffling"},
        {"warp_slots=20", "for 20 warps, 1 backup rows, 6 swap buffers, 17 ray registers; built were: "}}) {
    const ProgramResult result =
        run_small(place.path() / "out", {"dynamic_ray_shuffling.implementation=lockstep", setting});
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains("gpu.sm.dynamic_ray_shuffling.implementation") && Contains(message));
    for (const auto& one : reconverge::RayPorts::configurations()) {
      CHECK_THAT(result.errors, Contains(std::to_string(one.sizes.warps) + " warps, "));
    }
    CHECK_FALSE(fs::exists(place.path() / "out"));
  }
}

TEST_CASE("the first difference ends the run with cycle, port, history and waveform") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  ProgramOptions wrong;
  wrong.program = RECONVERGE_WITH_WRONG_RTL;
  const std::string nine = "dynamic_ray_shuffling.swap_buffers=9";
  std::vector<std::string> arguments = small(out, {nine, "dynamic_ray_shuffling.implementation=lockstep"});
  const std::string log = (place.path() / "warps.log").string();
  arguments.insert(arguments.end(), {"--log", log, "--log-window", "0:999999"});
  const ProgramResult result = run_program(arguments, wrong);
  CHECK(result.exit_code == 3);
  CHECK(is_one_complaint(result.errors));
  INFO(result.errors);
  // The model reads into a seventh buffer; the RTL has only six.
  std::smatch found;
  REQUIRE(std::regex_search(result.errors, found,
                            std::regex("cycle ([0-9]+): read_valid_o is 0x1 in the model and 0x0 in RTL; "
                                       "a swap of rays of row [0-9]+ since cycle [0-9]+; cycle [0-9]+: ")));
  CHECK_THAT(result.errors, Contains("waveform in " + (out / "difference.vcd").generic_string() +
                                     "; the log of the warps up to the error is in " + log));
  CHECK_THAT(read_file(log), Contains(" issue "));
  CHECK(names_in(out) == std::vector<std::string>{"difference.vcd"});
  const std::string waveform = read_file(out / "difference.vcd");
  CHECK_THAT(waveform, Contains("$scope module i_table $end") && Contains(" read_valid_o $end"));
  CHECK(std::count(waveform.begin(), waveform.end(), '#') > 2 * 100);

  // The next run in the folder replaces the waveform with a report.
  CHECK(run_small(out, {}).exit_code == 0);
  const std::vector<std::string> names = names_in(out);
  CHECK(std::count(names.begin(), names.end(), "difference.vcd") == 0);
  CHECK(std::count(names.begin(), names.end(), "report.json") == 1);
}
