// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Where the points of a sweep run.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/sweep/sweep_session.hpp"

namespace reconverge::cli {

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  /// Runs the points without a result, and records each. Returns when all have one, after an interrupt, or if the rest
  /// cannot run. Throws InputError if the engine is not available.
  virtual void run(SweepSession& session) = 0;
};

/// Processes of this host, up to `jobs` at a time and as many as fit in its memory.
std::unique_ptr<Engine> local_engine(std::string folder, std::size_t jobs);

struct SlurmOptions {
  std::vector<std::string> options;    ///< for sbatch: `--partition=long`
  std::size_t batch = 0;               ///< points of an array task; 0: chosen
  unsigned poll_milliseconds = 2'000;  ///< between questions to the controller
  unsigned lease_seconds = 30;         ///< after which a point of a lost job may run again
  bool detach = false;                 ///< submit, and do not wait
};

/// Job arrays of Slurm, whose hosts share the sweep's folder.
std::unique_ptr<Engine> slurm_engine(std::string folder, SlurmOptions options);

}  // namespace reconverge::cli
