#pragma once
/// Several values for one parameter, and several such parameters: the settings of a sweep, in the order of the command
/// line.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "platforms/gpu/schemes.hpp"

namespace reconverge::cli {

/// One `--sweep PATH=VALUE,VALUE...`, checked: the parameter exists and takes every value.
struct SweepAxis {
  std::string path;
  std::string name;                    ///< the end of the path that no other axis has: `policy`
  std::vector<std::string> values;     ///< as the user wrote them
  std::vector<std::string> canonical;  ///< the same as the tree prints them: `48 KiB`
};

/// A value of each axis, by its number.
using Combination = std::vector<std::size_t>;

/// Reads all --sweep options. A comma within brackets parts no values. Throws InputError for an unknown key, a value
/// that the parameter does not take, a value or a parameter given twice, and a parameter that `overrides` give, too.
std::vector<SweepAxis> read_sweep(std::span<const std::string> options, std::span<const std::string> overrides,
                                  SchemeList schemes);

/// Refuses an axis within a section whose value another axis gives by another path, in whole or in part, or that
/// changes what --set gave. `changes`: all of one combination, those of the axes last. Throws InputError.
void check_sections(std::span<const SweepAxis> axes, std::span<const configuration::SectionChange> changes);

/// Every combination; the last axis varies fastest. One empty combination when there is no axis. Throws InputError when
/// there are too many.
std::vector<Combination> combinations_of(std::span<const SweepAxis> axes);

/// `path=value` for each axis, as --set takes it.
std::vector<std::string> overrides_of(std::span<const SweepAxis> axes, const Combination& combination);

/// For people: `policy=greedy_then_oldest, sms=15`.
std::string label_of(std::span<const SweepAxis> axes, const Combination& combination);

/// The name of a folder: `gpu.sm.scheduler.policy=greedy_then_oldest,gpu.sms=15`. Values are written as in a web form,
/// a space as `+` and other characters that are not safe in names as `%XX`, so that no two combinations share a folder.
/// What would be too long for a file system ends in `~` and a digest instead.
std::string folder_of(std::span<const SweepAxis> axes, const Combination& combination);

}  // namespace reconverge::cli
