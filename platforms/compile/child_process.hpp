// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs another program to its end and captures its output; its error messages go to the user.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::compile {

struct ChildResult {
  int exit_code = 0;     ///< of the program; 128 plus the signal if one killed it, as in shells
  bool stopped = false;  ///< it was killed because `interrupted` returned true
  std::string output;    ///< its standard output
};

/// Runs `words`; the first word is looked up as in a shell. Returns nothing if there is no such program. The program
/// inherits our standard error. It has its own process group, so that processes that it starts end with it:
/// `interrupted` is polled a few times a second, and true ends the group. Processes that are still running when the
/// program ends are not waited for. Throws std::system_error if the system refuses a process.
std::optional<ChildResult> run_child(const std::vector<std::string>& words, const std::function<bool()>& interrupted);

}  // namespace reconverge::compile
