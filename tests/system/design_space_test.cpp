// SPDX-License-Identifier: Apache-2.0
/// Design spaces: which points they have, what is stored, and that a point runs once.

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

/// A space of saxpy without timing, in a folder, and the commands on it.
struct Space {
  TemporaryFolder place;
  std::string file;
  std::string out = (place.path() / "out").string();

  explicit Space(const std::string& keys)
      : file(place.write("space.yaml", "experiments:\n  - " + saxpy + "\n" + keys)) {}

  ProgramResult sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"sweep", file, "--out", out, "--set", "machine=functional"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  /// The lines of `--list`, without digests and the number of points.
  std::vector<std::string> points(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"--list", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = sweep(words);
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK_FALSE(fs::exists(out));
    std::vector<std::string> lines;
    std::istringstream text(result.output);
    for (std::string line; std::getline(text, line);) lines.push_back(line.substr(line.find("saxpy")));
    return lines;
  }

  json::value query(const std::string& statement) const {
    const ProgramResult result = run_program({"query", out, statement, "--json"});
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    return json::parse(result.output);
  }
};

void expect_refusal(const std::string& keys, const std::vector<std::string>& parts) {
  const Space space(keys);
  const ProgramResult result = space.sweep();
  INFO(result.errors);
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
  CHECK_FALSE(fs::exists(space.out));
}

}  // namespace

TEST_CASE("a design space has the points of its axes, ranges and variants that meet the conditions") {
  const Space space(
      "variants:\n  small: {gpu.sms: 1}\n  large: {gpu.sms: 4, 'launches[0].block': 64}\n"
      "sweep:\n  gpu.sm.warp_slots: {from: 8, to: 32, factor: 2}\n  gpu.sm.block_slots: [4, 8]\n"
      "where:\n  - gpu.sms * gpu.sm.warp_slots <= 64\n  - variant = 'large' or gpu.sm.block_slots = 8\n");
  CHECK(space.points() == std::vector<std::string>{"saxpy, variant=small, gpu.sm.warp_slots=8, gpu.sm.block_slots=8",
                                                   "saxpy, variant=small, gpu.sm.warp_slots=16, gpu.sm.block_slots=8",
                                                   "saxpy, variant=small, gpu.sm.warp_slots=32, gpu.sm.block_slots=8",
                                                   "saxpy, variant=large, gpu.sm.warp_slots=8, gpu.sm.block_slots=4",
                                                   "saxpy, variant=large, gpu.sm.warp_slots=8, gpu.sm.block_slots=8",
                                                   "saxpy, variant=large, gpu.sm.warp_slots=16, gpu.sm.block_slots=4",
                                                   "saxpy, variant=large, gpu.sm.warp_slots=16, gpu.sm.block_slots=8"});
  CHECK(space.points({"--sweep", "gpu.sm.warp_slots=8", "--sweep", "gpu.sm.block_slots=8"}).size() == 2);
}

TEST_CASE("a sample has the requested points, and the same ones for the same seed") {
  const std::string axes =
      "sweep:\n  gpu.sms: {from: 1, to: 16, step: 1}\n  gpu.l2.capacity: {from: 64 KiB, to: 4 MiB, scale: log}\n";
  const Space random(axes + "where: gpu.sms > 4\nsample: {method: random, points: 20, seed: 3}\n");
  const std::vector<std::string> points = random.points();
  CHECK(points.size() == 20);
  CHECK(points == random.points());
  for (const std::string& point : points) CHECK(std::stoi(point.substr(point.find("gpu.sms=") + 8)) > 4);
  const Space other(axes + "where: gpu.sms > 4\nsample: {method: random, points: 20, seed: 4}\n");
  CHECK(points != other.points());
  const Space cube(axes + "sample: {method: latin_hypercube, points: 16, seed: 1}\n");
  std::set<std::string> sms;
  for (const std::string& point : cube.points()) sms.insert(point.substr(0, point.find(", gpu.l2")));
  CHECK(sms.size() == 16);  // each value once
}

TEST_CASE("wrong design spaces are refused with the place in the file") {
  expect_refusal("sample: {method: grid, points: 2}\n", {"space.yaml:3", "`random` or `latin_hypercube`"});
  expect_refusal("where: gpu.smss > 1\nsweep:\n  gpu.sms: [1, 2]\n", {"space.yaml:3", "no parameter gpu.smss"});
  expect_refusal("where: gpu.sms > 9\nsweep:\n  gpu.sms: [1, 2]\n", {"no point"});
  expect_refusal("variants:\n  a: {gpu.smss: 1}\n", {"space.yaml:4", "did you mean gpu.sms?"});
  expect_refusal("variants:\n  a: {gpu.sms: 1}\nsweep:\n  gpu.sms: [1, 2]\n", {"gpu.sms is an axis"});
  expect_refusal("sweep:\n  gpu.sms: {from: 1, to: 4}\n", {"space.yaml:4", "needs a `sample`"});
  expect_refusal("sweep:\n  gpu.sms: {from: 4, to: 1, step: 1}\n", {"`from` is above `to`"});
  expect_refusal("sweep:\n  gpu.l2.capacity: {from: 4 KiB, to: 1 MHz, factor: 2}\n", {"units differ"});
  expect_refusal("sweep:\n  gpu.sms: {from: 1, to: 4, steps: 1}\n", {"did you mean step?"});
  expect_refusal("sweep:\n  gpu.sms: [1, 999999]\n", {"999999"});
  expect_refusal("sweep:\n  platform: [missing.yaml]\n", {"there is no file 'missing.yaml'"});
  // Commands that run all combinations do not take one.
  const Space space("sample: {method: random, points: 2}\n");
  const ProgramResult result = run_program({"validate", space.file});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("use `reconverge sweep`"));
}

TEST_CASE("a point runs once, whatever stops the sweep and however the space grows") {
  const Space space("sweep:\n  gpu.sms: [1, 2]\n  gpu.sm.warp_slots: [8, 16]\n");
  const ProgramResult first = space.sweep({"--jobs", "2"});
  INFO(first.errors << first.output);
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.output, Contains("4 points; ok: 4"));
  const json::value runs = space.query("SELECT run, digest, started FROM runs ORDER BY digest");
  CHECK(runs.as_array().size() == 4);
  const ProgramResult again = space.sweep();
  CHECK_THAT(again.output, Contains("4 points, 4 of them from an earlier run; ok: 4"));
  CHECK(space.query("SELECT run, digest, started FROM runs ORDER BY digest") == runs);
  // A larger space runs only the new points; `results` shows the points of the last command.
  CHECK_THAT(space.sweep({"--sweep", "gpu.sms=1,2,3"}).output, Contains("6 points, 4 of them from an earlier run"));
  CHECK(space.query("SELECT * FROM results").as_array().size() == 6);
  CHECK_THAT(space.sweep({"--sweep", "gpu.sms=3"}).output, Contains("2 points, 2 of them"));
  CHECK(space.query("SELECT DISTINCT \"gpu.sms\" FROM results") == json::parse("[{\"gpu.sms\": 3.0}]"));
  CHECK(space.query("SELECT * FROM runs").as_array().size() == 6);
}

TEST_CASE("figures in a store are those of the report, and csv is complete") {
  const Space space("sweep:\n  gpu.sms: [1, 2]\n");
  CHECK(run_program({"sweep", space.file, "--out", space.out, "--keep-reports"}).exit_code == 0);
  const json::value rows = space.query("SELECT digest, cycles, thread_ipc, status FROM results ORDER BY \"gpu.sms\"");
  REQUIRE(rows.as_array().size() == 2);
  for (const json::value& row : rows.as_array()) {
    const json::value figures = figures_in(fs::path(space.out) / "reports" / row.at("digest").as_string().c_str());
    CHECK(row.at("cycles").to_number<double>() == figures.at("cycles").to_number<double>());
    CHECK(row.at("thread_ipc").to_number<double>() == figures.at("thread_ipc").to_number<double>());
  }
  CHECK(rows.at(0).at("cycles").to_number<double>() > rows.at(1).at("cycles").to_number<double>());
  const ProgramResult csv = run_program({"query", space.out, "--csv"});
  CHECK_THAT(csv.output, Contains("run,experiment,gpu.sms,status,"));
  CHECK(std::count(csv.output.begin(), csv.output.end(), '\n') == 3);
  const ProgramResult wrong = run_program({"query", space.out, "SELECT absent FROM results"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.errors, Contains("no such column: absent"));
}

TEST_CASE("a point that fails is stored with its message and stops no other") {
  // Threads beyond the buffers access nothing that exists.
  const Space space(
      "variants:\n  inside: {gpu.sm.warp_slots: 32}\n  outside: {'launches[0].threads': 8192, 'launches[0].arguments': "
      "[2, "
      "x, "
      "y, 8192]}\nsweep:\n  gpu.sms: [1, 2]\n");
  const ProgramResult result = space.sweep();
  INFO(result.errors << result.output);
  CHECK(result.exit_code != 0);
  CHECK_THAT(result.output, Contains("ok: 2"));
  const json::value failed = space.query("SELECT exit_code, message FROM runs WHERE status <> 'ok'");
  REQUIRE(failed.as_array().size() == 2);
  CHECK(failed.at(0).at("exit_code") == result.exit_code);
  CHECK_FALSE(failed.at(0).at("message").as_string().empty());
  // They are not run again, unless this is asked for.
  CHECK_THAT(space.sweep().output, Contains("4 of them from an earlier run"));
  CHECK_THAT(space.sweep({"--retry"}).output, Contains("2 of them from an earlier run"));
}

TEST_CASE("an interrupted sweep keeps what is finished and goes on") {
  const Space space("sweep:\n  gpu.sms: {from: 1, to: 8, step: 1}\n  gpu.sm.warp_slots: {from: 8, to: 32, step: 1}\n");
  const std::vector<std::string> words{"sweep", space.file, "--out", space.out, "--set", "machine=functional"};
  {
    RunningProgram program(words);
    const fs::path store = fs::path(space.out) / "sweep.sqlite";
    while (!program.ended()) {
      if (!fs::exists(store)) continue;
      const ProgramResult some = run_program({"query", space.out, "SELECT count(*) AS n FROM runs", "--json"});
      if (some.exit_code == 0 && json::parse(some.output).at(0).at("n").as_int64() >= 5) break;
    }
    program.send(SIGINT);
    CHECK(program.wait().exit_code == 130);
  }
  const std::int64_t kept = space.query("SELECT count(*) AS n FROM runs").at(0).at("n").as_int64();
  CHECK(kept >= 5);
  CHECK(kept < 200);
  CHECK_FALSE(fs::exists(fs::path(space.out) / "work"));
  const ProgramResult rest = run_program(words);
  CHECK(rest.exit_code == 0);
  CHECK_THAT(rest.output, Contains(std::to_string(kept) + " of them from an earlier run; ok: 200"));
}
