// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/page/run.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

page::Run run_of(const std::string& name, const std::string& folder) {
  page::Run run;
  run.name = name;
  run.folder = folder;
  return run;
}

}  // namespace

TEST_CASE("a folder is a report or has a table of several reports") {
  const TemporaryFolder place;
  CHECK_THROWS_WITH(page::report_folders(place.path() / "nowhere"), Contains("there is no such folder"));
  CHECK_THROWS_WITH(page::report_folders(place.path()), Contains("there is neither report.json nor runs.csv in it"));
  place.write("runs.csv", "folder,experiment,status\nb,b,ok\n\"a,\"\"1\"\"\",a,ok\nx/y,x,program failed\n");
  CHECK(page::report_folders(place.path()) ==
        std::vector<fs::path>{place.path() / "b", place.path() / "a,\"1\"", place.path() / "x" / "y"});
  place.write("report.json", "{}");
  CHECK_THROWS_WITH(page::report_folders(place.path() / "report.json"), Contains("report.json: this is no folder"));
  CHECK(page::report_folders(place.path()) == std::vector<fs::path>{place.path()});
}

TEST_CASE("a table that is not of runs, or has paths outside its folder, is refused") {
  const TemporaryFolder place;
  place.write("runs.csv", "name,age\n");
  CHECK_THROWS_WITH(page::report_folders(place.path()), Contains("runs.csv:1:1: this is no table of runs"));
  for (const char* const row : {"/etc,a,ok\n", "../a,a,ok\n", ",a,ok\n"}) {
    place.write("runs.csv", std::string("folder,experiment,status\nfine,a,ok\n") + row);
    CHECK_THROWS_WITH(page::report_folders(place.path()), Contains("runs.csv:3:1: this names no folder below"));
  }
}

TEST_CASE("runs of one experiment are distinguished by their folders") {
  const auto names =
      page::distinct_names({run_of("room", "out/room-sweep/gpu.sms=1,policy=a+%28b%29"), run_of("room", "out/room"),
                            run_of("saxpy", "elsewhere"), run_of("room", "other/room/")});
  CHECK(names == std::vector<std::string>{"room (gpu.sms=1,policy=a (b))", "room", "saxpy", "room #2"});
}
