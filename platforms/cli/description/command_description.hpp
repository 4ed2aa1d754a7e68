// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The commands of a program with their options and arguments, read from its parser. Man pages and shell completions
/// are made of them, so they have what --help has.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace reconverge::cli {

/// An option, or an argument without a name of an option.
struct ArgumentDescription {
  std::vector<std::string> names;    ///< `-O`, `--out`; of an argument the word that --help prints, `FILE`
  std::string value;                 ///< word for its value, `FILE.ptx`, `PATH=VALUE`; empty: it has none
  std::vector<std::string> choices;  ///< all values, if the parser knows them
  std::string range;                 ///< `1 to 256`; empty: there is none
  std::string text;                  ///< what it does
  std::string default_text;          ///< empty: there is none, or `text` says it
  bool required = false;
  bool repeatable = false;
};

struct CommandDescription {
  std::string name;                  ///< all its words, `reconverge inspect cfg`
  std::vector<std::string> aliases;  ///< other words for the last one
  std::string text;                  ///< what it does
  std::string footer;                ///< further explanations and examples, in lines
  std::vector<ArgumentDescription> options;
  std::vector<ArgumentDescription> arguments;
  std::vector<CommandDescription> commands;  ///< of which the user names one
  bool takes_any_words = false;              ///< for another program, after the options

  /// The last word of `name`.
  std::string word() const { return name.substr(name.rfind(' ') + 1); }
};

/// The description of a program and of its commands, without hidden ones. Throws std::logic_error, which names the
/// command and the option, if one has no text.
CommandDescription describe(const CLI::App& program);

}  // namespace reconverge::cli
