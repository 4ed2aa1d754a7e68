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
  std::vector<std::filesystem::path> source_roots;  ///< below which sources may lie that are not below their program

  /// The file as a report names it, wherever the program was started. Without a folder it stays as it is.
  std::string shown(const std::filesystem::path& file) const { return configuration::path_from(folder, file); }
};

/// Of an experiment's file.
inline ReportPlace place_of(const std::filesystem::path& experiment,
                            std::vector<std::filesystem::path> source_roots = {}) {
  return {std::filesystem::absolute(experiment).lexically_normal().parent_path(), std::move(source_roots)};
}

}  // namespace reconverge::report
