// SPDX-License-Identifier: Apache-2.0
/// Divergence schemes and machines from shared libraries.

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

TEST_CASE("a machine from a shared library runs kernels in the cycles of its bound") {
  const TemporaryFolder place;
  const auto report_with = [&](const std::string& lanes) {
    return report_of(
        place, lanes,
        {"--plugin", RECONVERGE_TEST_MACHINE, "--set", "machine=ideal_mimd", "--set", "ideal_mimd.lanes=" + lanes});
  };
  const json::value one = report_with("1");
  CHECK(one.at("platform") == json::value{{"machine", "ideal_mimd"}, {"lanes", 1}, {"clock_hz", 980'000'000}});
  CHECK(one.at("definitions").at("counters").at("ideal_mimd").at("cycles").at("unit") == "cycles");
  const json::object& figures = one.at("total").at("figures").as_object();
  CHECK(figures.at("cycles") == figures.at("thread_instructions"));
  CHECK(figures.at("lane_use") == 1);
  CHECK(figures.at("thread_instructions") == report_of(place, "functional", {"--set", "machine=functional"})
                                                 .at("total")
                                                 .at("figures")
                                                 .at("thread_instructions"));

  const json::value many = report_with("1000000");
  const json::object& counters = many.at("total").at("counters").at("ideal_mimd").as_object();
  CHECK(counters.at("instructions") == figures.at("thread_instructions"));
  CHECK(counters.at("threads") == 2 * 1024);
  CHECK(counters.at("launches") == 2);
  CHECK(counters.at("cycles").at(0).as_int64() == counters.at("instructions").as_int64() / 1'000'000);
  CHECK(many.at("total").at("figures").at("cycles") == counters.at("longest"));
  // The longest thread of the first kernel starts from a number that takes the most steps, each of some instructions.
  CHECK(counters.at("longest").as_int64() > 178);
}

TEST_CASE("rays are traced on a machine from a shared library") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_program(small_run({"--plugin", RECONVERGE_TEST_MACHINE, "--set", "machine=ideal_mimd", "--set",
                             "workload.scene=conference_small", "--out", (place.path() / "out").string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("ideal MIMD of 2880 lanes at 980 MHz") && Contains("0 mismatches") &&
                                Contains("Picture against the host's: agrees"));
}

TEST_CASE("a limit of cycles ends a run on a machine from a shared library") {
  const TemporaryFolder place;
  const std::string out = (place.path() / "out").string();
  const ProgramResult result = run_program({"run", "yaml/experiments/every_machine/julia_stack.yaml", "--plugin",
                                            RECONVERGE_TEST_MACHINE, "--set", "machine=ideal_mimd", "--set",
                                            "ideal_mimd.lanes=1", "--max-cycles", "1000", "--quiet", "--out", out});
  INFO(result.errors);
  CHECK(result.exit_code == 6);
  CHECK(json::parse(read_file(out + "/report.json")).at("partial") == true);
}

TEST_CASE("the machine of a plugin has its parameters in the file, on the command line and in tables") {
  const TemporaryFolder place;
  const std::string source = RECONVERGE_SOURCE_DIR;
  const std::string file = place.write(
      "run.yaml", "extends: " + source + "/" + experiment + "\nmachine: ideal_mimd\nideal_mimd: {lanes: 4}\n");
  const ProgramResult dump = run_program({"run", file, "--plugin", RECONVERGE_TEST_MACHINE, "--dump-config"});
  INFO(dump.errors);
  CHECK(dump.exit_code == 0);
  CHECK_THAT(dump.output, Contains("\nmachine: ideal_mimd  # ") &&
                              Contains("\nideal_mimd:\n  clock: 980 MHz  # default") && Contains("  lanes: 4  # ") &&
                              Contains("run.yaml:3:21"));

  const std::string out = (place.path() / "out").string();
  const ProgramResult swept =
      run_program({"run", file, "--plugin", RECONVERGE_TEST_MACHINE, "--sweep", "machine=ideal_mimd,streams", "--sweep",
                   "ideal_mimd.lanes=1,2", "--columns", "cycles,lane_use", "--quiet", "--out", out});
  INFO(swept.errors);
  CHECK(swept.exit_code == 2);  // the stream processor refuses barriers
  CHECK_THAT(swept.errors, Contains("reduce.ptx") && !Contains("lane_use"));
  const ProgramResult lanes =
      run_program({"run", file, "--plugin", RECONVERGE_TEST_MACHINE, "--sweep", "machine=ideal_mimd,timed", "--sweep",
                   "ideal_mimd.lanes=1,2", "--columns", "cycles,lane_use", "--quiet", "--out", out});
  INFO(lanes.errors);
  CHECK(lanes.exit_code == 0);
  CHECK_THAT(read_file(out + "/runs.csv"), Contains("lane_use") && Contains("ideal_mimd") && Contains("timed"));

  place.write("wrong.yaml", "extends: run.yaml\nideal_mimd: {lanse: 4}\n");
  const ProgramResult wrong =
      run_program({"validate", (place.path() / "wrong.yaml").string(), "--plugin", RECONVERGE_TEST_MACHINE});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.errors, Contains("wrong.yaml:2:14: ") && Contains("ideal_mimd.lanse") && Contains("lanes"));
  const ProgramResult valid = run_program({"validate", file, "--plugin", RECONVERGE_TEST_MACHINE});
  INFO(valid.errors);
  CHECK(valid.exit_code == 0);
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
  CHECK_THAT(old.errors, Contains("0.0.1") && Contains(reconverge::interface_version));
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
