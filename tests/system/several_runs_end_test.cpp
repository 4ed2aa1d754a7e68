// SPDX-License-Identifier: Apache-2.0
/// How several runs end: normally, with a failure among them, by Ctrl-C, by a signal.

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> partial_report{"effective.yaml", "manifest.json", "report.csv", "report.json"};

/// Three endless runs in `out`, two of them at a time, on a terminal.
class EndlessSweep : public RunningProgram {
 public:
  explicit EndlessSweep(const TemporaryFolder& place) : RunningProgram(words(place), on_terminal(place)) {}

  /// Waits until both have reported progress, and so are in the middle of their work.
  bool wait_for_both() { return wait_for({"; sms=1: endless 0 %", "; sms=2: endless 0 %"}); }

 private:
  static std::vector<std::string> words(const TemporaryFolder& place) {
    write_endless(place);
    return {"run", "endless.yaml", "--sweep", "gpu.sms=1,2,3", "--jobs", "2", "--out", "out"};
  }
  static ProgramOptions on_terminal(const TemporaryFolder& place) {
    ProgramOptions options;
    options.folder = place.path();
    options.terminal = true;
    return options;
  }
};

}  // namespace

TEST_CASE("Ctrl-C stops all runs with partial reports and the table shows their progress") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  EndlessSweep program(place);
  REQUIRE(program.wait_for_both());
  SECTION("from the keyboard, which reaches all processes") { program.type("\x03"); }
  SECTION("SIGINT only to the program") { program.send(SIGINT); }
  SECTION("SIGTERM only to the program") { program.send(SIGTERM); }
  SECTION("SIGHUP only to the program") { program.send(SIGHUP); }
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);
  CHECK(names_in(out) == std::vector<std::string>{"gpu.sms=1", "gpu.sms=2", "runs.csv"});
  for (const auto* folder : {"gpu.sms=1", "gpu.sms=2"}) {
    CHECK(names_in(out / folder) == partial_report);
    CHECK(report_in(out / folder).at("partial") == true);
  }
  const std::string table = read_file(out / "runs.csv");
  CHECK_THAT(table, Contains("\ngpu.sms=1,endless,1,interrupted,") && Contains("\ngpu.sms=2,endless,2,interrupted,") &&
                        Contains("\ngpu.sms=3,endless,3,not run,,,,,,,,,\n"));
  // The tables of failed runs are shown, too.
  CHECK_THAT(result.output, Contains("sms=2:\r\n") && Contains("PARTIAL") && Contains("not run"));
}

TEST_CASE("Ctrl-C before the first run has started leaves nothing") {
  const TemporaryFolder place;
  ProgramOptions options;
  options.folder = place.path();
  options.terminal = true;
  // So many of them that checks take seconds.
  RunningProgram program({"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml", "--sweep",
                          "gpu.sms=1,2,3,4,5,6,7,8", "--sweep", "workload.seed=1,2,3", "--jobs", "2"},
                         options);
  REQUIRE(program.wait_for({"0 of 24 runs checked"}));
  program.type("\x03");
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);
  CHECK(result.output.find("status") == std::string::npos);
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("Ctrl-C while runs prepare ends them at once, and the table says that they were not run") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  ProgramOptions terminal;
  terminal.terminal = true;
  // These runs need half a minute to trace their rays on the host.
  RunningProgram program({"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml", "--set",
                          "workload.samples=256", "--sweep", "gpu.sms=1,2", "--jobs", "2", "--out", out.string()},
                         terminal);
  REQUIRE(program.wait_for({"0 of 2 runs ended; sms=1; sms=2"}));
  SECTION("from the keyboard") { program.type("\x03"); }
  SECTION("SIGINT only to the program") { program.send(SIGINT); }
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);
  CHECK(names_in(out) == std::vector<std::string>{"runs.csv"});
  CHECK_THAT(read_file(out / "runs.csv"), Contains(",1,not run,,,,,,,,,\n") && Contains(",2,not run,,,,,,,,,\n"));
}

TEST_CASE("a second Ctrl-C ends all processes at once and leaves no report") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  EndlessSweep program(place);
  REQUIRE(program.wait_for_both());
  program.send_two();
  const ProgramResult result = program.wait();  // until no process uses the terminal any more
  CHECK((result.signal == SIGINT || result.signal == SIGTERM));
  CHECK_FALSE(fs::exists(out / "runs.csv"));
  for (const auto* folder : {"gpu.sms=1", "gpu.sms=2"}) {
    // A run that received the first signal may be stopped while it writes its report.
    const std::vector<std::string> names = names_in(out / folder);
    if (names == partial_report) continue;
    for (const std::string& name : names) CHECK(name != "manifest.json");
  }
}

TEST_CASE("a failed run does not stop the others and the first failure sets the exit code") {
  const TemporaryFolder place;
  place.write("wild.ptx", wild_traversal());
  place.write("lazy.ptx", lazy_traversal());
  const bool wild_first = GENERATE(true, false);
  const std::string programs = wild_first ? "wild.ptx,lazy.ptx" : "lazy.ptx,wild.ptx";
  const ProgramResult result =
      run_program(small_run({"--set", "workload.trace_kernel=bad", "--sweep", "workload.trace_program=" + programs,
                             "--jobs", "2", "--out", "out"}),
                  {place.path()});
  INFO(result.errors << result.output);
  CHECK(result.exit_code == (wild_first ? 3 : 1));
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("error: trace_program=wild.ptx: wild.ptx:13"));
  const fs::path out = place.path() / "out";
  CHECK(names_in(out) == std::vector<std::string>{"runs.csv", "workload.trace_program=lazy.ptx"});
  CHECK_THAT(read_file(out / "runs.csv"),
             Contains(",wild.ptx,program failed,,,,,,,,,\n") && Contains(",lazy.ptx,check failed,"));
  CHECK_THAT(result.output, Contains("trace_program=lazy.ptx:\n") && Contains("  bounce 1, ray 0:") &&
                                Contains("program failed") && Contains("check failed"));
}

TEST_CASE("a run killed by a signal is named and the others finish") {
  const TemporaryFolder place;
  write_endless(place);
  ProgramOptions options;
  options.folder = place.path();
  options.cpu_seconds = 2;
  const ProgramResult result = run_program({"run", "endless.yaml", saxpy, "--jobs", "2"}, options);
  INFO(result.errors << result.output);
  CHECK(result.exit_code == 5);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("error: endless: killed by SIGXCPU"));
  CHECK_THAT(read_file(place.path() / "out" / "runs.csv"),
             Contains("\nendless,endless,killed by SIGXCPU,,,,,,,,,\nsaxpy,saxpy,ok,"));
  CHECK(names_in(place.path() / "out" / "saxpy").size() == 5);
}

TEST_CASE("a report that cannot be written fails only its run") {
  const TemporaryFolder place;
  ProgramOptions full;
  full.folder = place.path();
  const auto sweep_into = [&](const std::string& folder) {
    return run_program({"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/collatz.yaml", "--sweep",
                        "machine=timed,functional", "--out", folder},
                       full);
  };
  REQUIRE(sweep_into("whole").exit_code == 0);
  std::uint64_t largest = 0;
  const fs::path functional = place.path() / "whole" / "machine=functional";
  for (const std::string& name : names_in(functional)) largest = std::max(largest, fs::file_size(functional / name));
  // The counters of the timed machine take more space.
  REQUIRE(fs::file_size(place.path() / "whole" / "machine=timed" / "report.json") > largest);
  full.file_size_limit = largest;
  const ProgramResult result = sweep_into("out");
  INFO(result.errors << result.output);
  CHECK(result.exit_code == 4);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("error: machine=timed: out/machine=timed/report.json: File too large"));
  CHECK(names_in(place.path() / "out") == std::vector<std::string>{"machine=functional", "runs.csv"});
  CHECK_THAT(read_file(place.path() / "out" / "runs.csv"),
             Contains(",timed,output failed,,,,,,,,,\n") && Contains(",functional,ok,"));
}
