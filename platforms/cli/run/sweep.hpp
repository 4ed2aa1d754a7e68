// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The settings of a sweep: several values for each of one or more parameters, in the order of the command line.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

/// One `--sweep PATH=VALUE,VALUE...`, checked: the parameter exists and takes every value.
struct SweepAxis {
  std::string path;
  std::string name;                    ///< the shortest end of the path that no other axis shares: `policy`
  std::vector<std::string> values;     ///< as written by the user
  std::vector<std::string> canonical;  ///< as printed by the tree: `48 KiB`
};

/// The index of a value for each axis.
using Combination = std::vector<std::size_t>;

/// Reads all --sweep options. Commas within brackets do not separate values. Throws InputError for an unknown key, an
/// invalid value, a value or parameter given twice, and a parameter that `overrides` set.
std::vector<SweepAxis> read_sweep(std::span<const std::string> options, std::span<const std::string> overrides,
                                  Kinds kinds);

/// Refuses an axis within a section if another axis sets the same value, in whole or in part, by another path, or if it
/// changes what --set gave. `changes`: all changes of one combination, those of the axes last. Throws InputError.
void check_sections(std::span<const SweepAxis> axes, std::span<const configuration::SectionChange> changes);

/// All combinations; the last axis varies fastest. One empty combination without axes. Throws InputError if there are
/// too many.
std::vector<Combination> combinations_of(std::span<const SweepAxis> axes);

/// `path=value` for each axis, in the syntax of --set.
std::vector<std::string> overrides_of(std::span<const SweepAxis> axes, const Combination& combination);

/// A readable form: `policy=greedy_then_oldest, sms=15`.
std::string label_of(std::span<const SweepAxis> axes, const Combination& combination);

/// The folder name of a combination: `gpu.sm.scheduler.policy=greedy_then_oldest,gpu.sms=15`. Values are encoded as in
/// a web form, a space as `+` and other characters that are unsafe in names as `%XX`, so that no two combinations share
/// a folder. A name too long for a file system ends in `~` and a digest instead.
std::string folder_of(std::span<const SweepAxis> axes, const Combination& combination);

}  // namespace reconverge::cli
