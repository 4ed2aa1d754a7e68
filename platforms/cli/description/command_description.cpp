// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/command_description.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace reconverge::cli {

namespace {

/// The words of `{a,b->1}`: `a`, `b`. The parser writes the values after the arrows.
std::vector<std::string> choices_in(std::string_view type) {
  std::vector<std::string> choices;
  const auto begin = type.find('{');
  const auto end = type.find('}');
  if (begin == std::string_view::npos || end == std::string_view::npos) return choices;
  std::string_view rest = type.substr(begin + 1, end - begin - 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    choices.emplace_back(one.substr(0, one.find("->")));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return choices;
}

/// `1 to 256` for `INT in [1 - 256]`.
std::string range_in(std::string_view type) {
  constexpr std::string_view opening = " in [";
  const auto begin = type.find(opening);
  const auto end = type.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  std::string range(type.substr(begin + opening.size(), end - begin - opening.size()));
  const auto dash = range.find(" - ");
  return dash == std::string::npos ? range : range.replace(dash, 3, " to ");
}

bool is_positional(const CLI::Option& option) { return option.get_lnames().empty() && option.get_snames().empty(); }

ArgumentDescription describe(const CLI::Option& option, const std::string& command) {
  ArgumentDescription made;
  const bool positional = is_positional(option);
  if (positional) {
    made.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  }
  made.text = option.get_description();
  if (made.text.empty()) throw std::logic_error(fmt::format("{} of `{}` has no text", made.names.front(), command));
  if (option.get_expected_max() == 0) return made;  // a flag
  const std::string type = option.get_type_name();
  made.value = type.substr(0, type.find(':'));
  if (positional && made.value == "TEXT") made.value = made.names.front();
  made.choices = choices_in(type);
  made.range = range_in(type);
  made.default_text = option.get_default_str();
  made.required = option.get_required();
  made.repeatable = option.get_items_expected_max() > 1;
  return made;
}

/// Adds the options and arguments of a command, or of a group of its options, which has no name.
void add_arguments(const CLI::App& app, CommandDescription& made) {
  for (const CLI::Option* option : app.get_options()) {
    const bool is_help_of_group = app.get_name().empty() && option == app.get_help_ptr();
    if (option->get_group().empty() || is_help_of_group) continue;
    (is_positional(*option) ? made.arguments : made.options).push_back(describe(*option, made.name));
  }
  const auto without_name = [](const CLI::App* each) { return each->get_name().empty(); };
  for (const CLI::App* group : app.get_subcommands(without_name)) add_arguments(*group, made);
}

CommandDescription describe(const CLI::App& app, const std::string& before) {
  CommandDescription made;
  made.name = before + app.get_name();
  made.aliases = app.get_aliases();
  made.text = app.get_description();
  if (made.text.empty()) throw std::logic_error(fmt::format("the command `{}` has no text", made.name));
  made.footer = app.get_footer();
  made.takes_any_words = app.get_prefix_command() || app.get_allow_extras();
  add_arguments(app, made);
  const auto shown = [](const CLI::App* each) { return !each->get_name().empty() && !each->get_group().empty(); };
  for (const CLI::App* each : app.get_subcommands(shown)) made.commands.push_back(describe(*each, made.name + ' '));
  return made;
}

}  // namespace

CommandDescription describe(const CLI::App& program) { return describe(program, std::string()); }

}  // namespace reconverge::cli
