// SPDX-License-Identifier: Apache-2.0
/// --max-cycles and --max-seconds: limits for runs that would take too long.

#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const std::vector<std::string> partial_report{"effective.yaml", "manifest.json", "report.csv", "report.json"};
constexpr int limit_reached = 6;
const std::string time_was_up = "--max-seconds: the time was up before the first cycle";

std::int64_t cycles_in(const json::value& report) { return report.at("total").at("figures").at("cycles").as_int64(); }

}  // namespace

TEST_CASE("the option --max-cycles ends launches with exit code 6 and a valid report marked partial") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const std::string machine = GENERATE("timed", "streams", "multi_pass");
  const ProgramResult result =
      run_program({"run", collatz, "--set", "machine=" + machine, "--max-cycles", "5000", "--out", out.string()});
  INFO(machine << ": " << result.errors);
  CHECK(result.exit_code == limit_reached);
  CHECK(result.errors.empty());
  CHECK_THAT(result.output, Contains("PARTIAL"));
  for (const std::string& name : partial_report) CHECK(fs::exists(out / name));
  CHECK_FALSE(fs::exists(out / "total.bin"));
  CHECK(report_in(out).at("partial") == true);
  // A machine that runs in passes ends after the pass in which the limit is reached.
  if (machine == "timed") CHECK(cycles_in(report_in(out)) == 5000);
  CHECK(cycles_in(report_in(out)) >= 5000);
}

TEST_CASE("the option --max-cycles counts over all stages of a run that traces rays") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program(small_run({"--max-cycles", "60000", "--out", out.string()}));
  INFO(result.errors);
  CHECK(result.exit_code == limit_reached);
  CHECK(names_in(out) == partial_report);
  const json::value report = report_in(out);
  CHECK(report.at("partial") == true);
  CHECK(report.at("stopped_after").is_null());
  CHECK(report.at("stages").as_array().size() > 1);
  CHECK(report.at("stages").as_array().back().at("completed") == false);
  CHECK(report.at("stages").as_array().back().at("rays_done") == 0);
  CHECK(report.at("checks").at("issue_slots_add_up") == true);
  CHECK(cycles_in(report) == 60000);
}

TEST_CASE("a limit that a run does not reach leaves no trace") {
  const TemporaryFolder place;
  const fs::path all = place.path() / "all";
  const fs::path out = place.path() / "out";
  REQUIRE(run_program({"run", collatz, "--out", all.string()}).exit_code == 0);
  const std::int64_t cycles = cycles_in(report_in(all));
  const auto limited = [&](std::int64_t most) {
    return run_program({"run", collatz, "--max-cycles", std::to_string(most), "--max-seconds", "1e6", "--out",
                        out.string(), "--quiet"});
  };
  CHECK(limited(cycles - 1).exit_code == limit_reached);
  CHECK(report_in(out).at("launches").as_array().size() == 2);
  CHECK(limited(cycles + 1).exit_code == 0);
  REQUIRE(names_in(out) == names_in(all));
  for (const std::string& name : names_in(all)) CHECK(read_file(out / name) == read_file(all / name));
}

TEST_CASE("the option --max-seconds ends an endless kernel on timed and functional machines") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  write_endless(place);
  const auto* machine = GENERATE("machine=timed", "machine=functional");
  const ProgramResult result = run_program(
      {"run", (place.path() / "endless.yaml").string(), "--set", machine, "--max-seconds", "2", "--out", out.string()});
  INFO(result.errors);
  CHECK(result.exit_code == limit_reached);
  CHECK(names_in(out) == partial_report);
  const json::value report = report_in(out);
  CHECK(report.at("partial") == true);
  CHECK(report.at("total").at("figures").at("warp_instructions").as_int64() > 0);
}

TEST_CASE("the option --max-seconds ends a ray-tracing run in preparation and in simulation") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "new" / "out";
  const auto limited = [&](double seconds) {
    const ProgramResult result = run_program({"run", experiments + "conference.yaml", "--set", "gpu.sms=1",
                                              "--max-seconds", std::to_string(seconds), "--out", out.string()});
    INFO(result.errors);
    CHECK(result.exit_code == limit_reached);
    return result.errors;
  };
  // Preparation cannot finish in so short a time.
  CHECK(limited(0.001) == "reconverge: error: " + time_was_up + "\n");
  CHECK_FALSE(fs::exists(place.path() / "new"));
  // The simulation takes minutes; the preparation takes as long as a busy host needs.
  double seconds = 1;
  while (!fs::exists(out) && seconds < 100) limited(seconds *= 2);
  CHECK(names_in(out) == partial_report);
}

TEST_CASE("runs that time out before their first cycle have no figures even after an earlier report") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const std::vector<std::string> runs{"run", collatz, experiments + "saxpy.yaml", "--out", out.string()};
  REQUIRE(run_program(runs).exit_code == 0);
  std::vector<std::string> limited = runs;
  limited.insert(limited.end(), {"--max-seconds", "0.0001"});
  const ProgramResult result = run_program(limited);
  CHECK(result.exit_code == limit_reached);
  CHECK_THAT(result.errors, Contains("error: collatz: " + time_was_up) && Contains("error: saxpy: " + time_was_up));
  CHECK_THAT(read_file(out / "runs.csv"),
             Contains("\ncollatz,collatz,limit reached,,") && Contains("\nsaxpy,saxpy,limit reached,,"));
}

TEST_CASE("each of several runs has the limits for itself, and the table says which reached one") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  write_endless(place);
  const std::string endless = (place.path() / "endless.yaml").string();
  const ProgramResult result = run_program({"run", endless, collatz, "--max-cycles", "100000", "--out", out.string()});
  INFO(result.errors);
  CHECK(result.exit_code == limit_reached);
  CHECK_THAT(read_file(out / "runs.csv"),
             Contains("\nendless,endless,limit reached,100000,") && Contains("\ncollatz,collatz,ok,"));
  CHECK(names_in(out / "endless") == partial_report);
}

TEST_CASE("limits that cannot be are refused before anything runs") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.end(), {"--out", out.string()});
    const ProgramResult result = run_program(words);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(part));
    CHECK_FALSE(fs::exists(out));
  };
  refused({"run", collatz, "--max-cycles", "9", "--set", "machine=functional"}, "which has no cycles; give --max-sec");
  refused({"run", collatz, "--max-cycles", "9", "--sweep", "machine=timed,functional"},
          "machine=functional: --max-cyc");
  for (const auto* cycles : {"0", "1e6", "1_000", "1000000000001"})
    refused({"run", collatz, "--max-cycles", cycles}, "is not a whole number from 1 to 1000000000000");
  for (const auto* seconds : {"0", "-1", "nan", "soon"})
    refused({"run", collatz, "--max-seconds", seconds}, "is no number of seconds above 0");
}
