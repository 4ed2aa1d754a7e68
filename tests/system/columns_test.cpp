// SPDX-License-Identifier: Apache-2.0
/// The figures in the table of several runs: the usual ones, and those of --columns.

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

/// The cells of a table line without quotes.
std::vector<std::string> cells_of(const std::string& table, std::size_t line) {
  std::istringstream lines(table);
  std::string text;
  for (std::size_t i = 0; i <= line; ++i) std::getline(lines, text);
  std::vector<std::string> cells;
  std::istringstream rest(text);
  for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
  return cells;
}

double figure_in(const fs::path& out, const char* name) { return figures_in(out).at(name).to_number<double>(); }

}  // namespace

TEST_CASE("the option --columns selects figures in its order, and speedup is over the first run") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result =
      run_program({"run", collatz, "--sweep", "gpu.sms=1,4", "--columns",
                   "speedup,slots_memory,time,lanes_0,cycles,ray_rate", "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const std::string table = read_file(out / "runs.csv");
  CHECK(cells_of(table, 0) == std::vector<std::string>{"folder", "experiment", "gpu.sms", "status", "speedup",
                                                       "slots_memory", "time", "lanes_0", "cycles", "ray_rate"});
  const std::vector<std::string> second = cells_of(table, 2);
  REQUIRE(second.size() == 9);
  CHECK(cells_of(table, 1)[4] == "1");
  const double speedup = figure_in(out / "gpu.sms=1", "time") / figure_in(out / "gpu.sms=4", "time");
  CHECK(speedup > 1);
  CHECK(std::strtod(second[4].c_str(), nullptr) == speedup);
  CHECK(std::strtod(second[5].c_str(), nullptr) == figure_in(out / "gpu.sms=4", "slots_memory"));
  CHECK_THAT(result.output, Contains("sms  status  speedup  memory") && Contains("memory: issue slots"));
  CHECK_THAT(result.output, Contains("cycles  Mrays/s\n"));  // although launches have no such figure
}

TEST_CASE("speedups with several settings are relative to the first experiment of each setting") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const std::string other = place.write("other.yaml", "extends: " + saxpy + "\nname: other\ngpu: {clock: 490 MHz}\n");
  const ProgramResult result =
      run_program({"run", saxpy, other, "--sweep", "gpu.sms=1,2", "--columns", "speedup", "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const std::string table = read_file(out / "runs.csv");
  for (const std::size_t row : {1, 2}) CHECK(cells_of(table, row)[4] == "1");
  for (const std::size_t row : {3, 4}) CHECK(std::strtod(cells_of(table, row)[4].c_str(), nullptr) < 1);
}

TEST_CASE("speedups compare only equal work and show different clocks") {
  const TemporaryFolder place;
  const std::string slow = place.write("slow.yaml", "extends: " + saxpy + "\nname: slow\ngpu: {clock: 490 MHz}\n");
  // A different kernel argument, a different result; a different buffer, the same result.
  const std::string launch = "launches: [{program: " RECONVERGE_SOURCE_DIR
                             "/platforms/kernels/saxpy.ptx, kernel: saxpy, threads: 4096, block: 256, "
                             "arguments: [";
  const std::string tripled = place.write(
      "tripled.yaml", "extends: " + saxpy + "\nname: tripled\n" + launch + "3, x, y, 4096]}]\nexpected: []\n");
  const std::string spelt =
      place.write("spelt.yaml", "extends: " + saxpy + "\nname: spelt\n" + launch + "2, x, y, 4096]}]\nexpected: []\n");
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program({"run", saxpy, slow, tripled, spelt, "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const std::string table = read_file(out / "runs.csv");
  CHECK_THAT(table, Contains("status,cycles,clock,time,speedup,ray_rate,") && Contains(",ok,1209,980000000,"));
  const std::vector<std::string> heads = cells_of(table, 0);
  const auto column = static_cast<std::size_t>(std::ranges::find(heads, "speedup") - heads.begin());
  CHECK(cells_of(table, 1)[column] == "1");
  CHECK(std::strtod(cells_of(table, 2)[column].c_str(), nullptr) < 0.9);
  CHECK(cells_of(table, 3)[column].empty());
  CHECK(cells_of(table, 4)[column] == "1");
  CHECK_THAT(result.output, Contains(" 490 MHz ") && Contains("over the first run of the same work"));
}

TEST_CASE("a stopped run has no speedup and is no baseline") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program({"run", saxpy, "--sweep", "gpu.sms=1,15", "--columns", "cycles,speedup",
                                            "--max-cycles", "1300", "--out", out.string()});
  INFO(result.errors);
  CHECK_THAT(read_file(out / "runs.csv"), Contains(",limit reached,1300,\n") && Contains(",ok,1209,\n"));
}

TEST_CASE("the default table is at most 100 columns wide and the file has the rest") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program(
      small_run({"--sweep", "gpu.sm.scheduler.policy=greedy_then_oldest,loose_round_robin", "--out", out.string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line) && line.find("Reports in") != 0;) CHECK(line.size() <= 100);
  CHECK_THAT(result.output, Contains("speedup") && Contains("memory"));
  CHECK_THAT(read_file(out / "runs.csv"), Contains(",l1_hit_rate,l2_hit_rate\n"));
}

TEST_CASE("columns that cannot be are refused before anything runs") {
  const TemporaryFolder place;
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"run", saxpy});
    const ProgramResult result = run_program(words, {place.path()});
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(part));
    CHECK(names_in(place.path()).empty());
  };
  refused({"--sweep", "gpu.sms=1,2", "--columns", "cycles,slot_memory"}, "did you mean slots_memory?");
  refused({"--sweep", "gpu.sms=1,2", "--columns", "cycles,qqqqqqqqqqq"}, "reconverge list figures shows all");
  refused({"--sweep", "gpu.sms=1,2", "--columns", "cycles,"}, "there is no figure ''");
  refused({"--sweep", "gpu.sms=1,2", "--columns", "cycles,time,cycles"}, "the figure cycles is given twice");
  refused({"--columns", "cycles"}, "there is one run, and no table of several");
}

TEST_CASE("the list of figures covers all machines and gives units") {
  const ProgramResult result = run_program({"list", "figures", "--json"});
  REQUIRE(result.exit_code == 0);
  std::vector<std::string> names;
  const json::value rows = json::parse(result.output);
  for (const json::value& row : rows.as_array()) {
    names.emplace_back(row.at("figure").as_string());
    CHECK_FALSE(row.at("unit").as_string().empty());
  }
  for (const auto* name : {"cycles", "slots_memory", "cycles_per_swap", "records_a_pass", "passes", "speedup"}) {
    INFO(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}
