// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.

#include "platforms/cli/commands/commands.hpp"

namespace reconverge::cli {

void add_plugin_option(CLI::App& command, Plugins& plugins) {
  command
      .add_option_function<std::vector<std::string>>(
          "--plugin", [&plugins](const std::vector<std::string>& files) { plugins = Plugins(files); },
          "Shared library with further divergence schemes or machines; can be repeated. See examples")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "PATH=VALUE sets a parameter, after all files; can be repeated. Paths: reconverge list parameters")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
}

void add_sweep_option(CLI::App& command, std::vector<std::string>& sweeps) {
  command
      .add_option("--sweep", sweeps,
                  "PATH=VALUE,VALUE... makes one run for each value; can be repeated, for every combination")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUES");
}

}  // namespace reconverge::cli
