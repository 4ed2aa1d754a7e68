// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace reconverge::cli {

namespace {

/// Text that roff prints as it is.
std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '\\':
        made += "\\e";
        break;
      case '-':
        made += "\\-";
        break;
      case '\'':
        made += "\\(aq";
        break;
      case '`':
        made += "\\(ga";
        break;
      case '^':
        made += "\\(ha";
        break;
      case '~':
        made += "\\(ti";
        break;
      default:
        made += c;
    }
  }
  return made;
}

/// A whole line: a dot at its begin would be a request.
std::string line_of(std::string text) { return text.starts_with('.') ? "\\&" + text : text; }

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }

std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

/// Prose in one line, with what is between backticks in bold.
std::string prose(std::string_view text) {
  std::string made;
  bool code = false;
  while (true) {
    const auto tick = text.find('`');
    const std::string_view part = text.substr(0, tick);
    made += code ? bold(part) : escaped(part);
    if (tick == std::string_view::npos) return line_of(made);
    text.remove_prefix(tick + 1);
    code = !code;
  }
}

std::string file_name(const CommandDescription& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string reference(const CommandDescription& command) {
  return fmt::format("\\fB{}\\fR(1)", escaped(file_name(command)));
}

/// The footer of a command, sorted.
struct Footer {
  std::vector<std::string> paragraphs;
  std::vector<std::string> examples;
  std::string exit_codes;
};

/// Lines with two spaces at their begin are examples. Other lines are sentences, which continue on the next line if
/// they have no end.
Footer read_footer(const std::string& text) {
  Footer made;
  std::istringstream lines(text);
  std::vector<std::string> sentences;
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:" || line == "Example:" || line.empty()) {
      open = false;
    } else if (line.starts_with("  ")) {
      made.examples.push_back(line.substr(2));
      open = false;
    } else if (open) {
      sentences.back() += ' ' + line;
    } else {
      sentences.push_back(line);
      open = true;
    }
    if (open && line.ends_with('.')) open = false;
  }
  constexpr std::string_view codes = "Exit codes: ";
  for (std::string& sentence : sentences) {
    if (sentence.starts_with(codes)) {
      made.exit_codes = sentence.substr(codes.size());
    } else {
      made.paragraphs.push_back(std::move(sentence));
    }
  }
  return made;
}

/// `FILE`, `[FILE]`, `FILE...`.
std::string argument_synopsis(const ArgumentDescription& argument) {
  const std::string name = italic(argument.names.front()) + (argument.repeatable ? "..." : "");
  return argument.required ? name : fmt::format("[{}]", name);
}

std::string option_synopsis(const ArgumentDescription& option) {
  const std::string name = bold(option.names.back());
  return option.value.empty() ? name : fmt::format("{} {}", name, italic(option.value));
}

std::string synopsis(const CommandDescription& command) {
  std::string line = bold(command.name);
  for (const ArgumentDescription& option : command.options) {
    if (option.required) line += ' ' + option_synopsis(option);
  }
  if (!command.options.empty()) line += fmt::format(" [{}]", italic("OPTIONS"));
  for (const ArgumentDescription& argument : command.arguments) line += ' ' + argument_synopsis(argument);
  if (!command.commands.empty()) line += fmt::format(" {} ...", italic("COMMAND"));
  if (command.takes_any_words) line += fmt::format(" {}...", italic("WORD"));
  return line;
}

/// The text of an option with its choices, range and default.
std::string full_text(const ArgumentDescription& argument) {
  std::string text = prose(argument.text);
  if (!text.ends_with('.')) text += '.';
  if (!argument.choices.empty()) {
    std::string choices;
    for (const std::string& choice : argument.choices) choices += (choices.empty() ? "" : ", ") + bold(choice);
    text += fmt::format(" One of {}.", choices);
  }
  if (!argument.range.empty()) text += fmt::format(" From {}.", escaped(argument.range));
  if (!argument.default_text.empty()) text += fmt::format(" Default: {}.", bold(argument.default_text));
  if (argument.required) text += " Required.";
  return text;
}

std::string argument_entry(const ArgumentDescription& argument, bool is_option) {
  std::string names;
  for (const std::string& name : argument.names) {
    names += (names.empty() ? "" : ", ") + (is_option ? bold(name) : italic(name));
  }
  if (is_option && !argument.value.empty()) names += ' ' + italic(argument.value);
  return fmt::format(".TP\n{}\n{}\n", names, full_text(argument));
}

/// `run experiments`; words such as `PTX` stay.
std::string with_small_initial(std::string text) {
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  }
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? text : fmt::format(".SH {}\n{}", title, text);
}

std::string entries(const std::vector<ArgumentDescription>& arguments, bool are_options) {
  std::string text;
  for (const ArgumentDescription& each : arguments) text += argument_entry(each, are_options);
  return text;
}

std::string commands_text(const CommandDescription& command) {
  std::string text;
  for (const CommandDescription& each : command.commands) {
    text += fmt::format(".TP\n{}\n{}.\n", reference(each), prose(each.text));
  }
  return text;
}

std::string description_text(const CommandDescription& command, const Footer& footer) {
  std::string text = prose(command.text) + (command.text.ends_with('.') ? "\n" : ".\n");
  for (const std::string& paragraph : footer.paragraphs) text += ".PP\n" + prose(paragraph) + '\n';
  for (const std::string& alias : command.aliases) text += fmt::format(".PP\nAnother name is {}.\n", bold(alias));
  return text;
}

std::string examples_text(const Footer& footer) {
  if (footer.examples.empty()) return {};
  std::string text = ".EX\n";
  for (const std::string& line : footer.examples) text += line_of(escaped(line)) + '\n';
  return text + ".EE\n";
}

/// The commands from the program to the command itself, which is last.
using Path = std::vector<const CommandDescription*>;

std::string see_also(const Path& path) {
  std::string text;
  const auto add = [&text](const CommandDescription& command) {
    text += (text.empty() ? "" : ",\n") + reference(command);
  };
  for (const CommandDescription* each : path) {
    if (each != path.back()) add(*each);
  }
  for (const CommandDescription& each : path.back()->commands) add(each);
  return text.empty() ? text : text + '\n';
}

std::string page(const Path& path, const ManualOptions& options) {
  const CommandDescription& command = *path.back();
  const Footer footer = read_footer(command.footer);
  const std::string codes = read_footer(path.front()->footer).exit_codes;
  std::string title = file_name(command);
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".TH {} 1 {} \"{}\" \"User Commands\"\n", escaped(title), options.date, options.version);
  text +=
      section("NAME", fmt::format("{} \\- {}\n", escaped(file_name(command)), prose(with_small_initial(command.text))));
  text += section("SYNOPSIS", synopsis(command) + '\n');
  text += section("DESCRIPTION", description_text(command, footer));
  text += section("COMMANDS", commands_text(command));
  text += section("ARGUMENTS", entries(command.arguments, false));
  text += section("OPTIONS", entries(command.options, true));
  text += section("EXAMPLES", examples_text(footer));
  if (!codes.empty()) text += section("EXIT STATUS", prose(codes) + '\n');
  return text + section("SEE ALSO", see_also(path));
}

void add_pages(Path& path, const ManualOptions& options, std::vector<ManPage>& pages) {
  pages.push_back({file_name(*path.back()) + ".1", page(path, options)});
  for (const CommandDescription& each : path.back()->commands) {
    path.push_back(&each);
    add_pages(path, options, pages);
    path.pop_back();
  }
}

}  // namespace

std::vector<ManPage> man_pages(const CommandDescription& program, const ManualOptions& options) {
  std::vector<ManPage> pages;
  Path path{&program};
  add_pages(path, options, pages);
  return pages;
}

}  // namespace reconverge::cli
