// SPDX-License-Identifier: Apache-2.0
/// Divergence schemes and machines from shared libraries.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
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

ProgramResult validate_with(const std::string& plugin, const ProgramOptions& options = {}) {
  return run_program({"validate", experiment, "--plugin", plugin}, options);
}

/// One line that names the plugin.
void check_refused(const ProgramResult& result, const std::string& plugin, const std::string& text) {
  INFO(result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains(plugin) && Contains(text));
}

}  // namespace

TEST_CASE("a stack from a shared library runs a kernel in the cycles of the stack that is built in") {
  const TemporaryFolder place;
  const json::value own = report_of(place, "own", {});
  const json::value other =
      report_of(place, "other", {"--plugin", RECONVERGE_TEST_PLUGIN, "--set", "gpu.sm.scheme=smallest_scheme"});
  CHECK(other.at("platform").at("scheme").as_string() == "smallest_scheme");
  CHECK(other.at("total").at("figures") == own.at("total").at("figures"));
  CHECK(read_file(place.path() / "other/manifest.json").find("smallest_scheme") != std::string::npos);
}

TEST_CASE("a machine that is not known is refused in its place, with the known ones") {
  const TemporaryFolder place;
  const std::string source = RECONVERGE_SOURCE_DIR;
  const std::string file = place.write("run.yaml", "extends: " + source + "/" + experiment + "\nmachine: ideal_mimd\n");
  const ProgramResult unknown = run_program({"validate", file});
  CHECK(unknown.exit_code == 2);
  CHECK(is_one_complaint(unknown.errors));
  CHECK_THAT(unknown.errors,
             Contains("run.yaml:2:10: machine: 'ideal_mimd' is not one of the choices") &&
                 Contains("known: timed, functional, streams, multi_pass (a plugin can add others: --plugin FILE)"));
  const ProgramResult near = run_program({"validate", experiment, "--set", "machine=stream"});
  CHECK(near.exit_code == 2);
  CHECK_THAT(near.errors, Contains("'stream' is not one of the choices") && Contains("did you mean streams?"));
}

TEST_CASE("a scheme without a plugin is refused and so is a library that is not a plugin") {
  const ProgramResult unknown = run_program({"validate", experiment, "--set", "gpu.sm.scheme=smallest_scheme"});
  CHECK(unknown.exit_code == 2);
  CHECK(is_one_complaint(unknown.errors));
  CHECK_THAT(unknown.errors,
             Contains("smallest_scheme") && Contains("reconvergence_stack") && Contains("--plugin FILE"));

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
  CHECK_THAT(old.errors, Contains("0.0.1") && Contains("0.2.0"));
}

TEST_CASE("a plugin with failing code is refused by name") {
  const auto [fault, text] = GENERATE(table<std::string, std::string>({
      {"no_version", "no reconverge::Plugin"},
      {"no_function", "no reconverge::Plugin"},
      {"wrong_version_pointer", "by signal"},
      {"wrong_function_pointer", "by signal"},
      {"throws_number", "no std::exception"},
      {"throws_exception", "out of luck"},
      {"throws_when_loaded", "by signal Aborted"},
      {"exits_when_loaded", "with exit code 0"},
      {"null_scheme", "without name, block or `make`"},
      {"empty_scheme", "without name, block or `make`"},
      {"scheme_as_cache", "sm has a key l1"},
      {"machines_throw", "machines() throws an exception: out of luck"},
      {"null_machine", "a machine without name, `make`, `describe` or `facts`"},
      {"empty_machine", "a machine without name, `make`, `describe` or `facts`"},
      {"machine_without_facts", "a machine without name, `make`, `describe` or `facts`"},
      {"machine_without_rate", "the machine some_machine has time without `zeros`, `rate`"},
      {"machine_without_member", "or its block without name or member"},
      {"known_machine", "there is a machine functional already"},
      {"machine_of_two_words", "the machine 'some machine' is not snake_case"},
      {"machine_as_gpu", "experiment has a key gpu"},
      {"machine_as_machine", "experiment has a key machine"},
      {"machine_as_stream_processor", "experiment has a key stream_processor"},
      {"machine_as_launches", "experiment has a key launches"},
      {"machine_as_extends", "experiment has a key extends"},
  }));
  ProgramOptions options;
  options.environment = {"PLUGIN_FAULT=" + fault};
  check_refused(validate_with(RECONVERGE_TEST_BROKEN_PLUGIN, options), "libbroken_plugin.so", text);
}

TEST_CASE("a library whose symbol is something else is no plugin") {
  check_refused(validate_with(RECONVERGE_TEST_NUMBER_PLUGIN), "libnumber_plugin.so", "no reconverge::Plugin");
}

TEST_CASE("a plugin that is cut off, a folder and files of the system are refused") {
  const TemporaryFolder place;
  const std::string whole = read_file(RECONVERGE_TEST_PLUGIN);
  for (const double part : {0.0, 0.001, 0.1, 0.3}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    const std::string file = place.write("cut.so", whole.substr(0, size));
    check_refused(validate_with(file), "cut.so", "the plugin cannot be loaded");
  }
  check_refused(validate_with(place.path().string()), place.path().string(), "this is a folder");
  for (const char* const file : {"/proc/self/maps", "/proc/self/mem", "/proc/self/exe"}) {
    check_refused(validate_with(file), file, "cannot be loaded");
  }
}
