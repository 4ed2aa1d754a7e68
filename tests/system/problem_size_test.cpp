// SPDX-License-Identifier: Apache-2.0
/// --set and --sweep within launches and buffers.

#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

TEST_CASE("a launch of another size runs, and its effective.yaml runs to the same figures") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const fs::path again = place.path() / "again";
  const ProgramResult result =
      run_program({"run", saxpy, "--set", "launches.saxpy.block=128", "--set", "buffers.x.count=8192", "--set",
                   "buffers.y.count=8192", "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const json::value report = report_in(out);
  CHECK(report.at("launches").at(0).at("block") == json::array({128, 1, 1}));
  CHECK(report.at("launches").at(0).at("grid") == json::array({64, 1, 1}));
  CHECK_THAT(read_file(out / "effective.yaml"),
             Contains("block: 128  # command line") && Contains("count: 8192  # command line"));
  CHECK_THAT(read_file(out / "manifest.json"), Contains("launches.saxpy.block=128"));
  REQUIRE(run_program({"run", (out / "effective.yaml").string(), "--out", again.string()}).exit_code == 0);
  CHECK(figures_in(again) == figures_in(out));
}

TEST_CASE("a sweep reaches the size of launches") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program({"run", saxpy, "--sweep", "launches[0].block=64,256", "--columns",
                                            "cycles,thread_instructions", "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(names_in(out) == std::vector<std::string>{"launches[0].block=256", "launches[0].block=64", "runs.csv"});
  CHECK_THAT(result.output, Contains("block  status"));
  CHECK(figures_in(out / "launches[0].block=64").at("cycles") !=
        figures_in(out / "launches[0].block=256").at("cycles"));
}

TEST_CASE("impossible sizes are refused before anything runs, with the word of the command line") {
  const TemporaryFolder place;
  const auto refused = [&](const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    const ProgramResult result = run_program(words, {place.path()});
    INFO(result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
    CHECK(names_in(place.path()).empty());
  };
  refused({"run", saxpy, "--set", "launches[0].blok=64"},
          {"error: --set: launches[0] has no key blok; did you mean bl"});
  refused({"run", saxpy, "--set", "launches[0].block=many"}, {"error: --set: launches[0].block: 'many'"});
  refused({"run", saxpy, "--set", "launches[0].block=2048"}, {"--set: launches[0].block"});
  refused({"run", saxpy, "--set", "launches[1].block=64"}, {"--set launches[1].block=64: launches has no item [1]"});
  refused({"run", saxpy, "--set", "buffers.z.count=64"}, {"buffers has no z"});
  // The array of expected values has its own size.
  refused({"run", collatz, "--set", "buffers.total.count=2"}, {"collatz.yaml:", "2 elements of 'total' are expected"});
  refused({"run", saxpy, "--sweep", "launches[0].block=64,4096"}, {"block=4096: ", "--set: launches[0].block"});
  refused({"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml", "--set", "launches[0].block=64"},
          {"the experiment has no launches"});
}
