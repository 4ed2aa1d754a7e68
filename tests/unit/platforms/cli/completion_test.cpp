// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/completion.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/platforms/cli/example_program.hpp"

using namespace reconverge::cli;
using Words = std::vector<std::string>;

namespace {

std::vector<Candidate> schemes_and_paths(std::string_view kind, const std::string& /*begun*/) {
  if (kind == "SCHEME") return {{"stack", "A stack"}, {"mimd", {}}};
  if (kind == "PATH=VALUE") return {{"gpu.sms=", "Number"}, {"gpu.sm.", "The SM"}, {"machine=", {}}};
  return {};
}

Completion completion_of(const Words& words) {
  const reconverge::tests::ExampleProgram program;
  return complete(describe(program.app), words, schemes_and_paths);
}

Words values_of(const Words& words) {
  Words values;
  for (const Candidate& each : completion_of(words).candidates) values.push_back(each.value);
  return values;
}

}  // namespace

TEST_CASE("commands are completed at each depth, also after their aliases") {
  CHECK(values_of({}) == Words{"run", "list", "exec", "check"});
  CHECK(values_of({""}) == Words{"run", "list", "exec", "check"});
  CHECK(values_of({"r"}) == Words{"run"});
  CHECK(values_of({"x"}).empty());
  CHECK(values_of({"list", ""}) == Words{"scenes"});
  CHECK(values_of({"internal", ""}) == Words{"run", "list", "exec", "check"});
  CHECK(completion_of({"l"}).candidates.front().text == "List things");
}

TEST_CASE("options are completed by name, and an option that takes one value only once") {
  CHECK(values_of({"run", "--"}) == Words{"--help", "--set", "--optimise", "--jobs", "--out", "--quiet"});
  CHECK(values_of({"run", "--s"}) == Words{"--set"});
  CHECK(values_of({"run", "--set", "machine=x", "--quiet", "--"}) ==
        Words{"--help", "--set", "--optimise", "--jobs", "--out"});
  CHECK(values_of({"run", "a.yaml", "--q"}) == Words{"--quiet"});
  CHECK(values_of({"run", "--", "--q"}).empty());
  CHECK(values_of({"-"}) == Words{"-h", "--help"});
}

TEST_CASE("values of options are completed, after a space or an equals sign") {
  CHECK(values_of({"run", "-O", ""}) == Words{"0", "1", "fast"});
  CHECK(values_of({"run", "--optimise", "f"}) == Words{"fast"});
  CHECK(values_of({"run", "--optimise=f"}) == Words{"--optimise=fast"});
  CHECK(values_of({"run", "--set", "gpu"}) == Words{"gpu.sms=", "gpu.sm."});
  CHECK(values_of({"run", "--set=mach"}) == Words{"--set=machine="});
  CHECK(values_of({"check", "--scheme", "m"}) == Words{"mimd"});
  CHECK(values_of({"run", "--jobs", ""}).empty());
  CHECK(values_of({"run", "--unknown", "r"}).empty());
}

TEST_CASE("files and folders are left to the shell") {
  CHECK(completion_of({"run", ""}).paths == Paths::files);
  CHECK(completion_of({"run", "a.yaml", ""}).paths == Paths::files);
  CHECK(completion_of({"run", "--out", ""}).paths == Paths::folders);
  CHECK(completion_of({"run", "--out=x"}).paths == Paths::folders);
  CHECK(completion_of({"run", "--jobs", ""}).paths == Paths::none);
  CHECK(completion_of({"list", "scenes", ""}).paths == Paths::none);
}

TEST_CASE("words of another program are files") {
  CHECK(completion_of({"exec", ""}).paths == Paths::files);
  CHECK(completion_of({"exec", "./program", "--"}).paths == Paths::files);
  CHECK(values_of({"exec", "./program", "--"}).empty());
  CHECK(values_of({"exec", "--"}) == Words{"--help"});
}

TEST_CASE("a completion as text has a line for each candidate") {
  CHECK(to_text(completion_of({"check", "--scheme", ""})) == "values\nstack\tA stack\nmimd\t\n");
  CHECK(to_text(completion_of({"run", "--out", ""})) == "folders\n");
  CHECK(to_text({{{"a", "two\nlines"}}, Paths::files}) == "files\na\ttwo lines\n");
}
