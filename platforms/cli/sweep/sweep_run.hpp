// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A sweep from its file to its store.

#include <cstddef>
#include <optional>
#include <string>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/sweep/engine.hpp"
#include "platforms/cli/sweep/space_file.hpp"

namespace reconverge::cli {

struct SweepOptions {
  SpaceOptions space;
  PointOptions each;
  std::string folder;  ///< of the store
  std::string engine = "local";
  std::optional<std::size_t> jobs;  ///< of the local engine; default: the number of cores
  SlurmOptions slurm;
  bool retry = false;  ///< run points again that failed
  bool list = false;   ///< print the points and run nothing
  bool quiet = false;
  bool json = false;
};

/// Runs the points that the store does not have. Throws InputError and report::OutputError.
ExitCode run_sweep(const SweepOptions& options);

}  // namespace reconverge::cli
