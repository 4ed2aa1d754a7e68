// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/launch_outcome.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "models/core/digest.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/documents.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/report/sample_run.hpp"

using namespace reconverge;
using namespace reconverge::report;
using Catch::Contains;
namespace json = boost::json;

namespace {

/// Two launches of one kernel, and one buffer that is written and compared. Members refer to each other, so the object
/// must not be moved.
struct Sample {
  ExperimentParameters parameters = tests::sample_parameters();
  launch::LaunchPlan plan;
  launch::PlanResult result;
  LaunchOutcome outcome{parameters, plan, result};

  explicit Sample(std::string_view machine = "timed") {
    parameters.machine = machine;
    auto program = std::make_shared<kernel::Program>();
    program->name = std::string("k");
    program->registers = 9;
    launch::PlannedBuffer& buffer = plan.buffers.emplace_back();
    buffer.name = std::string("y");
    buffer.type = launch::ElementType::f32;
    buffer.count = 4;
    buffer.shape = {2, 2};
    for (const char* name : {"first", "second"}) {
      plan.launches.push_back({std::string(name), {}, program, {4}, {64}, 16, 4096, {}, {}, {}});
      launch::LaunchResult& launch = result.launches.emplace_back();
      launch.completed = true;
      launch.instructions = {400, 10400};
      if (machine == "timed") launch.counters = tests::sample_totals();
    }
    plan.order = {0, 1};
    plan.outputs = {{"y.npy", 0, launch::OutputFormat::npy, {2, 2}}};
    result.outputs = {{"head ", std::as_bytes(std::span(std::string_view("and data")))}};
    plan.checks = {{0, 4, {}, {0.5, 0, 2}, "values"}};
    result.checks = {{4, 1, 3, 1.5, {{2, "5", "2"}}}};
    result.completed = true;
  }

  RunReport report() const { return RunReport(outcome); }
};

}  // namespace

TEST_CASE("a report of launches defines figures without rays, for each launch and in total") {
  const Sample sample;
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("format") == "reconverge launch report");
  CHECK(document.at("platform").at("machine") == "timed");
  const json::object& defined = document.at("definitions").at("figures").as_object();
  CHECK_FALSE(defined.contains("rays"));
  CHECK_FALSE(defined.contains("ray_rate"));
  CHECK(document.at("total").at("figures").as_object().size() == defined.size());
  CHECK(document.at("total").at("figures").at("cycles") == 2000);
  CHECK(document.at("total").at("figures").at("warp_instructions") == 800);
  const json::value& first = document.at("launches").at(0);
  CHECK(first.at("figures").at("thread_instructions") == 10400);
  CHECK(first.at("figures").at("simd_efficiency").as_double() == 0.8125);
  CHECK(first.at("shared_bytes") == 16);
  CHECK(first.at("registers") == 9);
  CHECK(first.at("counters").at("gpu.sm.l1").at("hits") == 60);
}

TEST_CASE("repeated launches have one row and one section, with all of their threads") {
  Sample sample("functional");
  sample.plan.order = {0, 1, 0, 1, 0, 1};
  for (launch::LaunchResult& launch : sample.result.launches) launch.runs = 3;
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("launches").as_array().size() == 2);
  CHECK(document.at("launches").at(1).at("runs") == 3);
  // Three runs of 4 blocks of 64 threads.
  const std::string shown = table(sample.report());
  CHECK_THAT(shown, Catch::StartsWith("sample: 6 launches;") || Contains(": 6 launches;"));
  CHECK_THAT(shown, Contains("first                      768 ") && Contains("total                    1,536 "));
}

TEST_CASE("a difference is reported with its index in the buffer, and fails the check") {
  const Sample sample;
  CHECK_FALSE(sample.report().ok());
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("checks").at("expected_agree") == false);
  const json::value& check = document.at("expected").at(0);
  CHECK(check.at("first").at(0).at("index") == 6);
  CHECK(check.at("largest_relative") == 1.5);
  CHECK(check.at("ulps") == 2);
  CHECK_THAT(table(sample.report()),
             Contains("y against values: 1 of 4 values DIFFER") && Contains("y[6] is 5, expected 2"));
}

TEST_CASE("the functional machine has figures that need no timing") {
  const Sample sample("functional");
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("total").at("figures").as_object().size() == 3);
  CHECK(document.at("total").at("figures").at("simd_efficiency").as_double() == 0.8125);
  CHECK(document.at("total").at("counters").as_object().empty());
  CHECK(document.at("checks").at("issue_slots_add_up") == true);
  CHECK_FALSE(document.at("platform").as_object().contains("scheme"));
  CHECK_THAT(csv_report(sample.report()), Contains("total,,thread_instructions,20800,thread instructions\n"));
}

TEST_CASE("the table of launches fits the terminal") {
  Sample sample;
  for (launch::LaunchResult& launch : sample.result.launches) {
    launch.counters->of<GpuStatistics>().cycles = 99'999'999'999;
    launch.instructions = {4'000'000'000, 99'999'999'999};
  }
  std::istringstream lines(table(sample.report()));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("a stopped run of launches has this status and no outputs") {
  Sample sample;
  sample.result.completed = false;
  sample.result.launches.pop_back();
  sample.result.launches.back().completed = false;
  sample.result.checks.clear();
  sample.result.outputs.clear();
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("partial") == true);
  CHECK(document.at("launches").as_array().size() == 1);
  CHECK(document.at("expected").as_array().empty());
  CHECK_THAT(table(sample.report()), Contains("PARTIAL"));
}

TEST_CASE("launches can have all documents except the picture") {
  const Sample sample;
  ExperimentParameters loaded;
  const configuration::Configuration configuration =
      configuration::load_defaults(with_kinds(experiment_block), &loaded);
  const std::vector<OutputFile> files = documents(sample.report(), configuration, {"a.yaml", {}, {}}, "out/sample");
  std::vector<std::string> names;
  for (const OutputFile& file : files) names.push_back(file.name);
  CHECK(names == std::vector<std::string>{"report.json", "report.csv", "effective.yaml", "y.npy", "manifest.json"});
  const std::vector<std::string> possible = file_names(sample.plan);
  for (const std::string& name : names) CHECK(std::find(possible.begin(), possible.end(), name) != possible.end());
  CHECK_FALSE(json::parse(files.back().bytes).as_object().contains("seed"));
  const OutputFile& array = files[3];
  CHECK(array.bytes == "head ");
  CHECK(array.tail == "and data");
  CHECK(json::parse(files.back().bytes).at("outputs").at(3).at("sha256").as_string() == sha256("head and data"));
}
