// SPDX-License-Identifier: Apache-2.0
#include "platforms/profile/profile_reader.hpp"

#include <boost/json/value.hpp>
#include <limits>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/report/format/json_place.hpp"
#include "platforms/report/format/report_format.hpp"

namespace reconverge {

namespace {

namespace fs = std::filesystem;
using report::JsonPlace;

std::uint32_t small_count(const JsonPlace& place) {
  const std::uint64_t value = place.count();
  if (value > std::numeric_limits<std::uint32_t>::max()) place.refuse("is too large");
  return static_cast<std::uint32_t>(value);
}

std::vector<std::uint64_t> counts_by_cause(const JsonPlace& counts, const std::vector<std::string>& causes) {
  counts.check_counts(causes.size());
  std::vector<std::uint64_t> all;
  for (const JsonPlace& item : counts.items()) all.push_back(item.count());
  return all;
}

ProfileBranch branch_of(const JsonPlace& value) {
  ProfileBranch branch{value.at("divergent").count(), {}};
  for (const JsonPlace& target : value.at("targets").items()) {
    branch.targets.push_back({small_count(target.at("pc")), target.at("threads").count()});
  }
  return branch;
}

ProfileSource source_of(const JsonPlace& value) {
  return {value.at("file").text(), small_count(value.at("line")), value.at("text").text()};
}

ProfileRow row_of(const JsonPlace& value, const std::vector<std::string>& causes) {
  ProfileRow row;
  row.pc = small_count(value.at("pc"));
  row.line = small_count(value.at("line"));
  row.text = value.at("text").text();
  if (const auto source = value.find("source")) row.source = source_of(*source);
  if (const auto calls = value.find("inlined_at")) {
    for (const JsonPlace& call : calls->items()) row.inlined_at.push_back(source_of(call));
  }
  row.executions = value.at("executions").count();
  row.threads = value.at("threads").count();
  row.lost_lanes = value.at("lost_lanes").count();
  row.stalls = counts_by_cause(value.at("stalls"), causes);
  if (const auto branch = value.find("branch")) row.branch = branch_of(*branch);
  if (const auto memory = value.find("memory")) {
    row.memory = ProfileMemory{memory->at("space").text(), memory->at("cache").text(),   memory->at("lines").count(),
                               memory->at("hits").count(), memory->at("misses").count(), memory->at("merges").count()};
  }
  return row;
}

}  // namespace

Profile read_profile(const JsonPlace& value) {
  Profile profile;
  profile.program = value.at("program").text();
  profile.lanes = small_count(value.at("lanes"));
  if (profile.lanes == 0) value.at("lanes").refuse("is 0, and an instruction has one lane at least");
  for (const JsonPlace& cause : value.at("causes").items()) profile.causes.push_back(cause.text());
  profile.stalls_of_no_warp = counts_by_cause(value.at("stalls_of_no_warp"), profile.causes);
  for (const JsonPlace& row : value.at("instructions").items())
    profile.instructions.push_back(row_of(row, profile.causes));
  return profile;
}

std::vector<ProfiledLaunch> parse_profiles(std::string_view text, const std::string& file) {
  const boost::json::value parsed = report::parse_json(text, file);
  const JsonPlace document(parsed, file);
  const bool traces = report::is_ray_report(document);
  std::vector<ProfiledLaunch> profiles;
  for (const JsonPlace& launch : document.at(traces ? "stages" : "launches").items()) {
    const auto profile = launch.find("profile");
    if (profile) profiles.push_back({launch.at("name").text(), launch.at("kernel").text(), read_profile(*profile)});
  }
  return profiles;
}

std::vector<ProfiledLaunch> read_profiles(const fs::path& folder) {
  const fs::path path = folder / "report.json";
  const std::string file = path.generic_string();
  std::vector<ProfiledLaunch> profiles = parse_profiles(read_input(path, input::report), file);
  if (profiles.empty()) {
    throw InputError({file, 0, 0}, "the report has no profile", "run the experiment again with --profile");
  }
  return profiles;
}

}  // namespace reconverge
