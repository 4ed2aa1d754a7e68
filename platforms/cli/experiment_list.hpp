#pragma once
/// A file that names experiments, to be run side by side as if each were given on the command line:
///
///     experiments:
///       - baseline_drs.yaml
///       - drs_shuffling.yaml
///
/// It may also say under which settings they run, as `--sweep` does:
///
///     sweep:
///       gpu.fixed_latency.latency: [300, 600, 900]

#include <span>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/gpu/schemes.hpp"

namespace reconverge::cli {

/// One parameter of a list's `sweep`.
struct ListedSweep {
  SourceLocation location;
  std::string path;
  std::string option;  ///< `path=value,value`, as --sweep takes it
};

struct ExpandedFiles {
  std::vector<std::string> files;
  std::vector<ListedSweep> sweeps;
};

/// The experiment files that `files` stand for, in their order: those that a list names in its place. Paths in a list
/// are relative to it. Throws InputError for a list with another key, without entries, or that names a list or no file,
/// and for one with a sweep beside other files. Whatever else is no list stays as it is, for those who load it to
/// refuse.
ExpandedFiles expand_lists(std::span<const std::string> files);

/// The sweeps of a command line whose own are `options` and `overrides` (--set): a list's parameter that one of these
/// gives is theirs. Throws InputError, with the line of the list, for what --sweep would not take.
std::vector<std::string> joined_sweeps(std::span<const ListedSweep> listed, std::span<const std::string> options,
                                       std::span<const std::string> overrides, SchemeList schemes);

}  // namespace reconverge::cli
