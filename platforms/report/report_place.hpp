// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How a report names files, and which sources it may quote.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::report {

struct ReportPlace {
  std::filesystem::path folder;                     ///< of the experiment; names are relative to it
  std::vector<std::filesystem::path> source_roots;  ///< folders for sources that are not below their program's folder

  /// The file as named by a report, independent of the current folder. Unchanged without a folder.
  std::string shown(const std::filesystem::path& file) const { return configuration::path_from(folder, file); }
};

/// The place of an experiment's file.
inline ReportPlace place_of(const std::filesystem::path& experiment,
                            std::vector<std::filesystem::path> source_roots = {}) {
  return {std::filesystem::absolute(experiment).lexically_normal().parent_path(), std::move(source_roots)};
}

}  // namespace reconverge::report
