// SPDX-License-Identifier: Apache-2.0
/// reconverge_contract: the contract suite as an installed program.

#include <catch2/catch.hpp>

#include "interface_version.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;

namespace {

ProgramResult run_contract(const std::vector<std::string>& arguments) {
  ProgramOptions options;
  options.program = RECONVERGE_CONTRACT;
  return run_program(arguments, options);
}

}  // namespace

TEST_CASE("a scheme from a shared library keeps the contract") {
  const ProgramResult result =
      run_contract({"--plugin", RECONVERGE_TEST_PLUGIN, "--scheme", "smallest_scheme", "--random", "20"});
  INFO(result.output << result.errors);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Catch::Matches("[1-9][0-9]+ passed, 0 failed\n"));
}

TEST_CASE("a machine from a shared library keeps the contract") {
  const ProgramResult result =
      run_contract({"--plugin", RECONVERGE_TEST_MACHINE, "--machine", "ideal_mimd", "--random", "50"});
  INFO(result.output << result.errors);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Catch::Matches("[1-9][0-9]+ passed, 0 failed\n"));
}

TEST_CASE("the suite runs on a machine, and one that refuses all of it does not keep the contract") {
  const ProgramResult functional = run_contract({"--machine", "functional", "--random", "5"});
  INFO(functional.output << functional.errors);
  CHECK(functional.exit_code == 0);
  CHECK_THAT(functional.output, Catch::Matches("[1-9][0-9]* passed, 0 failed\n"));

  const ProgramResult streams = run_contract({"--machine", "streams"});  // without atomic operations
  INFO(streams.output << streams.errors);
  CHECK(streams.exit_code == 1);
  CHECK_THAT(streams.output, Catch::Matches("0 passed, 0 failed, [1-9][0-9]* refused\n"));
}

TEST_CASE("a scheme that loses lanes is detected and the failing case is kept") {
  const TemporaryFolder place;
  const ProgramResult result = run_contract({"--plugin", RECONVERGE_TEST_WRONG_PLUGIN, "--scheme", "stack_again",
                                             "--random", "1", "--first", "2", "--folder", place.path().string()});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.output, Contains("seed 2 on stack_again") && Contains(" passed, ") && !Contains(", 0 failed"));
  CHECK_THAT(read_file(place.path() / "seed_2.ptx"), Contains(".entry kernel"));
}

TEST_CASE("invalid arguments of the contract program are refused before any run") {
  const ProgramResult unknown = run_contract({"--scheme", "stack_again"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.output.empty());
  CHECK_THAT(unknown.errors, Contains("there is no scheme stack_again"));

  const ProgramResult machine = run_contract({"--machine", "ideal_mimd"});
  CHECK(machine.exit_code == 2);
  CHECK_THAT(machine.errors, Contains("there is no machine ideal_mimd") && Contains("--plugin FILE"));
  CHECK(run_contract({"--machine", "timed", "--scheme", "mimd"}).exit_code == 2);

  const ProgramResult old = run_contract({"--plugin", RECONVERGE_TEST_OLD_PLUGIN, "--scheme", "stack_again"});
  CHECK(old.exit_code == 2);
  CHECK_THAT(old.errors, Contains("0.0.1") && Contains(reconverge::interface_version));

  CHECK(run_contract({}).exit_code == 2);
  CHECK_THAT(run_contract({"--help"}).output, Contains("--scheme") && Contains("Exit codes"));
}
