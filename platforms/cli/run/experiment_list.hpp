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
///       gpu.sms: {from: 1, to: 15, step: 2}
///
/// `variants`, `sample` and `where` make it the description of a design space (platforms/cli/sweep/space_file.hpp).

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/yaml_node.hpp"
#include "platforms/cli/run/listed_range.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

/// One parameter of a list's `sweep`.
struct ListedSweep {
  SourceLocation location;
  std::string path;
  std::string option;  ///< `path=value,value`, in the syntax of --sweep; empty for a continuous range
  std::optional<ContinuousRange> range = std::nullopt;
};

/// A key of a list that only a design space has.
struct SpaceEntry {
  std::string file;
  YamlEntry entry;
};

struct ExpandedFiles {
  std::vector<std::string> files;
  std::vector<ListedSweep> sweeps;
  std::vector<SpaceEntry> space;
};

/// `path=value` of an entry in a list; a value that is itself a list is in brackets. A value that names a file is
/// relative to the list. Throws InputError for other nodes.
std::string setting_text(const std::string& list, const std::string& path, const YamlNode& value);

/// Replaces each list in `files` by the experiment files that it names, in order. Paths in a list are relative to it.
/// Throws InputError for a list that has another key, has no entries, or names a list or a missing file, and for a list
/// with a sweep if `files` has other entries. Other files are kept as they are; loading them reports their errors.
ExpandedFiles expand_lists(std::span<const std::string> files);

/// The same for commands that need all combinations. Throws InputError for a list that describes a design space.
ExpandedFiles expand_plain_lists(std::span<const std::string> files);

/// The sweeps of a run: those of the command line (`options`) and of the list. `options` and `overrides` (--set) take
/// precedence over the list for the same parameter. Throws InputError, with the line in the list, for what --sweep
/// would refuse.
std::vector<std::string> joined_sweeps(std::span<const ListedSweep> listed, std::span<const std::string> options,
                                       std::span<const std::string> overrides, Kinds kinds);

}  // namespace reconverge::cli
