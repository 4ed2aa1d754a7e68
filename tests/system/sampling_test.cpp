// SPDX-License-Identifier: Apache-2.0
// `sample:` in an experiment: estimates with intervals, and all results.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

using Words = std::vector<std::string>;

/// Rays of a picture on a small machine: `every` as in `sample`.
Words rays(const std::string& experiment, const std::string& every, const Words& more = {}) {
  Words words{"run", experiments + experiment, "--quiet", "--set", "sample.every=" + every};
  for (const char* setting : {"gpu.sms=1", "workload.width=160", "workload.height=128", "workload.max_rays=0",
                              "workload.bounces=1", "workload.samples=1"}) {
    words.insert(words.end(), {"--set", setting});
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

double value(const json::value& section, const std::string& kind, const std::string& figure) {
  return section.at(kind).at(figure).to_number<double>();
}

ProgramResult saxpy_sampled(const fs::path& out, const Words& more) {
  Words words{"run", saxpy, "--out", out.string(), "--set", "sample.every=4"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

}  // namespace

TEST_CASE("estimates of a sampled ray experiment are near the whole, and hits and picture agree", "[sampling]") {
  const TemporaryFolder place;
  const auto [experiment, warps] = GENERATE(table<std::string, std::string>({
      {"simulated_software.yaml", "8"},
      {"simulated_shuffling.yaml", "10"},
      {"simulated_compaction.yaml", "12"},
  }));
  CAPTURE(experiment);
  const std::string slots = "gpu.sm.warp_slots=" + warps;
  const fs::path whole = place.path() / "whole";
  const fs::path part = place.path() / "part";
  REQUIRE(run_program(rays(experiment, "1", {"--set", slots, "--out", whole.string()})).exit_code == 0);
  const ProgramResult sampled = run_program(rays(experiment, "6", {"--set", slots, "--out", part.string()}));
  CAPTURE(sampled.errors);
  REQUIRE(sampled.exit_code == 0);
  const json::value exact = report_in(whole);
  const json::value estimated = report_in(part);
  CHECK_FALSE(exact.as_object().contains("sampling"));
  CHECK(estimated.at("sampling").at("estimated").as_bool());
  CHECK(estimated.at("notes").as_object().contains("sampling"));
  CHECK(estimated.at("partial") == false);
  for (const auto& check : estimated.at("checks").as_object()) CHECK(check.value() == true);
  CHECK(estimated.at("hits").at("checked").as_int64() < exact.at("hits").at("checked").as_int64() / 3);
  CHECK(estimated.at("hits").at("mismatches") == 0);

  const json::value& tracing = estimated.at("tracing");
  CHECK(tracing.at("figures").at("rays") == exact.at("tracing").at("figures").at("rays"));
  CHECK(value(tracing, "figures", "unaccounted_slots") == 0);
  for (const char* figure : {"cycles", "ray_rate", "thread_ipc", "simd_efficiency"}) {
    CAPTURE(figure);
    const double half_width = value(tracing, "half_widths", figure);
    const double right = value(exact.at("tracing"), "figures", figure);
    CHECK(half_width > 0);
    CHECK(half_width < 0.5 * right);
    // The interval misses one in twenty times, and a small machine suffers from rows that begin with other rays'
    // caches.
    CHECK(std::abs(value(tracing, "figures", figure) - right) < 1.5 * half_width + 0.03 * right);
  }
  CHECK(read_file(part / "picture.png") == read_file(whole / "picture.png"));
  CHECK_THAT(read_file(part / "report.csv"), Contains("tracing,,ray_rate.half_width,"));
}

TEST_CASE("a sampled run is the same for any number of threads", "[sampling]") {
  const TemporaryFolder place;
  const auto run = [&](const std::string& threads) {
    const fs::path out = place.path() / threads;
    REQUIRE(run_program(rays("simulated_software.yaml", "4",
                             {"--set", "gpu.sms=3", "--set", "gpu.sm.warp_slots=8", "--threads", threads, "--out",
                              out.string()}))
                .exit_code == 0);
    return out;
  };
  check_same(run("1"), run("2"));
}

TEST_CASE("sampled launches give the expected contents", "[sampling]") {
  const TemporaryFolder place;
  const ProgramResult run = saxpy_sampled(place.path() / "r", {"--set", "gpu.sms=1", "--set", "gpu.sm.warp_slots=8"});
  CAPTURE(run.output, run.errors);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("SAMPLED: 0 of 1 launches") && Contains("saxpy in full: a sample has 4 blocks"));
  CHECK_THAT(run.output, Contains("4,096 values agree"));
  const json::value report = report_in(place.path() / "r");
  CHECK_FALSE(report.at("sampling").at("estimated").as_bool());
  CHECK(report.at("launches").at(0).as_object().contains("simulated_in_full"));
  CHECK_FALSE(report.at("total").as_object().contains("half_widths"));
}

TEST_CASE("the table shows intervals", "[sampling]") {
  const TemporaryFolder place;
  Words words = rays("simulated_software.yaml", "6", {"--set", "gpu.sm.warp_slots=8", "--out", place.path() / "r"});
  std::erase(words, "--quiet");
  const ProgramResult run = run_program(words);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("Estimates of tracing, with 95 % confidence") && Contains(" +- "));
  CHECK_THAT(run.output, Contains("launches are estimated from one part in 6"));
}

TEST_CASE("what a sample cannot show is refused", "[sampling]") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "r";
  const auto [settings, complaint] = GENERATE(table<Words, std::string>({
      {{"--set", "machine=functional"}, "sample.every: the machine is functional, which has no SMs"},
      {{"--set", "profile=true"}, "sample.every: a profile needs all instructions"},
      {{"--set", "timeline=100 cycles"}, "sample.every: a timeline needs all cycles"},
      {{"--checkpoint", "sampled.checkpoint"}, "sample.every is given"},
  }));
  const ProgramResult run = saxpy_sampled(out, settings);
  CAPTURE(run.errors);
  CHECK(run.exit_code == 2);
  CHECK(is_one_complaint(run.errors));
  CHECK_THAT(run.errors, Contains(complaint));
  CHECK_FALSE(fs::exists(out));
}

TEST_CASE("a sample of rays excludes a limit and a megakernel's own sample", "[sampling]") {
  const TemporaryFolder place;
  const auto [experiment, setting, complaint] = GENERATE(table<std::string, std::string, std::string>({
      {"simulated_software.yaml", "stop_after=1000 cycles", "ends a launch before its sample"},
      {"si/conference_diffuse.yaml", "workload.width=64", "give workload.sample_blocks instead"},
  }));
  const ProgramResult run = run_program({"run", experiments + experiment, "--out", (place.path() / "r").string(),
                                         "--set", "sample.every=4", "--set", setting});
  CAPTURE(run.errors);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, Contains(complaint));
}
