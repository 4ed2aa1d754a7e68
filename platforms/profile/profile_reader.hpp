// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reads the profiles in a report, for display.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/profile/profile.hpp"
#include "platforms/report/format/json_place.hpp"

namespace reconverge {

/// A launch, or a stage of ray tracing.
struct ProfiledLaunch {
  std::string name;
  std::string kernel;
  Profile profile;
};

/// The `profile` of a launch or stage. Throws InputError with the path of an invalid value.
Profile read_profile(const report::JsonPlace& value);

/// The profiles in the text of a `report.json`, in its order; none if nothing was profiled. `file` is its name in
/// messages. Throws InputError, with line and column or the value's path, for a text that is not a report.
std::vector<ProfiledLaunch> parse_profiles(std::string_view text, const std::string& file);

/// The profiles of the report in a folder. Throws InputError, also if there is no report, or it has no profile.
std::vector<ProfiledLaunch> read_profiles(const std::filesystem::path& folder);

}  // namespace reconverge
