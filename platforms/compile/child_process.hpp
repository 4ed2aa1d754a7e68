// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs another program to its end and captures its output.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::compile {

struct ChildResult {
  int exit_code = 0;     ///< of the program; 128 plus the signal if one killed it, as in shells
  bool stopped = false;  ///< it was killed because `interrupted` returned true
  std::string output;    ///< its standard output
  std::string messages;  ///< its standard error, if it is captured
};

/// Where the standard error of another program goes.
enum class Messages : std::uint8_t {
  inherited,  ///< to our standard error
  captured
};

/// Runs `words`; the first word is looked up as in a shell. Returns nothing if there is no such program. The program
/// has its own process group, so that processes that it starts end with it: `interrupted` is polled a few times a
/// second, and true ends the group. Processes that are still running when the program ends are not waited for. Throws
/// std::system_error if the system refuses a process.
std::optional<ChildResult> run_child(const std::vector<std::string>& words, const std::function<bool()>& interrupted,
                                     Messages messages = Messages::inherited);

}  // namespace reconverge::compile
