// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A file that names experiments; they run in parallel as if each were given on the command line:
///
///     experiments:
///       - baseline_drs.yaml
///       - drs_shuffling.yaml
///
/// It may also give the settings of a sweep, as `--sweep` does:
///
///     sweep:
///       gpu.fixed_latency.latency: [300, 600, 900]

#include <span>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

/// One parameter of a list's `sweep`.
struct ListedSweep {
  SourceLocation location;
  std::string path;
  std::string option;  ///< `path=value,value`, in the syntax of --sweep
};

struct ExpandedFiles {
  std::vector<std::string> files;
  std::vector<ListedSweep> sweeps;
};

/// Replaces each list in `files` by the experiment files that it names, in order. Paths in a list are relative to it.
/// Throws InputError for a list that has another key, has no entries, or names a list or a missing file, and for a list
/// with a sweep if `files` has other entries. Other files are kept as they are; loading them reports their errors.
ExpandedFiles expand_lists(std::span<const std::string> files);

/// The sweeps of a run: those of the command line (`options`) and of the list. `options` and `overrides` (--set) take
/// precedence over the list for the same parameter. Throws InputError, with the line in the list, for what --sweep
/// would refuse.
std::vector<std::string> joined_sweeps(std::span<const ListedSweep> listed, std::span<const std::string> options,
                                       std::span<const std::string> overrides, Kinds kinds);

}  // namespace reconverge::cli
