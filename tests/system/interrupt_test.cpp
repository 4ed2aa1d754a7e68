// SPDX-License-Identifier: Apache-2.0
/// Ctrl-C in the middle of a run that would take minutes.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <csignal>

#include "models/core/digest.hpp"
#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::vector<std::string> long_run(const fs::path& out) {
  return {"run",   RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml",
          "--set", "workload.width=640",
          "--set", "workload.height=480",
          "--out", out.string()};
}

ProgramOptions on_terminal() {
  ProgramOptions options;
  options.terminal = true;
  return options;
}

}  // namespace

TEST_CASE("an interrupted run ends with exit code 130 and a valid report marked partial") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  RunningProgram program(long_run(out), on_terminal());
  REQUIRE(program.wait_for({"bounce 1: "}));
  program.send(signal);
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);
  CHECK(result.output.find("PARTIAL") != std::string::npos);
  CHECK(names_in(out) == std::vector<std::string>{"effective.yaml", "manifest.json", "report.csv", "report.json"});

  const json::value report = report_in(out);
  CHECK(report.at("partial") == true);
  CHECK(report.at("picture").is_null());
  REQUIRE_FALSE(report.at("stages").as_array().empty());
  CHECK(report.at("stages").as_array().back().at("completed") == false);
  CHECK(report.at("total").at("figures").at("cycles").as_int64() > 0);
  CHECK(report.at("checks").at("issue_slots_add_up") == true);

  const json::value manifest = json::parse(read_file(out / "manifest.json"));
  CHECK(manifest.at("partial") == true);
  for (const json::value& file : manifest.at("outputs").as_array()) {
    const std::string name(file.at("file").as_string());
    CHECK(file.at("sha256").as_string() == reconverge::sha256_of_file(out / name));
  }
}

TEST_CASE("a second interrupt ends the program at once and leaves nothing half-written") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  RunningProgram program(long_run(out), on_terminal());
  REQUIRE(program.wait_for({"bounce 1: "}));
  program.send_two();
  const ProgramResult result = program.wait();
  CHECK((result.signal == SIGINT || result.signal == SIGTERM));
  CHECK(names_in(out).empty());
}

TEST_CASE("interrupted launches end with exit code 130 on both machines, and write no outputs") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  write_endless(place);  // an endless loop would soon be a livelock
  const std::string file = place.write("run.yaml",
                                       "buffers: {x: {type: u8, count: 1}}\nlaunches:\n"
                                       "- {program: endless.ptx, grid: 1, block: 32}\n"
                                       "outputs: [{buffer: x, raw: x.bin}]\nexpected: [{buffer: x, fill: 1}]\n");
  const auto* machine = GENERATE("machine=timed", "machine=functional");
  RunningProgram program({"run", file, "--set", machine, "--out", out.string()}, on_terminal());
  REQUIRE(program.wait_for({"endless: "}));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);
  CHECK(names_in(out) == std::vector<std::string>{"effective.yaml", "manifest.json", "report.csv", "report.json"});
  const json::value report = report_in(out);
  CHECK(report.at("partial") == true);
  CHECK(report.at("checks").at("issue_slots_add_up") == true);
}

TEST_CASE("a SIGHUP that was ignored at the start has no effect") {
  const TemporaryFolder place;
  write_endless(place);
  ProgramOptions shell = on_terminal();
  shell.folder = place.path();
  shell.program = "/bin/bash";
  RunningProgram program({"-c", "trap '' HUP; exec " RECONVERGE_PROGRAM " run endless.yaml --out out"}, shell);
  REQUIRE(program.wait_for({"endless: "}));
  for (const int signal : {SIGHUP, SIGINT}) program.send(signal);
  const ProgramResult result = program.wait();
  INFO(result.output);
  CHECK(result.exit_code == 130);  // by the second, which is the first that is not ignored
  CHECK(names_in(place.path() / "out").size() == 4);
}
