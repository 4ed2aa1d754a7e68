// SPDX-License-Identifier: Apache-2.0
/// Comparisons of experiments: lists of them, the table of speeds and speedups, and runs that are not repeated.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;

namespace {

const std::string experiments = RECONVERGE_SOURCE_DIR "/yaml/experiments/";

std::vector<std::string> comparison(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"run", file};
  for (const auto* each : {"workload.scene=conference_small", "workload.max_rays=256", "workload.bounces=2"}) {
    words.insert(words.end(), {"--set", each});
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Fields of a line without quotes.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// The value of a figure in report.csv.
std::string figure(const fs::path& folder, const std::string& stage, const std::string& name) {
  std::istringstream in(read_file(folder / "report.csv"));
  for (std::string line; std::getline(in, line);) {
    const auto parts = fields(line);
    if (parts.size() > 3 && parts[0] == stage && parts[1].empty() && parts[2] == name) return parts[3];
  }
  return "none";
}

}  // namespace

TEST_CASE("a list of experiments is run as its experiments are, and compares them stage by stage") {
  const TemporaryFolder place;
  place.write("both.yaml",
              fmt::format("experiments:\n  - {0}baseline_drs.yaml\n  - {0}drs_shuffling.yaml\n", experiments));
  const ProgramResult listed = run_program(comparison("both.yaml", {"--out", "listed"}), {place.path()});
  INFO(listed.errors);
  REQUIRE(listed.exit_code == 0);
  std::vector<std::string> words = comparison(experiments + "baseline_drs.yaml", {"--out", "named", "--quiet"});
  words.insert(words.begin() + 2, experiments + "drs_shuffling.yaml");
  REQUIRE(run_program(words, {place.path()}).exit_code == 0);
  for (const auto* table : {"runs.csv", "comparison.csv"}) {
    CHECK(read_file(place.path() / "listed" / table) == read_file(place.path() / "named" / table));
  }

  std::istringstream lines(read_file(place.path() / "listed" / "comparison.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK_THAT(line, StartsWith("experiment,stage,speedup,rays,cycles,ray_rate,simd_efficiency,lanes_0,lanes_1_to_4,"));
  std::vector<std::string> stages;
  while (std::getline(lines, line)) {
    const auto parts = fields(line);
    REQUIRE(parts.size() == 16);
    const fs::path report = place.path() / "listed" / parts[0];
    INFO(line);
    CHECK(parts[3] == figure(report, parts[1], "rays"));
    CHECK(parts[5] == figure(report, parts[1], "ray_rate"));
    CHECK(parts[15] == figure(report, parts[1], "lanes_29_to_32"));
    const double base = std::atof(figure(place.path() / "listed" / "baseline_drs", parts[1], "ray_rate").c_str());
    CHECK(std::atof(parts[2].c_str()) == Approx(std::atof(parts[5].c_str()) / base));
    stages.push_back(parts[0] + ' ' + parts[1]);
  }
  const std::vector<std::string> names{"bounce 1", "bounce 1 shadow", "bounce 2", "bounce 2 shadow", "tracing"};
  std::vector<std::string> expected;
  for (const std::string experiment : {"baseline_drs ", "drs_shuffling "}) {
    for (const std::string& name : names) expected.push_back(experiment + name);
  }
  CHECK(stages == expected);
  CHECK_THAT(listed.output, Contains("\n           baseline_drs     drs_shuffling\n"
                                     "stage      Mrays/s    SIMD  Mrays/s  speedup    SIMD\nB1 ") &&
                                Contains("\nall ") && Contains("W29:32\nbaseline_drs "));
}

TEST_CASE("an invalid list of experiments is refused at its error before any run") {
  const TemporaryFolder place;
  const std::string saxpy = experiments + "saxpy.yaml";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"experiments: []\n", "list.yaml:1:1: experiments is no list of files"},
      {"experiments:\n  - {a: b}\n", "list.yaml:2:5: not the name of an experiment file"},
      {"experiments:\n  - " + saxpy + "\n  - missing.yaml\n", "list.yaml:3:5: there is no file 'missing.yaml'"},
      {"name: both\nexperiments:\n  - " + saxpy + "\n", "list.yaml:1:1: there is no key name in a list of experiments"},
      {"experiments:\n  - list.yaml\n", "list.yaml:2:5: 'list.yaml' is a list of experiments itself"},
      {"experiments:\n  - " + saxpy + "\nsweep: [gpu.sms]\n", "list.yaml:3:8: this is not a map"},
      {"experiments:\n  - " + saxpy + "\nsweep: 3\n", "list.yaml:3:8: this is not a map"},
      {"experiments:\n  - " + saxpy + "\nsweep:\n  gpu.sms: 1\n", "list.yaml:4:3: gpu.sms has no list of values"},
      {"experiments:\n  - " + saxpy + "\nsweep:\n  gpu.sms: []\n", "list.yaml:4:3: gpu.sms has no list of values"},
      {"experiments:\n  - " + saxpy + "\nsweep:\n  gpu.sms: [{a: b}]\n", "list.yaml:4:13: no value for gpu.sms"},
      {"experiments:\n  - " + saxpy + "\nsweep:\n  gpu.sm: [1]\n", "list.yaml:4:3: "},
      {"experiments:\n  - " + saxpy + "\nsweep:\n  gpu.sms: [1, none]\n", "list.yaml:4:3: "}};
  for (const auto& [text, message] : wrong) {
    place.write("list.yaml", text);
    for (const auto* command : {"run", "validate"}) {
      const ProgramResult result = run_program({command, "list.yaml"}, {place.path()});
      INFO(result.errors);
      CHECK(result.exit_code == 2);
      CHECK(is_one_complaint(result.errors));
      CHECK_THAT(result.errors, Contains(message));
      CHECK(names_in(place.path()) == std::vector<std::string>{"list.yaml"});
    }
  }
}

TEST_CASE("a list of experiments may say which settings they run under") {
  const TemporaryFolder place;
  place.write("two.yaml", fmt::format("experiments: [{0}saxpy.yaml, {0}collatz.yaml]\nsweep:\n"
                                      "  gpu.sms: [1, 2]\n  gpu.sm.scheme: [mimd, [reconvergence_stack]]\n",
                                      experiments));
  const auto table_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--jobs", "1", "--out", (place.path() / "out").string()});
    const ProgramResult result = run_program(words, {place.path()});
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    return read_file(place.path() / "out" / "runs.csv");
  };
  const std::string listed = table_of({"run", "two.yaml"});
  CHECK(std::count(listed.begin(), listed.end(), '\n') == 9);
  CHECK(listed == table_of({"run", experiments + "saxpy.yaml", experiments + "collatz.yaml", "--sweep", "gpu.sms=1,2",
                            "--sweep", "gpu.sm.scheme=mimd,[reconvergence_stack]"}));
  // The command line overrides the list's values of parameters.
  const std::string set = table_of({"run", "two.yaml", "--set", "gpu.sms=2"});
  CHECK(std::count(set.begin(), set.end(), '\n') == 5);
  const std::string swept = table_of({"run", "two.yaml", "--sweep", "gpu.sms=3"});
  CHECK(std::count(swept.begin(), swept.end(), '\n') == 5);
  CHECK_THAT(swept, Contains(",3,"));

  const ProgramResult with_file = run_program({"run", "two.yaml", experiments + "saxpy.yaml"}, {place.path()});
  CHECK(with_file.exit_code == 2);
  CHECK_THAT(with_file.errors, Contains("two.yaml:2:1: ") && Contains("give only this file"));
  const ProgramResult valid = run_program({"validate", "two.yaml"}, {place.path()});
  CHECK(valid.exit_code == 0);
  CHECK(std::count(valid.output.begin(), valid.output.end(), '\n') == 8);
}

TEST_CASE("several experiments, and the settings of a sweep, are validated as they would run") {
  const ProgramResult valid =
      run_program({"validate", experiments + "saxpy.yaml", experiments + "collatz.yaml", "--sweep", "gpu.sms=1,2"});
  CHECK(valid.exit_code == 0);
  CHECK(std::count(valid.output.begin(), valid.output.end(), '\n') == 4);
  const ProgramResult refused = run_program({"validate", experiments + "saxpy.yaml", "--sweep", "gpu.l2.ways=16,7"});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_complaint(refused.errors));
  CHECK_THAT(refused.errors, Contains("error: ways=7: ") && Contains("gpu.l2.capacity"));
}

TEST_CASE("a list of experiments is validated one by one") {
  const TemporaryFolder place;
  place.write("two.yaml", fmt::format("experiments: [{0}saxpy.yaml, {0}collatz.yaml]\n", experiments));
  const ProgramResult result = run_program({"validate", "two.yaml"}, {place.path()});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("saxpy.yaml: valid") && Contains("collatz.yaml: valid"));
}

TEST_CASE("a run is not taken over when a file has changed that its scene names") {
  const TemporaryFolder place;
  ProgramOptions here;
  here.folder = place.path();
  const auto is_taken_over = [&](const std::vector<std::string>& words) {
    const ProgramResult result = run_program(words, here);
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    return result.output.starts_with("the report of this run is in out already");
  };
  const auto expect_run_again = [&](const std::vector<std::string>& words, const std::string& name,
                                    const std::string& changed) {
    CHECK_FALSE(is_taken_over(words));
    CHECK(is_taken_over(words));
    place.write(name, changed);
    CHECK_FALSE(is_taken_over(words));
  };
  SECTION("materials, of a launch") {
    place.write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
    place.write("a.mtl", "newmtl red\nKd 1 0 0\n");
    place.write("run.yaml",
                "buffers: {m: {scene: ./a.obj, part: materials}, x: {type: f32, count: 4}}\nlaunches:\n- "
                "{program: " RECONVERGE_SOURCE_DIR
                "/platforms/kernels/saxpy.ptx, grid: 1, block: 32, arguments: [2, x, x, 4]}\n");
    expect_run_again({"run", "run.yaml", "--out", "out", "--resume"}, "a.mtl", "newmtl red\nKd 0 1 0\n");
  }
  SECTION("triangles, of a run that traces rays") {
    place.write("a.gltf", R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"byteLength": 36, "uri": "a.bin"}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]})");
    std::array<float, 9> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
    const auto bytes = [&corners] { return std::string(reinterpret_cast<const char*>(&corners), sizeof corners); };
    place.write("a.bin", bytes());
    corners[3] = 2;
    expect_run_again(small_run({"--set", "workload.scene=./a.gltf", "--out", "out", "--resume"}), "a.bin", bytes());
  }
}

TEST_CASE("resumed runs take over whole reports of the same command, and run the others") {
  const TemporaryFolder place;
  const auto words_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words =
        small_run({"--sweep", "workload.seed=1,2,3", "--jobs", "1", "--out", (place.path() / "out").string()});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto run = [&](const std::vector<std::string>& more) {
    const ProgramResult result = run_program(words_with(more));
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    return result.output;
  };
  const auto folder = [&](int seed) { return place.path() / "out" / fmt::format("workload.seed={}", seed); };
  const auto taken_over = [](const std::string& output, int seed) {
    return output.find(fmt::format("seed={}:\nthe report of this run is in ", seed)) != std::string::npos;
  };
  run({});
  const std::string table = read_file(place.path() / "out" / "runs.csv");
  const std::string report = read_file(folder(2) / "report.json");

  // Stopped in the second, before the third.
  std::string manifest = read_file(folder(2) / "manifest.json");
  manifest.replace(manifest.find("\"partial\": false"), 16, "\"partial\": true ");
  std::ofstream(folder(2) / "manifest.json", std::ios::binary) << manifest;
  fs::remove_all(folder(3));
  fs::remove(place.path() / "out" / "runs.csv");
  std::string output = run({"--resume"});
  CHECK(taken_over(output, 1));
  CHECK_FALSE(taken_over(output, 2));
  CHECK_FALSE(taken_over(output, 3));
  CHECK(read_file(place.path() / "out" / "runs.csv") == table);
  CHECK(read_file(folder(2) / "report.json") == report);

  SECTION("a changed report belongs to the user and is replaced only by force") {
    std::ofstream(folder(1) / "report.csv", std::ios::app) << "more\n";
    const ProgramResult refused = run_program(words_with({"--resume"}));
    CHECK(refused.exit_code == 4);
    CHECK_THAT(refused.errors, Contains("seed=1: ") && Contains("report.csv: ") && Contains("--force"));
    output = run({"--resume", "--force"});
    CHECK_FALSE(taken_over(output, 1));
    CHECK(taken_over(output, 2));
    CHECK(read_file(place.path() / "out" / "runs.csv") == table);
  }
  SECTION("another setting is another run") {
    output = run({"--resume", "--set", "workload.samples=2"});
    for (const int seed : {1, 2, 3}) CHECK_FALSE(taken_over(output, seed));
    CHECK(read_file(place.path() / "out" / "runs.csv") != table);
  }
  SECTION("a report older than the program is replaced") {
    fs::last_write_time(folder(3) / "manifest.json", fs::file_time_type::min());
    output = run({"--resume"});
    CHECK(taken_over(output, 2));
    CHECK_FALSE(taken_over(output, 3));
  }
  SECTION("also for one run") {
    std::vector<std::string> words = small_run({"--set", "workload.seed=1", "--resume", "--out", folder(1).string()});
    CHECK_THAT(run_program(words).output, StartsWith("the report of this run is in "));
  }
}
