#include "scenes/files/named_file.hpp"

#include <fmt/format.h>

#include <system_error>

namespace reconverge::scenes {

namespace {

namespace fs = std::filesystem;

bool goes_out(const fs::path& relative) { return relative.empty() || *relative.begin() == ".."; }

/// How the name leads out of the folder; empty when it does not.
std::string_view way_out(const fs::path& folder, const fs::path& name) {
  if (name.is_absolute()) return "is absolute";
  if (goes_out(name.lexically_normal())) return "lies outside the folder of the scene";
  // Links are followed; a path whose end is not there cannot be read, wherever it leads.
  std::error_code error;
  const fs::path home = fs::canonical(folder.empty() ? "." : folder, error);
  const fs::path place = error ? fs::path() : fs::weakly_canonical(home / name, error);
  if (error) return "cannot be followed";
  return goes_out(place.lexically_relative(home)) ? "is a link that leads out of the folder of the scene" : "";
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
