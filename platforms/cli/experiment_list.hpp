#pragma once
/// A file that names experiments, to be run side by side as if each were given on the command line:
///
///     experiments:
///       - baseline_drs.yaml
///       - drs_shuffling.yaml

#include <span>
#include <string>
#include <vector>

namespace reconverge::cli {

/// The experiment files that `files` stand for, in their order: those that a list names in its place. Paths in a list
/// are relative to it. Throws InputError for a list with another key, without entries, or that names a list or no file.
/// Whatever else is no list stays as it is, for those who load it to refuse.
std::vector<std::string> expand_lists(std::span<const std::string> files);

}  // namespace reconverge::cli
