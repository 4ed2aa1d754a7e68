// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/completion.hpp"

#include <algorithm>

namespace reconverge::cli {

namespace {

const ArgumentDescription* find_option(const CommandDescription& command, std::string_view name) {
  const auto has_name = [&](const ArgumentDescription& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  };
  const auto found = std::ranges::find_if(command.options, has_name);
  return found == command.options.end() ? nullptr : &*found;
}

const CommandDescription* find_command(const CommandDescription& command, std::string_view word) {
  for (const CommandDescription& each : command.commands) {
    if (each.word() == word || std::ranges::find(each.aliases, word) != each.aliases.end()) return &each;
  }
  return nullptr;
}

/// What the words before the last one mean for it.
struct Place {
  const CommandDescription* command;
  std::vector<const ArgumentDescription*> given = {};  ///< options
  const ArgumentDescription* expects = nullptr;        ///< an option whose value comes next
  std::size_t arguments = 0;
  bool options_ended = false;
  bool of_another_program = false;
};

void read_word(const std::string& word, Place& place) {
  if (place.of_another_program) return;
  if (place.expects != nullptr) {
    place.expects = nullptr;
    return;
  }
  if (!place.options_ended && word == "--") {
    place.options_ended = true;
    return;
  }
  if (!place.options_ended && word.starts_with('-')) {
    const auto equals = word.find('=');
    const ArgumentDescription* const option = find_option(*place.command, word.substr(0, equals));
    if (option == nullptr) return;
    place.given.push_back(option);
    if (!option->value.empty() && equals == std::string::npos) place.expects = option;
    return;
  }
  if (const CommandDescription* const command = find_command(*place.command, word)) {
    place = {command};
    return;
  }
  ++place.arguments;
  place.of_another_program = place.command->takes_any_words;
}

Paths paths_of(std::string_view value) {
  if (value.starts_with("FILE") || value == "SCENE" || value == "PLATFORM" || value == "COMPILER") return Paths::files;
  return value == "DIR" || value == "FOLDER" || value == "OUT" ? Paths::folders : Paths::none;
}

/// Adds the values of an option or argument that complete `begun`, with `before` before each.
void add_values(const ArgumentDescription& argument, const std::string& begun, const std::string& before,
                const KnownValues& known, Completion& completion) {
  std::vector<Candidate> values = known(argument.value, begun);
  for (const std::string& choice : argument.choices) values.push_back({choice, {}});
  for (Candidate& each : values) {
    if (each.value.starts_with(begun)) completion.candidates.push_back({before + each.value, std::move(each.text)});
  }
  completion.paths = paths_of(argument.value);
}

void add_options(const Place& place, const std::string& begun, Completion& completion) {
  for (const ArgumentDescription& option : place.command->options) {
    if (!option.repeatable && std::ranges::find(place.given, &option) != place.given.end()) continue;
    for (const std::string& name : option.names) {
      if (name.starts_with(begun)) completion.candidates.push_back({name, option.text});
    }
  }
}

}  // namespace

Completion complete(const CommandDescription& program, std::span<const std::string> words, const KnownValues& values) {
  Completion completion;
  Place place{&program};
  const std::string begun = words.empty() ? std::string() : words.back();
  for (const std::string& word : words.first(words.empty() ? 0 : words.size() - 1)) read_word(word, place);
  if (place.of_another_program) {
    completion.paths = Paths::files;
  } else if (place.expects != nullptr) {
    add_values(*place.expects, begun, {}, values, completion);
  } else if (!place.options_ended && begun.starts_with('-')) {
    const auto equals = begun.find('=');
    const ArgumentDescription* const option = find_option(*place.command, begun.substr(0, equals));
    if (equals == std::string::npos) {
      add_options(place, begun, completion);
    } else if (option != nullptr) {
      add_values(*option, begun.substr(equals + 1), begun.substr(0, equals + 1), values, completion);
    }
  } else {
    for (const CommandDescription& each : place.command->commands) {
      if (each.word().starts_with(begun)) completion.candidates.push_back({each.word(), each.text});
    }
    const auto& arguments = place.command->arguments;
    if (place.command->takes_any_words) {
      completion.paths = Paths::files;
    } else if (!arguments.empty() && (place.arguments < arguments.size() || arguments.back().repeatable)) {
      add_values(arguments[std::min(place.arguments, arguments.size() - 1)], begun, {}, values, completion);
    }
  }
  return completion;
}

std::string to_text(const Completion& completion) {
  std::string text = completion.paths == Paths::files ? "files\n" : "values\n";
  if (completion.paths == Paths::folders) text = "folders\n";
  for (const Candidate& each : completion.candidates) {
    std::string line = each.value + '\t' + each.text;
    std::ranges::replace(line, '\n', ' ');
    text += line + '\n';
  }
  return text;
}

}  // namespace reconverge::cli
