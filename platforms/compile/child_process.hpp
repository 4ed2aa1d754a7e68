#pragma once
/// Another program, run to its end, whose output is wanted and whose complaints are the user's to read.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::compile {

struct ChildResult {
  int exit_code = 0;     ///< of the program; 128 and the signal when one killed it, as shells have it
  bool stopped = false;  ///< it was killed because `interrupted` said so
  std::string output;    ///< its standard output
};

/// Runs `words`, the first of which is found as shells find it; nothing when there is no such program. Its standard
/// error is ours. It has a process group of its own, so that those that it starts itself end with it: `interrupted` is
/// asked a few times a second, and a yes ends them all. What it leaves running when it ends is not waited for. Throws
/// std::system_error when the system refuses a process.
std::optional<ChildResult> run_child(const std::vector<std::string>& words, const std::function<bool()>& interrupted);

}  // namespace reconverge::compile
