// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Completes a command line. The scripts for bash, zsh and fish only pass words and results on.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/description/command_description.hpp"

namespace reconverge::cli {

struct Candidate {
  std::string value;
  std::string text;  ///< what it is; may be empty
};

/// What else completes a word, which shells know best.
enum class Paths { none, files, folders };

struct Completion {
  std::vector<Candidate> candidates;
  Paths paths = Paths::none;
};

/// Values that the parser does not know: all, or only the ones that may complete `begun`, for the word that --help
/// prints for a value, such as `SCENE`.
using KnownValues = std::function<std::vector<Candidate>(std::string_view kind, const std::string& begun)>;

/// What can replace the last of the words that follow the program's name. It may be empty.
Completion complete(const CommandDescription& program, std::span<const std::string> words, const KnownValues& values);

/// For scripts: a line with `values`, `files` or `folders`, and a line for each candidate, with its text after a tab.
std::string to_text(const Completion& completion);

}  // namespace reconverge::cli
