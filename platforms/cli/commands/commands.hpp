// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The subcommands. Each adds its options to the command line; parsing stores the user's choice in `chosen`.

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/execute.hpp"
#include "platforms/plugins/plugins.hpp"
#include "platforms/trace/recordings.hpp"

namespace reconverge::cli {

void add_run(CLI::App& app, Command& chosen);
void add_validate(CLI::App& app, Command& chosen);
void add_inspect(CLI::App& app, Command& chosen);
/// `inspect platform`.
void add_inspect_platform(CLI::App& inspect, Command& chosen);
void add_profile(CLI::App& app, Command& chosen);
void add_rays(CLI::App& app, Command& chosen);
void add_scene_stats(CLI::App& app, Command& chosen);
void add_list(CLI::App& app, Command& chosen);
void add_schema(CLI::App& app, Command& chosen);
void add_vectors(CLI::App& app, Command& chosen);
void add_spec(CLI::App& app, Command& chosen);
void add_export(CLI::App& app, Command& chosen);
void add_transform(CLI::App& app, Command& chosen);
void add_sweep(CLI::App& app, Command& chosen);
void add_query(CLI::App& app, Command& chosen);
void add_reproduce(CLI::App& app, Command& chosen);
void add_report(CLI::App& app, Command& chosen);
void add_compile(CLI::App& app, Command& chosen);
void add_build(CLI::App& app, Command& chosen);
void add_exec(CLI::App& app, Command& chosen);
/// `man-pages`, for the build; `app` has all commands when it is executed.
void add_man_pages(CLI::App& app, Command& chosen);
/// `complete`, for the scripts of shells: what the words of the command line ask for, if it is the first of them. Not a
/// subcommand, because the parser would read the words of an unfinished command line.
std::optional<Command> completion(const CLI::App& app, std::span<char* const> words);

void add_set_option(CLI::App& command, std::vector<std::string>& overrides);
void add_sweep_option(CLI::App& command, std::vector<std::string>& sweeps);
/// --jobs: `what` runs at a time, such as "Runs at a time, one core each".
void add_jobs_option(CLI::App& command, std::optional<std::size_t>& jobs, std::string_view what);
/// --quiet and --json, which exclude each other. `document`: the text of --json, which is returned.
CLI::Option* add_quiet_and_json(CLI::App& command, bool& quiet, bool& json, const std::string& document);
/// --wave, --trace, --log, and the window of each.
void add_recorded_files(CLI::App& command, trace::RecordedFiles& recordings);
/// The option --plugin. Its libraries are loaded when the command line is parsed.
void add_plugin_option(CLI::App& command, Plugins& plugins);

}  // namespace reconverge::cli
