// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.

#include <fmt/format.h>

#include <string_view>

#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"

namespace reconverge::cli {

namespace {

/// The option for a recording file.
struct RecordedOption {
  std::string name;
  std::string_view text;
  std::string_view cycles;  ///< what its window counts
  std::string_view type = "FILE";
};

/// Adds the option for a file and the option for its window of cycles.
void add_recorded_file(CLI::App& command, const RecordedOption& option, std::string& file, CycleWindow& window) {
  CLI::Option* const added = command.add_option(option.name, file, std::string(option.text));
  added->check(output_place())->type_name(std::string(option.type));
  const std::string name = option.name + "-window";
  command
      .add_option_function<std::string>(
          name, [&window, name](const std::string& text) { window = trace::read_window(name, text); },
          fmt::format("{} that {} shows; 0:9999 if not given", option.cycles, option.name))
      ->needs(added)
      ->type_name("FIRST:LAST");
}

}  // namespace

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

void add_jobs_option(CLI::App& command, std::optional<std::size_t>& jobs, std::string_view what) {
  command.add_option("--jobs", jobs, fmt::format("{}; all cores if not given", what))
      ->check(CLI::Range(1, 256))
      ->type_name("N");
}

CLI::Option* add_quiet_and_json(CLI::App& command, bool& quiet, bool& json, const std::string& document) {
  CLI::Option* const silent = command.add_flag("--quiet", quiet, "Print nothing but errors");
  return command.add_flag("--json", json, document)->excludes(silent);
}

void add_recorded_files(CLI::App& command, trace::RecordedFiles& recordings) {
  add_recorded_file(command,
                    {"--wave", "Write the signals of blocks in RTL or lock step to this file (docs/trace.md)",
                     "Clock cycles of each block", "FILE.fst"},
                    recordings.wave, recordings.wave_window);
  add_recorded_file(command,
                    {"--trace", "Write a trace of the warps to this file, for ui.perfetto.dev (docs/trace.md)",
                     "Cycles of the machine"},
                    recordings.trace, recordings.trace_window);
  add_recorded_file(command,
                    {"--log", "Write a log of the warps to this file, one line per instruction (docs/log.md)",
                     "Cycles of the machine"},
                    recordings.log, recordings.log_window);
}

}  // namespace reconverge::cli
