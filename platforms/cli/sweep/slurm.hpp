// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Slurm's commands sbatch, squeue and scancel.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::cli::slurm {

/// Submits a job array with tasks 0 to `tasks` - 1. Returns the job's number. Throws InputError with sbatch's message.
std::string submit(const std::filesystem::path& script, std::size_t tasks, const std::vector<std::string>& options);

/// How many tasks of a job wait or run.
struct JobState {
  std::size_t waiting = 0;  ///< an array's waiting tasks are counted as one
  std::size_t running = 0;

  bool is_active() const { return waiting + running != 0; }
};

/// Nothing if the controller does not answer. A job that has ended has no tasks.
std::optional<JobState> state_of(const std::string& job);

void cancel(const std::string& job);

}  // namespace reconverge::cli::slurm
