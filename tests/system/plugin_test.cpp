/// Divergence schemes from shared libraries.

#include <boost/json.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

constexpr const char* experiment = "yaml/experiments/collatz.yaml";

json::value report_of(const TemporaryFolder& place, const std::string& name, const std::vector<std::string>& options) {
  const std::string folder = (place.path() / name).string();
  std::vector<std::string> arguments{"run", experiment, "--quiet", "--out", folder};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_program(arguments);
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  return json::parse(read_file(folder + "/report.json"));
}

ProgramResult validate_with(const std::string& plugin) {
  return run_program({"validate", experiment, "--plugin", plugin});
}

}  // namespace

TEST_CASE("a stack from a shared library runs a kernel in the cycles of the stack that is built in") {
  const TemporaryFolder place;
  const json::value own = report_of(place, "own", {});
  const json::value other =
      report_of(place, "other", {"--plugin", RECONVERGE_TEST_PLUGIN, "--set", "gpu.sm.scheme=stack_again"});
  CHECK(other.at("platform").at("scheme").as_string() == "stack_again");
  CHECK(other.at("total").at("figures") == own.at("total").at("figures"));
  CHECK(read_file(place.path() / "other/manifest.json").find("stack_again") != std::string::npos);
}

TEST_CASE("a scheme that no plugin brings is refused, and so is what is no plugin") {
  const ProgramResult unknown = run_program({"validate", experiment, "--set", "gpu.sm.scheme=stack_again"});
  CHECK(unknown.exit_code == 2);
  CHECK(is_one_complaint(unknown.errors));
  CHECK_THAT(unknown.errors, Contains("stack_again") && Contains("reconvergence_stack"));

  const ProgramResult missing = validate_with("no_such_plugin.so");
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.errors, Contains("no_such_plugin.so: there is no such file"));

  const ProgramResult text = validate_with(experiment);
  CHECK(text.exit_code == 2);
  CHECK_THAT(text.errors, Contains("cannot be loaded"));
}

TEST_CASE("a plugin of another version is refused with both versions") {
  const ProgramResult old = validate_with(RECONVERGE_TEST_OLD_PLUGIN);
  CHECK(old.exit_code == 2);
  CHECK(is_one_complaint(old.errors));
  CHECK_THAT(old.errors, Contains("0.0.1") && Contains("0.1.0"));
}
