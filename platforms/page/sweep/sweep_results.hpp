// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The results of a sweep, as shown by the page: by columns, which have one entry for each point with a result.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::page {

/// A parameter that the sweep changes.
struct SweepAxis {
  std::string path;
  std::vector<std::string> levels;   ///< values, each once: numbers ascending, words in order of their first points
  std::vector<double> numbers;       ///< of the levels; empty if one of them is no number
  std::string quantity;              ///< `bytes`, `frequency`, or empty
  std::vector<std::int64_t> column;  ///< the point's place in `levels`; -1: the point does not set the parameter
};

/// A figure of the points' main part. Finite numbers only.
struct SweepFigure {
  std::string name;
  std::vector<std::optional<double>> column;
};

/// Texts of which many points have the same.
struct SweepNames {
  std::vector<std::string> names;
  std::vector<std::int64_t> column;  ///< the point's place in `names`
};

struct SweepFailure {
  std::size_t row = 0;
  std::string message;
};

struct SweepResults {
  std::uint64_t points = 0;             ///< of the space, also without a result
  std::vector<std::int64_t> positions;  ///< in the space
  SweepNames experiments;
  SweepNames statuses;          ///< `partial`: ended with `ok`, but early
  std::vector<double> seconds;  ///< of host time
  std::vector<SweepAxis> axes;
  std::vector<SweepFigure> figures;    ///< one that is 0 or absent in all points is left out
  std::vector<SweepFailure> failures;  ///< the first `most_failures`
  std::uint64_t failed = 0;            ///< points whose status is not `ok`

  std::size_t rows() const { return positions.size(); }
};

/// The largest number of failed points whose messages a page has.
inline constexpr std::size_t most_failures = 1000;
/// Characters of a message.
inline constexpr std::size_t most_message = 1000;

/// Whether `place` is a store of a sweep by its name: a file `*.sqlite`, or a folder with a store.
bool is_sweep(const std::filesystem::path& place);

/// Reads a store, which another process may write meanwhile. Throws InputError for a file that is no store, for values
/// of a wrong type, for a store without results, and for too many points.
SweepResults read_sweep(const std::filesystem::path& place);

}  // namespace reconverge::page
