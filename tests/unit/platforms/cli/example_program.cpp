// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/platforms/cli/example_program.hpp"

namespace reconverge::tests {

ExampleProgram::ExampleProgram() {
  app.footer("Exit codes: 0 success,\n1 failure.\n`sim COMMAND --help` shows more.");
  CLI::App* const run = app.add_subcommand("run", "Run it, and write `report.json`.");
  run->add_option("FILE", texts, "Experiment files")->required();
  run->add_option("--set", texts, "Sets a parameter")->allow_extra_args(false)->type_name("PATH=VALUE");
  run->add_option("-O,--optimise", text, "Level")->check(CLI::IsMember({"0", "1", "fast"}))->type_name("LEVEL");
  run->add_option("--jobs", number, "Runs at a time")->capture_default_str()->check(CLI::Range(1, 256));
  run->add_option("--out", text, "Folder")->type_name("DIR");
  run->add_flag("--quiet", flag, "Print nothing");
  run->add_option("--secret", text)->group("");
  run->footer("It may take long.\nExamples:\n  sim run a.yaml --set 'x=1' >~/log\nCtrl-C stops it.");
  CLI::App* const list = app.add_subcommand("list", "List things");
  list->require_subcommand(1);
  list->add_subcommand("scenes", "Scenes")->alias("sc");
  app.add_subcommand("exec", "Run a program")->prefix_command();
  app.add_subcommand("internal", "For scripts")->group("");
  CLI::App* const either = app.add_subcommand("check", "Check one thing");
  CLI::App* const group = either->add_option_group("subject");
  group->add_option("--scheme", text, "Scheme")->type_name("SCHEME");
}

}  // namespace reconverge::tests
