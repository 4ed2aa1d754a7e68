// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <sstream>

#include "models/core/digest.hpp"
#include "platforms/figures/warp_figures.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/figures.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/ray_outcome.hpp"
#include "scenes/files/picture.hpp"
#include "tests/unit/platforms/report/sample_run.hpp"

using namespace reconverge;
using namespace reconverge::report;
namespace json = boost::json;

namespace {

/// A run and its report. Members refer to each other, so the object must not be moved.
struct Sample {
  ExperimentParameters parameters = tests::sample_parameters();
  RayTracingResult result = tests::sample_result();

  RayOutcome outcome{parameters, result};

  RunReport report() const { return RunReport(outcome); }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The width of a line in columns of the screen.
std::size_t width_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  return columns;
}

}  // namespace

TEST_CASE("the JSON report defines every figure and counter, and has a value for each in every section") {
  const Sample sample;
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("schema_version") == schema_version);
  CHECK(document.at("partial") == false);
  CHECK(document.at("stages").as_array().size() == 2);

  std::vector<json::value> sections{document.at("tracing"), document.at("total")};
  for (const json::value& stage : document.at("stages").as_array()) sections.push_back(stage);
  const json::object& figures_defined = document.at("definitions").at("figures").as_object();
  CHECK(figures_defined.size() == sample.report().total().figures().size());
  for (const auto& [name, definition] : figures_defined) {
    INFO(name);
    for (const auto* key : {"unit", "text", "formula"}) CHECK_FALSE(definition.at(key).as_string().empty());
    for (const json::value& section : sections) CHECK(section.at("figures").as_object().contains(name));
  }
  std::size_t counters = 0;
  for (const auto& [path, block] : document.at("definitions").at("counters").as_object()) {
    for (const auto& [name, definition] : block.as_object()) {
      INFO(path << '.' << name);
      ++counters;
      for (const auto* key : {"unit", "text"}) CHECK_FALSE(definition.at(key).as_string().empty());
      for (const json::value& section : sections) {
        const json::value& value = section.at("counters").at(path).at(name);
        if (definition.as_object().contains("bins")) {
          CHECK(value.as_array().size() == definition.at("bins").as_array().size());
        } else {
          CHECK(value.is_int64());
        }
      }
    }
  }
  std::size_t expected = 0;
  gpu_statistics().visit([&](std::string_view, const StatisticsView& view) { expected += view.descriptions().size(); });
  CHECK(counters == expected);
  CHECK(document.at("total").at("figures").at("cycles") == 2000);
  CHECK(document.at("total").at("counters").at("gpu.sm.l1").at("hits") == 120);
}

TEST_CASE("the JSON report of a stopped run has this status and no picture") {
  Sample sample;
  sample.result.completed = false;
  sample.result.stages.back().cost.completed = false;
  sample.result.rgba.clear();
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("partial") == true);
  CHECK(document.at("picture").is_null());
  CHECK(document.at("stages").at(1).at("completed") == false);
}

TEST_CASE("values that are not numbers become null, and names are quoted") {
  Sample sample;
  sample.result.picture_error = std::numeric_limits<double>::quiet_NaN();
  sample.parameters.name = "a \"quoted\" name\n";
  const json::value document = json::parse(json_report(sample.report()));
  CHECK(document.at("picture").at("largest_difference").is_null());
  CHECK(document.at("experiment").as_string() == sample.parameters.name);
}

TEST_CASE("the CSV report has five fields a line, and the values of the JSON report") {
  const Sample sample;
  std::map<std::string, std::string> values;
  const std::vector<std::string> lines = lines_of(csv_report(sample.report()));
  CHECK(lines.front() == "stage,path,figure,value,unit");
  for (const std::string& line : lines) {
    INFO(line);
    REQUIRE(std::count(line.begin(), line.end(), ',') == 4);
    const std::size_t third = line.find(',', line.find(',', line.find(',') + 1) + 1);
    const std::size_t fourth = line.find(',', third + 1);
    CHECK(values.emplace(line.substr(0, third), line.substr(third + 1, fourth - third - 1)).second);
  }
  CHECK(values.at("total,,cycles") == "2000");
  CHECK(values.at("total,gpu.sm.l1,hits") == "120");
  CHECK(values.at("bounce 1,gpu.sm.scheduler,slots.memory") == "1600");
  CHECK(values.at("bounce 1,gpu.sm.scheduler,active_lanes.32") == "300");
  CHECK(values.at("tracing,,simd_efficiency") == "0.8125");
}

TEST_CASE("a field with a comma or a quote is quoted") {
  Sample sample;
  sample.result.stages.front().name = "one, \"two\"";
  CHECK(csv_report(sample.report()).find("\n\"one, \"\"two\"\"\",,cycles,1000,cycles\n") != std::string::npos);
}

TEST_CASE("the table fits the terminal, even with large numbers") {
  Sample sample;
  sample.result.stages.front().name = "shade bounce 8 shadow";
  for (Stage& stage : sample.result.stages) {
    stage.cost.counters->of<GpuStatistics>().cycles = 400'000'000'000;
    stage.rays = stage.rays_done = 400'000'000;
  }
  sample.result.stages.front().hits.mismatches = 1;
  sample.result.stages.front().hits.examples = {{17, {}, {}, "the ray misses this triangle"}};
  const std::string text = table(sample.report());
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(width_of(line) <= 100);
  }
  CHECK(text.find("shade bounce 8 shadow 400,000,000 400,000,000,000 ") != std::string::npos);
  CHECK(text.find(" 800,000,000 800,000,000,000 ") != std::string::npos);
  CHECK(text.find("ray 17: the ray misses this triangle") != std::string::npos);
  CHECK(text.find("Issue slots do not add up") != std::string::npos);
}

TEST_CASE("the table has the paper's groups of active lanes, and each outcome of issue slots that occurred") {
  const std::string text = table(Sample().report());
  for (const LaneGroup& group : lane_groups()) CHECK(text.find(group.name) != std::string::npos);
  const std::string bars = text.substr(text.find("Issue slots"));
  for (std::size_t i = 0; i < Bins<WarpSchedulerSlots, 7>::size(); ++i) {
    const auto outcome = static_cast<WarpSchedulerSlots>(i);
    const bool occurred = outcome == WarpSchedulerSlots::issued || outcome == WarpSchedulerSlots::memory;
    CHECK((bars.find(fmt::format("\n  {} ", to_string(outcome))) != std::string::npos) == occurred);
  }
  CHECK(text.find("PARTIAL") == std::string::npos);
}

TEST_CASE("the manifest lists all other documents") {
  Sample sample;
  sample.parameters.timeline = 1000;
  sample.result.microkernels = "// micro-kernels\n";
  sample.result.stages.front().cost.traffic = {{"", "walk", 5000, 80000}};
  ExperimentParameters loaded;
  const configuration::Configuration configuration =
      configuration::load_defaults(with_kinds(experiment_block), &loaded);
  const Provenance provenance{"a.yaml", {"gpu.sms=1"}, {{"a.yaml", sha256("x")}}};
  const std::vector<OutputFile> files = documents(sample.report(), configuration, provenance, "out/sample");
  REQUIRE(files.size() == file_names().size());
  for (std::size_t i = 0; i < files.size(); ++i) CHECK(files[i].name == file_names()[i]);

  const json::value manifest = json::parse(files.back().bytes);
  CHECK(json::serialize(manifest.at("command")) == R"(["reconverge","run","a.yaml","--set","gpu.sms=1"])");
  CHECK(manifest.at("inputs").at(0).at("sha256").as_string() == sha256("x"));
  const json::array& outputs = manifest.at("outputs").as_array();
  REQUIRE(outputs.size() == files.size() - 1);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    CHECK(outputs[i].at("file").as_string() == files[i].name);
    CHECK(outputs[i].at("sha256").as_string() == sha256(files[i].bytes));
  }

  const std::string& png = files[3].bytes;
  const std::vector<std::uint8_t> bytes(png.begin(), png.end());
  const scenes::Picture picture = scenes::decode_png(bytes, "picture.png");
  CHECK(picture.rgb == std::vector<std::uint8_t>{255, 0, 0, 0, 255, 0});
}

TEST_CASE("SHA-256 of known texts") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
