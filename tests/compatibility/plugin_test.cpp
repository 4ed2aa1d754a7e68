// SPDX-License-Identifier: Apache-2.0
/// Plugins of the previous version: their sources compile and run, and libraries that it compiled are refused.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "interface_version.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

json::value report_with(const std::string& plugin, const std::string& setting) {
  const TemporaryFolder place;
  const std::string out = (place.path() / "out").string();
  const ProgramResult result = run_program(
      {"run", "yaml/experiments/collatz.yaml", "--plugin", plugin, "--set", setting, "--quiet", "--out", out});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  return json::parse(read_file(out + "/report.json"));
}

}  // namespace

TEST_CASE("a scheme whose source is of the previous version compiles and runs") {
  const json::value report = report_with(RECONVERGE_PREVIOUS_SCHEME, "gpu.sm.scheme=smallest_scheme");
  CHECK(report.at("platform").at("scheme").as_string() == "smallest_scheme");
}

TEST_CASE("a machine whose source is of the previous version compiles and runs") {
  const json::value report = report_with(RECONVERGE_PREVIOUS_MACHINE, "machine=ideal_mimd");
  CHECK(report.at("platform").at("machine").as_string() == "ideal_mimd");
}

TEST_CASE("a library that the previous version compiled is refused with both versions") {
  const std::string plugin = std::string(RECONVERGE_PREVIOUS) + "/plugin/libsmallest_scheme.so";
  const ProgramResult result = run_program({"validate", "yaml/experiments/collatz.yaml", "--plugin", plugin});
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("the plugin is for version " RECONVERGE_PREVIOUS_VERSION) &&
                                Contains(reconverge::interface_version) && Contains("build it against"));
}
