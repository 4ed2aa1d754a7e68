// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/named_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "models/core/input_file.hpp"

namespace reconverge::scenes {

namespace {

namespace fs = std::filesystem;

/// How the name leaves the folder; empty if it does not.
std::string_view way_out(const fs::path& folder, const fs::path& name) {
  if (name.is_absolute()) return "is absolute";
  const fs::path normal = name.lexically_normal();
  if (normal.empty() || *normal.begin() == "..") return "lies outside the folder of the scene";
  // A path that does not exist cannot be read, wherever it leads.
  std::error_code error;
  const fs::path below = path_below(folder, name, error);
  if (error) return "cannot be followed";
  return below.empty() ? "is a link that leads out of the folder of the scene" : "";
}

}  // namespace

fs::path named_file(const fs::path& folder, std::string_view name, OutsideFiles outside, const SourceLocation& place) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    throw InputError(place, "it names a file that cannot be one", "write the path of a file beneath its folder");
  }
  if (outside == OutsideFiles::refused) {
    if (const std::string_view problem = way_out(folder, name); !problem.empty()) {
      throw InputError(place, fmt::format("it names the file '{}', which {}", name, problem),
                       "put the file beneath that folder, or allow it with outside_files: true (--outside-files)");
    }
  }
  return folder / name;
}

}  // namespace reconverge::scenes
