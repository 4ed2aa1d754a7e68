// SPDX-License-Identifier: Apache-2.0
/// Multi-pass partitioning from the user's side: launches, rays, reports, errors, and how a kernel is cut.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

const std::string source = RECONVERGE_SOURCE_DIR;
const std::string kernel_folder = source + "/platforms/kernels/";
const std::string platform = source + "/yaml/platforms/geforce_8800_gts.yaml";

}  // namespace

TEST_CASE("a launch on the machine with only guards leaves the expected results and figures") {
  const TemporaryFolder place;
  place.write("run.yaml", "extends: [" + platform + ", " + source + "/yaml/experiments/saxpy.yaml]\n");
  const ProgramResult result =
      run_program({"run", "run.yaml", "--set", "machine=multi_pass", "--out", "out"}, {place.path()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("12 processors of 8 lanes with guards at 1.2 GHz") && Contains("values agree") &&
                                Contains("passes, 0.0 % of them for no thread"));
  const json::value report = json::parse(read_file(place.path() / "out" / "report.json"));
  CHECK(report.at("platform") ==
        json::value{{"machine", "multi_pass"}, {"processors", 12}, {"lanes", 8}, {"clock_hz", 1'200'000'000}});
  const json::object& figures = report.at("total").at("figures").as_object();
  const json::object& counters = report.at("total").at("counters").at("multi_pass").as_object();
  CHECK(figures.at("passes") == counters.at("passes"));
  CHECK(figures.at("threads_a_pass").to_number<double>() ==
        counters.at("completed").to_number<double>() / counters.at("passes").to_number<double>());
  double shares = 0;
  for (const char* cause : {"run", "guard", "arrays", "copy", "memory", "launch", "count"}) {
    shares += figures.at(std::string("cycles_") + cause).to_number<double>();
  }
  CHECK(shares == Approx(1));
  CHECK_FALSE(figures.contains("records_a_pass"));
  CHECK_FALSE(report.at("launches").at(0).at("traffic").as_array().empty());
}

TEST_CASE("rays have the same hits on the multi-pass machine as on a GPU") {
  const TemporaryFolder place;
  const ProgramResult result = run_program(
      small_run({"--set", "machine=multi_pass", "--set", "workload.scene=conference_small", "--set",
                 "workload.structure=kd_tree", "--set", "workload.trace_program=" + kernel_folder + "trace_kd_tree.ptx",
                 "--set", "workload.trace_kernel=trace_kd_tree", "--out", (place.path() / "out").string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("0 mismatches") && Contains("Picture against the host's: agrees"));
}

TEST_CASE("without timestamps the error names the stale values and the remedy") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_program({"run", source + "/yaml/experiments/julia.yaml", "--set", "machine=multi_pass", "--set",
                   "multi_pass.timestamps=false", "--set", "multi_pass.pass_limit=2000", "--set",
                   "multi_pass.partition.bipartization=none", "--out", (place.path() / "out").string()});
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.errors, Contains("has not ended after 2000 passes") && Contains("stale values of r") &&
                                Contains("multi_pass.timestamps to true"));
}

TEST_CASE("kernels whose threads need each other are refused with file and line") {
  const TemporaryFolder place;
  const ProgramResult result = run_program({"run", source + "/yaml/experiments/collatz.yaml", "--set",
                                            "machine=multi_pass", "--out", (place.path() / "out").string()});
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("reduce.ptx:") && Contains("shared memory"));
}

TEST_CASE("inspect passes shows the kernels of a partition") {
  const std::vector<std::string> kernel{"inspect", "passes", kernel_folder + "julia_stream.ptx", "--entry",
                                        "julia_colours"};
  const ProgramResult text = run_program(kernel);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.output, Contains("5 kernels, 2 of them copying") && Contains("reads program counters b"));
  std::vector<std::string> dot = kernel;
  dot.emplace_back("--dot");
  CHECK_THAT(run_program(dot).output, Contains("digraph passes"));
  // With the options of a platform.
  const TemporaryFolder place;
  place.write("p.yaml", "extends: " + platform + "\nmulti_pass: {partition: {bipartization: none}}\n");
  std::vector<std::string> other = kernel;
  other.insert(other.end(), {"--platform", (place.path() / "p.yaml").string()});
  CHECK_THAT(run_program(other).output, Contains("3 kernels, 0 of them copying"));
}
