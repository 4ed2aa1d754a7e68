// SPDX-License-Identifier: Apache-2.0
/// The refusals of a command of several runs before the first run, and the folders of the runs.

#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// Runs in `place`, expects one error message with all of `parts`, and no files but the existing ones.
void expect_refusal(const TemporaryFolder& place, const std::vector<std::string>& arguments, int exit_code,
                    const std::vector<std::string>& parts) {
  const std::vector<std::string> before = names_in(place.path());
  const ProgramResult result = run_program(arguments, {place.path()});
  INFO(result.errors);
  CHECK(result.exit_code == exit_code);
  CHECK(is_one_complaint(result.errors));
  CHECK(result.output.empty());
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
  CHECK(names_in(place.path()) == before);
}

void expect_sweep_refusal(const std::vector<std::string>& sweeps, const std::vector<std::string>& parts) {
  const TemporaryFolder place;
  std::vector<std::string> words{"run", saxpy};
  for (const std::string& sweep : sweeps) words.insert(words.end(), {"--sweep", sweep});
  expect_refusal(place, words, 2, parts);
}

}  // namespace

TEST_CASE("a wrong key or value of a sweep is refused before anything runs") {
  expect_sweep_refusal({"gpu.smss=1,2"}, {"--sweep gpu.smss=1", "did you mean gpu.sms?"});
  expect_sweep_refusal({"gpu.sms=1,2,many"}, {"--sweep gpu.sms=many", "'many'"});
  expect_sweep_refusal({"gpu.sms=1,100000"}, {"--sweep gpu.sms=100000", "256"});
  expect_sweep_refusal({"gpu.sms=1,"}, {"--sweep gpu.sms="});
  expect_sweep_refusal({"machine=timed,fast"}, {"--sweep machine=fast", "functional"});
  expect_sweep_refusal({"gpu.sms"}, {"--sweep gpu.sms", "path=value,value"});
  expect_sweep_refusal({"gpu.sms=1", "gpu.sm=1"}, {"--sweep gpu.sm=1", "is a block"});
  expect_sweep_refusal({"workload.width=8,16"}, {"workload.width is given, and launches, too"});
}

TEST_CASE("a value or a parameter that is given twice is refused") {
  expect_sweep_refusal({"gpu.sms=1,2,1"}, {"the value 1 is given twice"});
  expect_sweep_refusal({"gpu.sm.l1.capacity=16 KiB,16384 B"}, {"the value 16 KiB is given twice"});
  expect_sweep_refusal({"gpu.sms=1,2", "machine=timed", "gpu.sms=3"}, {"gpu.sms is swept already"});
  const TemporaryFolder place;
  expect_refusal(place, {"run", saxpy, "--set", "gpu.sms=2", "--sweep", "gpu.sms=1,2"}, 2,
                 {"--sweep gpu.sms=1,2", "--set gpu.sms=2"});
}

TEST_CASE("a value that two paths lead to is refused in a sweep") {
  const std::string by_name = "launches.saxpy.block=32,64";
  const std::string by_number = "launches[0].block=128,256";
  expect_sweep_refusal(
      {by_name, by_number},
      {"--sweep launches[0].block=128: --sweep launches.saxpy.block=32 changes the same, launches[0].block",
       "remove one of the two"});
  // One setting within the other.
  const std::string all = "launches[0].arguments=[2, x, y, 1000],[3, x, y, 1000]";
  const std::string one = "launches.saxpy.arguments[0]=4,2";
  expect_sweep_refusal({all, one}, {"--sweep launches.saxpy.arguments[0]=4: ", "the same, launches[0].arguments[0]"});
  expect_sweep_refusal({one, all}, {"the same, launches[0].arguments;"});
  const TemporaryFolder place;
  expect_refusal(place, {"run", saxpy, "--set", "launches[0].block=64", "--sweep", by_name}, 2,
                 {"--set launches[0].block=64 changes the same"});
}

TEST_CASE("a sweep of implausibly many runs is refused") {
  std::string many = "gpu.sms=1";
  for (int i = 2; i <= 200; ++i) many += ',' + std::to_string(i);
  std::string slots = "gpu.sm.warp_slots=1";
  for (int i = 2; i <= 60; ++i) slots += ',' + std::to_string(i);
  expect_sweep_refusal({many, slots}, {"10000 combinations"});
}

TEST_CASE("a combination that gives an invalid platform is named and nothing runs") {
  const TemporaryFolder place;
  const std::vector<std::string> lines{"run",         saxpy,     "--sweep",
                                       "gpu.sms=1,2", "--sweep", "gpu.l2.line=128 B,64 B,32 B"};
  // Of four errors the first is reported, whichever is found first.
  expect_refusal(place, lines, 2, {"error: sms=1, line=64 B: ", "gpu.l2.line"});
  expect_refusal(place, {"run", collatz, "--sweep", "gpu.sm.register_file.registers=65536,1024"}, 2,
                 {"registers=1024: ", "does not fit"});
}

TEST_CASE("of several experiments one that is wrong keeps all from running") {
  const TemporaryFolder place;
  place.write("typo.yaml", "name: typo\ngpu:\n  smss: 8\n");
  expect_refusal(place, {"run", saxpy, "typo.yaml"}, 2, {"typo.yaml:3:3: ", "gpu.sms"});
  place.write("lost.yaml", "name: lost\nlaunches:\n- {program: nothing.ptx, grid: 1, block: 1}\n");
  expect_refusal(place, {"run", saxpy, "lost.yaml"}, 2, {"error: lost: lost.yaml:3:", "nothing.ptx"});
  expect_refusal(place, {"run", saxpy, "nothing.yaml"}, 2, {"nothing.yaml"});
  expect_refusal(place, {"run", saxpy, collatz, "--jobs", "0"}, 2, {"--jobs", "see reconverge run --help"});
}

TEST_CASE("two experiments of one name are refused, and so is one named as the table") {
  const TemporaryFolder place;
  place.write("a/run.yaml", "extends: " + saxpy + "\nname: same\n");
  place.write("b/run.yaml", "extends: " + collatz + "\nname: same\n");
  expect_refusal(place, {"run", "a/run.yaml", "b/run.yaml"}, 2, {"b/run.yaml: ", "a/run.yaml", "'same'"});
  expect_refusal(place, {"run", saxpy, saxpy}, 2, {"'saxpy'"});
  place.write("table.yaml", "extends: " + saxpy + "\nname: runs.csv\n");
  expect_refusal(place, {"run", saxpy, "table.yaml"}, 2, {"table.yaml: ", "'runs.csv'"});
}

TEST_CASE("settings name folders that are safe, and no two the same") {
  const TemporaryFolder place;
  const std::string longer = std::string(300, 'x');
  const ProgramResult result = run_program({"run", saxpy, "--out", "out", "--sweep", "gpu.sm.l1.capacity=49152 B",
                                            "--sweep", "name=a b,a+b,a_b,\"é\"," + longer + "1," + longer + "2"},
                                           {place.path()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const std::vector<std::string> names = names_in(place.path() / "out");
  const std::string begin = "gpu.sm.l1.capacity=48+KiB,name=";
  REQUIRE(names.size() == 7);
  CHECK(names[0] == begin + "%22%C3%A9%22");
  CHECK(names[1] == begin + "a%2Bb");
  CHECK(names[2] == begin + "a+b");
  CHECK(names[3] == begin + "a_b");
  for (const std::size_t cut : {4, 5}) {
    CHECK(names[cut].size() == 200);
    CHECK(names[cut].find("xxx~") == names[cut].size() - 20);
  }
  CHECK(names[4] != names[5]);
  CHECK(names[6] == "runs.csv");
}

TEST_CASE("several experiments under several settings have a folder each, with one for each setting") {
  const TemporaryFolder place;
  const ProgramResult result = run_program({"run", saxpy, collatz, "--sweep", "gpu.sms=1,2"}, {place.path()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const fs::path out = place.path() / "out" / "sweep";
  CHECK(names_in(out) == std::vector<std::string>{"collatz", "runs.csv", "saxpy"});
  CHECK(names_in(out / "saxpy") == std::vector<std::string>{"gpu.sms=1", "gpu.sms=2"});
  CHECK_THAT(result.output, Catch::StartsWith("experiment  sms  status") && Contains("\ncollatz     2    ok "));
  CHECK_THAT(read_file(out / "runs.csv"), Contains("\nsaxpy/gpu.sms=1,saxpy,1,ok,"));
}

TEST_CASE("a folder with other files and a runs.csv of another kind are refused unless forced") {
  const TemporaryFolder place;
  const std::vector<std::string> words{"run", saxpy, "--sweep", "gpu.sms=1,2", "--out", "out"};
  place.write("out/gpu.sms=2/precious", "x");
  expect_refusal(place, words, 4, {"error: sms=2: ", "'precious'", "--force"});
  CHECK(names_in(place.path() / "out") == std::vector<std::string>{"gpu.sms=2"});
  fs::remove(place.path() / "out/gpu.sms=2/precious");
  place.write("out/runs.csv", "lap,time\n");
  expect_refusal(place, words, 4, {"out/runs.csv", "--force"});
  std::vector<std::string> forced = words;
  forced.emplace_back("--force");
  CHECK(run_program(forced, {place.path()}).exit_code == 0);
  // Now the file is such a table, and another run may replace it.
  CHECK(run_program(words, {place.path()}).exit_code == 0);
}
