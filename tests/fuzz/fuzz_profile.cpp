// SPDX-License-Identifier: Apache-2.0
/// The profiles of a report, as `reconverge profile` reads them. Text that does not begin like a JSON object is used as
/// one launch of an otherwise valid report, because the fuzzer would find little with a wrong format or version.

#include "platforms/profile/profile_reader.hpp"
#include "platforms/report/format/report_format.hpp"
#include "tests/fuzz/target.hpp"

namespace reconverge::fuzz {

namespace {

std::string report_with(const std::string& launch) {
  return R"({"format": "reconverge launch report", "schema_version": )" + std::to_string(report::schema_version) +
         R"(, "launches": [{"name": "a", "kernel": "k", "profile": )" + launch + "}]}";
}

void read(const std::string& text) {
  const bool whole = text.starts_with("{\"format");
  for (const ProfiledLaunch& launch : parse_profiles(whole ? text : report_with(text), "report.json")) {
    const Profile& profile = launch.profile;
    require(profile.lanes != 0, "an instruction has one lane at least");
    require(profile.stalls_of_no_warp.size() == profile.causes.size(), "every cause has its number");
    for (const ProfileRow& row : profile.instructions)
      require(row.stalls.size() == profile.causes.size(), "every instruction has a number for each cause");
  }
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  fuzz::taken([&] { fuzz::read(fuzz::text_of(data, size)); });
  return 0;
}
