// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "models/core/error.hpp"
#include "platforms/compile/child_process.hpp"

namespace reconverge::cli::slurm {

namespace {

/// Runs a program with its messages in its output.
std::optional<compile::ChildResult> run(const std::vector<std::string>& words) {
  std::vector<std::string> shell{"sh", "-c", "exec \"$@\" 2>&1", "sh"};
  shell.insert(shell.end(), words.begin(), words.end());
  return compile::run_child(shell, [] { return false; });
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

}  // namespace

std::string submit(const std::filesystem::path& script, std::size_t tasks, const std::vector<std::string>& options) {
  std::vector<std::string> words{"sbatch", "--parsable", "--no-requeue", fmt::format("--array=0-{}", tasks - 1)};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script.string());
  const auto result = run(words);
  const int not_found = 127;
  if (!result || result->exit_code == not_found)
    throw InputError({}, "there is no sbatch on this host", "install Slurm's client (Debian: slurm-client)");
  if (result->exit_code != 0)
    throw InputError({}, fmt::format("sbatch refused the job: {}", trimmed(result->output)),
                     "--slurm-option passes options to it");
  // `job;cluster`, after warnings.
  const std::string text = trimmed(result->output);
  const std::string last = text.substr(text.rfind('\n') + 1);
  return last.substr(0, last.find(';'));
}

std::optional<JobState> state_of(const std::string& job) {
  const auto result = run({"squeue", "--noheader", "--format=%T", "--jobs=" + job});
  if (!result) return std::nullopt;
  if (result->exit_code != 0) {
    // A job that ended minutes ago is unknown.
    return result->output.find("Invalid job id") != std::string::npos ? std::optional(JobState{}) : std::nullopt;
  }
  JobState state;
  std::istringstream lines(result->output);
  for (std::string line; std::getline(lines, line);) {
    if (line == "PENDING") {
      ++state.waiting;
    } else if (!line.empty()) {
      ++state.running;
    }
  }
  return state;
}

void cancel(const std::string& job) { run({"scancel", job}); }

}  // namespace reconverge::cli::slurm
