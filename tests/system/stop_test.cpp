// SPDX-License-Identifier: Apache-2.0
/// Runs that are stopped from outside: before there is anything to report, when the reader exits, for lack of memory.

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/machines.hpp"
#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using namespace std::chrono_literals;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string conference = RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml";
const std::vector<std::string> partial_report{"effective.yaml", "manifest.json", "report.csv", "report.json"};

/// `reconverge WORDS | READER` in a shell, which ends with the exit code of the former.
ProgramResult piped(const TemporaryFolder& place, const std::string& words, const std::string& reader) {
  ProgramOptions shell;
  shell.folder = place.path();
  shell.program = "/bin/bash";
  return run_program({"-c", std::string(RECONVERGE_PROGRAM " ") + words + " | " + reader + "; exit ${PIPESTATUS[0]}"},
                     shell);
}

}  // namespace

TEST_CASE("an interrupt before the first cycle ends the run with exit code 130 and no files") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const TemporaryFolder place;
  const fs::path out = place.path() / "a" / "out";
  // Half a minute of rays that the host traces first.
  ProgramOptions options;
  options.environment = {"RECONVERGE_MEMORY=off"};  // these rays need more memory than some hosts have
  RunningProgram program({"run", conference, "--set", "workload.samples=256", "--out", out.string()}, options);
  while (!fs::exists(out) && !program.ended()) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(std::chrono::milliseconds(GENERATE(0, 20, 300)));
  program.send(signal);
  const ProgramResult result = program.wait();
  INFO(result.output << result.errors);
  CHECK(result.exit_code == 130);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, !Contains("error"));
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("an interrupt at any check ends the run and no further launch is tried") {
  reconverge::ExperimentParameters parameters;
  const std::vector<std::string> small{"workload.scene=box", "workload.width=16", "workload.height=12",
                                       "workload.bounces=1", "gpu.sms=2"};
  reconverge::configuration::load(reconverge::with_kinds(reconverge::experiment_block), &parameters, conference, small);
  unsigned chances = 0;
  for (bool completed = false; !completed; ++chances) {
    unsigned asked = 0;
    const auto keep_running = [&](const reconverge::RunProgress&) { return asked++ != chances; };
    const auto result = reconverge::run_ray_tracing(parameters, {.keep_running = keep_running});
    completed = asked <= chances;
    CHECK(result.completed == completed);
  }
  CHECK(chances > 5);  // stages, and comparisons of their results
}

TEST_CASE("a closed standard output ends the run like Ctrl-C") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  place.write("talk.ptx", talk("104, 105, 10, 0", true));
  place.write("talk.yaml", "buffers: {}\nlaunches:\n- {program: talk.ptx, grid: 1, block: 1}\n");
  const auto* machine = GENERATE("timed", "functional");
  const ProgramResult result =
      piped(place, "run talk.yaml --out out --set machine=" + std::string(machine), "head -n 1");
  INFO(result.errors);
  CHECK(result.exit_code == 130);
  CHECK(result.output == "[talk] hi\n");
  CHECK(result.errors.empty());
  CHECK(names_in(out) == partial_report);
  CHECK(report_in(out).at("partial") == true);
}

TEST_CASE("a closed standard output ends all of several runs") {
  const TemporaryFolder place;
  write_endless(place);
  place.write("talk.ptx", talk("104, 105, 10, 0"));
  place.write("talk.yaml", "name: talk\nbuffers: {}\nlaunches:\n- {program: talk.ptx, grid: 1, block: 1}\n");
  const ProgramResult result = piped(place, "run talk.yaml endless.yaml --jobs 2 --out out", "true");
  INFO(result.errors);
  CHECK(result.exit_code == 130);
  const fs::path out = place.path() / "out";
  CHECK(report_in(out / "talk").at("partial") == false);
  CHECK_THAT(read_file(out / "runs.csv"), Contains("\ntalk,talk,ok,"));
  // The other one may not have started by then.
  CHECK((names_in(out / "endless").empty() || names_in(out / "endless") == partial_report));
}

TEST_CASE("the whole report is written even if the table's reader is gone") {
  const TemporaryFolder place;
  const ProgramResult result =
      piped(place, "run " RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml --out out", "true");
  INFO(result.errors);
  CHECK(result.exit_code == 130);
  CHECK(result.errors.empty());
  CHECK(report_in(place.path() / "out").at("partial") == false);
  // More than a pipe holds, or all of it may be in the pipe when the reader exits.
  CHECK(piped(place, "list parameters --json", "head -n 1").exit_code == 130);
}

TEST_CASE("lack of host memory at any point ends with exit code 5") {
  constexpr std::uint64_t mib = 1 << 20;
  bool has_failed = false;
  for (std::uint64_t limit = 80; limit <= 500; limit += 20) {
    const TemporaryFolder place;
    ProgramOptions small;
    small.folder = place.path();
    small.memory_limit = limit * mib;
    small.environment = {"RECONVERGE_MEMORY=off"};                   // it would be rejected beforehand
    if (run_program({"--version"}, small).exit_code != 0) continue;  // the program itself does not fit
    const ProgramResult result =
        run_program({"run", conference, "--set", "workload.width=8", "--set", "workload.height=8"}, small);
    INFO(limit << " MiB, signal " << result.signal << ": " << result.errors);
    has_failed = true;  // device memory alone takes more
    CHECK(result.exit_code == 5);
    CHECK(is_one_complaint(result.errors));
    CHECK(names_in(place.path()).empty());
  }
  CHECK(has_failed);
}
