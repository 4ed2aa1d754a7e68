// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/command_description.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/unit/platforms/cli/example_program.hpp"

using namespace reconverge::cli;
using reconverge::tests::ExampleProgram;
using Words = std::vector<std::string>;

namespace {

const ArgumentDescription& option_of(const CommandDescription& command, const std::string& name) {
  const auto has_name = [&](const ArgumentDescription& one) { return std::ranges::count(one.names, name) == 1; };
  const auto found = std::ranges::find_if(command.options, has_name);
  REQUIRE(found != command.options.end());
  return *found;
}

}  // namespace

TEST_CASE("a description has the commands that help shows, with all their words") {
  const ExampleProgram program;
  const CommandDescription description = describe(program.app);
  CHECK(description.name == "sim");
  Words names;
  for (const CommandDescription& each : description.commands) names.push_back(each.name);
  CHECK(names == Words{"sim run", "sim list", "sim exec", "sim check"});
  const CommandDescription& list = description.commands[1];
  REQUIRE(list.commands.size() == 1);
  CHECK(list.commands.front().name == "sim list scenes");
  CHECK(list.commands.front().word() == "scenes");
  CHECK(list.commands.front().aliases == Words{"sc"});
  CHECK(description.commands[2].takes_any_words);
  CHECK_FALSE(list.takes_any_words);
}

TEST_CASE("a description has what the parser knows of options and arguments") {
  const ExampleProgram program;
  const CommandDescription run = describe(program.app).commands.front();
  REQUIRE(run.arguments.size() == 1);
  CHECK(run.arguments.front().names == Words{"FILE"});
  CHECK(run.arguments.front().value == "FILE");
  CHECK(run.arguments.front().required);
  CHECK(run.arguments.front().repeatable);
  CHECK(run.options.size() == 6);  // with --help, without --secret
  const ArgumentDescription& level = option_of(run, "-O");
  CHECK(level.names == Words{"-O", "--optimise"});
  CHECK(level.value == "LEVEL");
  CHECK(level.choices == Words{"0", "1", "fast"});
  CHECK_FALSE(level.repeatable);
  const ArgumentDescription& jobs = option_of(run, "--jobs");
  CHECK(jobs.range == "1 to 256");
  CHECK(jobs.default_text == "3");
  CHECK(option_of(run, "--set").repeatable);
  CHECK(option_of(run, "--quiet").value.empty());
  const CommandDescription check = describe(program.app).commands.back();
  CHECK(option_of(check, "--scheme").value == "SCHEME");
  CHECK(check.options.size() == 2);  // with --help, once
}

TEST_CASE("a command or option without a text is refused by name") {
  ExampleProgram program;
  SECTION("a command") {
    program.app.add_subcommand("mute");
    CHECK_THROWS_WITH(describe(program.app), "the command `sim mute` has no text");
  }
  SECTION("an option") {
    program.app.get_subcommand("run")->add_option("--mute", program.text);
    CHECK_THROWS_WITH(describe(program.app), "--mute of `sim run` has no text");
  }
  SECTION("an argument of a command within a command") {
    program.app.get_subcommand("list")->get_subcommand("scenes")->add_option("NAME", program.text);
    CHECK_THROWS_WITH(describe(program.app), "NAME of `sim list scenes` has no text");
  }
}
