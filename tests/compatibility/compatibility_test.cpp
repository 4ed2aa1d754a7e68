// SPDX-License-Identifier: Apache-2.0
/// Files that the previous version wrote.

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const fs::path previous = RECONVERGE_PREVIOUS;

std::string previous_file(const std::string& name) { return (previous / name).string(); }

ProgramResult succeeding(const std::vector<std::string>& arguments) {
  const ProgramResult result = run_program(arguments);
  INFO(result.errors << result.output);
  REQUIRE(result.exit_code == 0);
  return result;
}

json::value report_in(const fs::path& folder) { return json::parse(read_file(folder / "report.json")); }

/// Adds the paths of members that `now` lacks or has with another kind of value. Lists are compared by their first
/// elements, and null is any value.
void find_differences(const json::value& before, const json::value& now, const std::string& path,
                      std::vector<std::string>& differences) {
  if (before.is_null() || now.is_null() || (before.is_number() && now.is_number())) return;
  if (before.kind() != now.kind()) {
    differences.push_back(path + " has another type");
  } else if (before.is_object()) {
    for (const auto& [key, value] : before.as_object()) {
      const std::string member = fmt::format("{}.{}", path, std::string_view(key));
      if (const json::value* const found = now.as_object().if_contains(key)) {
        find_differences(value, *found, member, differences);
      } else {
        differences.push_back(member + " is missing");
      }
    }
  } else if (before.is_array() && !before.as_array().empty() && !now.as_array().empty()) {
    find_differences(before.as_array().front(), now.as_array().front(), path + "[0]", differences);
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("the files are of the previous version") {
  for (const char* const folder : {"launches", "rays"}) {
    CHECK(report_in(previous / folder).at("program_version").as_string() == RECONVERGE_PREVIOUS_VERSION);
  }
}

TEST_CASE("the page shows reports of the previous version, with a trace") {
  const TemporaryFolder place;
  const std::string page = (place.path() / "page.html").string();
  succeeding({"report", previous_file("launches"), previous_file("rays"), previous_file("sweep"), "--trace",
              previous_file("saxpy.pftrace"), "--out", page});
  CHECK_THAT(read_file(page), Contains("saxpy") && Contains("conference") && Contains(RECONVERGE_PREVIOUS_VERSION));
}

TEST_CASE("a profile of the previous version is shown") {
  const ProgramResult result = succeeding({"profile", previous_file("launches")});
  CHECK_THAT(result.output, Contains("saxpy") && Contains("ld.global"));
}

TEST_CASE("effective.yaml of the previous version is run, and reports keep all of its keys") {
  const std::string folder = GENERATE("launches", "rays");
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  succeeding({"run", previous_file(folder + "/effective.yaml"), "--quiet", "--out", out.string()});
  std::vector<std::string> differences;
  find_differences(report_in(previous / folder), report_in(out), "", differences);
  CHECK(differences == std::vector<std::string>{});
  CHECK(first_line(read_file(out / "report.csv")) == first_line(read_file(previous / folder / "report.csv")));
  for (const std::string& file : names_in(previous / folder)) {
    INFO(file);
    CHECK(fs::exists(out / file));
  }
}

TEST_CASE("a report of the previous version is replaced, also by --resume") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  fs::copy(previous / "rays", out);
  std::vector<std::string> arguments{"run", previous_file("rays/effective.yaml"), "--quiet", "--out", out.string()};
  if (GENERATE(true, false)) arguments.emplace_back("--resume");
  succeeding(arguments);
  CHECK(report_in(out).at("program_version").as_string() != RECONVERGE_PREVIOUS_VERSION);
}

TEST_CASE("the store of a sweep of the previous version is read, and continued with new points") {
  const TemporaryFolder place;
  fs::copy(previous / "space", place.path());
  const std::string store = place.path().string();
  const std::string cycles = "SELECT \"gpu.sms\", cycles FROM results ORDER BY 1";
  CHECK(json::parse(succeeding({"query", store, cycles, "--json"}).output) ==
        json::parse(R"([{"gpu.sms": 1.0, "cycles": 2503.0}, {"gpu.sms": 2.0, "cycles": 1588.0}])"));
  CHECK(succeeding({"query", store, "SELECT value FROM provenance WHERE key = 'program'"})
            .output.find(RECONVERGE_PREVIOUS_VERSION) != std::string::npos);
  // Another program has other digests, so its points are new.
  CHECK_THAT(succeeding({"sweep", RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml", "--sweep", "gpu.sms=1,2",
                         "--out", store})
                 .output,
             Contains("2 points; ok: 2"));
  CHECK(json::parse(succeeding({"query", store, "SELECT run FROM runs", "--json"}).output).as_array().size() == 4);
}

TEST_CASE("recorded rays of the previous version are read") {
  const ProgramResult result = succeeding({"rays", "--info", previous_file("small.rays")});
  CHECK_THAT(result.output, Contains("conference_small") && Contains("8 x 8 pixels"));
}
