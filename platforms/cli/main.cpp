// SPDX-License-Identifier: Apache-2.0
/// The program `reconverge`: parses the command line and runs the command.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/printable.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cli {

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 success, 1 the run finished but a check failed (hits, picture, a buffer or issue slots), 2 bad "
    "input,\n"
    "3 the simulated program failed, 4 a result could not be written, 5 internal error, 6 stopped by --max-cycles or\n"
    "--max-seconds with a partial report, 130 interrupted with a partial report.";

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  // Commands without a group are for scripts.
  for (const CLI::App* each : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(each->get_name());
  return names;
}

/// Explains a word that is not the expected command; the library has one message for all such cases.
std::optional<std::string> wrong_command(const CLI::App& app, std::span<char* const> words) {
  const CLI::App* at = &app;
  std::string before = app.get_name();
  for (const char* const each : words) {
    const std::vector<std::string> names = names_of_commands(*at);
    if (names.empty()) return std::nullopt;
    const std::string word = each;
    if (at->get_option_no_throw(word) != nullptr) return std::nullopt;
    if (word.starts_with('-')) {
      return fmt::format("the option {} is before the command; write it after: {} COMMAND ... {}", word, before, word);
    }
    if (std::ranges::find(names, word) == names.end()) {
      std::error_code ignored;
      const bool file = std::filesystem::exists(word, ignored);
      const std::vector<std::string_view> known(names.begin(), names.end());
      return file ? fmt::format("{} is a file; write a command before it: {} COMMAND {}; commands: {}", word, before,
                                word, fmt::join(names, ", "))
                  : fmt::format("there is no command '{} {}'; {}; see {} --help", before, word, suggest(word, known),
                                before);
    }
    at = at->get_subcommand(word);
    before += ' ' + word;
  }
  const std::vector<std::string> names = names_of_commands(*at);
  if (names.empty()) return std::nullopt;
  return fmt::format("a command is missing after '{}'; known: {}; see {} --help", before, fmt::join(names, ", "),
                     before);
}

/// Explains the first option that the command does not have, with the nearest known one.
std::optional<std::string> wrong_option(const CLI::App& command, std::span<char* const> words) {
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string_view word : words) {
    const std::string_view name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || name == "--" || std::ranges::find(known, name) != known.end()) continue;
    return fmt::format("there is no option {}; {}", name, suggest(name, known));
  }
  return std::nullopt;
}

/// The message with long words of the command line, and long option values among them, shortened.
std::string with_short_words(std::string message, std::span<char* const> words) {
  for (const std::string_view word : words) {
    for (const std::string_view part : {word, word.substr(word.find('=') + 1)}) {
      const std::string shown = shortened(part, most_quoted);
      if (shown.size() >= part.size()) continue;
      for (auto at = message.find(part); at != std::string::npos; at = message.find(part, at + shown.size())) {
        message.replace(at, part.size(), shown);
      }
    }
  }
  return message;
}

ExitCode complain_of_usage(const CLI::App& app, const CLI::ParseError& error, std::span<char* const> words) {
  const CLI::App* command = &app;
  std::string help = app.get_name();
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
    command = chosen.front();
    help += ' ' + command->get_name();
  }
  const bool extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  const std::optional<std::string> wrong = extra ? wrong_option(*command, words) : std::nullopt;
  const std::string message = with_short_words(wrong.value_or(error.what()), words);
  return complain(ExitCode::bad_input, fmt::format("{}; see {} --help", message, help));
}

ExitCode parse_and_execute(int argc, char** argv) {
  CLI::App app("Executable specification of SIMT divergence hardware: platform, kernel and workload in, cycles out.",
               "reconverge");
  app.set_version_flag("--version", fmt::format("reconverge {}", report::build_info().version));
  app.require_subcommand(1);
  app.footer(fmt::format("{}\n`reconverge COMMAND --help` shows options and examples.", exit_codes));
  Command chosen;
  add_compile(app, chosen);
  add_run(app, chosen);
  add_build(app, chosen);
  add_exec(app, chosen);
  add_validate(app, chosen);
  add_inspect(app, chosen);
  add_profile(app, chosen);
  add_rays(app, chosen);
  add_scene_stats(app, chosen);
  add_list(app, chosen);
  add_schema(app, chosen);
  add_vectors(app, chosen);
  add_spec(app, chosen);
  add_export(app, chosen);
  add_transform(app, chosen);
  add_sweep(app, chosen);
  add_query(app, chosen);
  add_reproduce(app, chosen);
  add_report(app, chosen);
  add_man_pages(app, chosen);
  const std::span<char* const> words(argv + 1, static_cast<std::size_t>(argc) - 1);
  if (const std::optional<Command> command = completion(app, words)) return execute(*command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      const std::optional<std::string> wrong = wrong_command(app, words);
      return wrong ? complain(ExitCode::bad_input, with_short_words(*wrong, words))
                   : complain_of_usage(app, error, words);
    }
    std::ostringstream text;
    app.exit(error, text);
    print(text.str());
    return flush_output(ExitCode::success);
  } catch (const InputError& error) {
    return execute([&error]() -> ExitCode { throw error; });  // of a plugin, which is loaded during parsing
  }
  return execute(chosen);
}

}  // namespace

}  // namespace reconverge::cli

// SystemC's library has its own main, which calls this; the program's main replaces it.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return EXIT_SUCCESS; }

int main(int argc, char** argv) {
  // Standard output is for results only.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 1);
  // Ignored, so that exceeding the file size limit is an ordinary write() error.
  std::signal(SIGXFSZ, SIG_IGN);
  // Ignored as well: otherwise a closed pipe would end the program and the report would be lost.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(reconverge::cli::parse_and_execute(argc, argv));
  } catch (const std::exception& error) {
    using reconverge::cli::ExitCode;
    return static_cast<int>(
        reconverge::cli::complain(ExitCode::internal_error, fmt::format("internal error: {}", error.what())));
  }
}
