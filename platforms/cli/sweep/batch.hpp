// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Points that one task of a cluster's job array runs, one after the other.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/sweep/sweep_plan.hpp"

namespace reconverge::cli {

struct Batch {
  int generation = 0;
  std::string program;  ///< digest of program and plugins (PointDigests::program)
  std::chrono::seconds lease{0};
  PointOptions options;
  std::vector<sweep::Point> points;
};

/// `generation-G/batch-I.json` in the spool.
std::filesystem::path batch_file(const std::filesystem::path& spool, int generation, std::size_t index);
void write_batch(const std::filesystem::path& file, const Batch& batch);

/// Runs the points of a batch that have no result, and publishes their records in the spool of the sweep's folder. Ends
/// early when its generation is revoked, or by a signal. Throws InputError for a file that is no batch, and if this
/// program is another one than the program that made it.
ExitCode run_batch(const std::filesystem::path& sweep, int generation, std::size_t index);

}  // namespace reconverge::cli
