#pragma once
/// The profiles that a report holds, for whoever shows them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/report/json_place.hpp"
#include "platforms/report/profile.hpp"

namespace reconverge::report {

/// A launch, or a stage of ray tracing.
struct ProfiledLaunch {
  std::string name;
  std::string kernel;
  Profile profile;
};

/// The `profile` of a launch or stage. Throws InputError with the place of the value that is not as it should be.
Profile read_profile(const JsonPlace& value);

/// Those of the text of a `report.json`, in its order; none where nothing was profiled. `file` is named in messages.
/// Throws InputError, with line and column or the path of the value, for what is no such report.
std::vector<ProfiledLaunch> parse_profiles(std::string_view text, const std::string& file);

/// Those of the report in a folder. Throws InputError, also where there is none, or none with a profile.
std::vector<ProfiledLaunch> read_profiles(const std::filesystem::path& folder);

}  // namespace reconverge::report
