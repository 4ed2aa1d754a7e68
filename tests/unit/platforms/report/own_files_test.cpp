// SPDX-License-Identifier: Apache-2.0
/// Ownership of files: which files a report overwrites without --force, which it keeps, and links, which it does not
/// follow.

#include "platforms/report/own_files.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <thread>

#include "models/core/digest.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/report/written_report.hpp"

using namespace reconverge::report;
using namespace reconverge::report::tests;
using Catch::Contains;
using reconverge::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string temporary = ".reconverge.0123456789abcdef.tmp";

void claim(const fs::path& folder, bool force = false) { OutputFolder(folder).claim(names, force); }

}  // namespace

TEST_CASE("a manifest lists the files of a report, and none outside its folder") {
  const auto listed = listed_files(manifest_of({{"y.npy", "1"}}));
  REQUIRE(listed);
  REQUIRE(listed->size() == 1);
  CHECK(listed->front().name == "y.npy");
  CHECK(listed->front().sha256 == reconverge::sha256("1"));
  for (const auto* name : {"../x", ".z", "a/b", ""}) CHECK_FALSE(listed_files(manifest_of({{name, "1"}})));
  for (const auto* text : {"no JSON", "[]", "{}", R"({"outputs": []})",
                           R"({"format": "reconverge manifest", "schema_version": 2, "outputs": []})",
                           R"({"format": "reconverge manifest", "schema_version": 1, "outputs": [{"file": "x"}]})",
                           R"({"format": "another", "schema_version": 1, "outputs": []})"}) {
    CHECK_FALSE(listed_files(text));
  }
}

TEST_CASE("a file that no earlier report wrote is overwritten only with --force, and the error names it") {
  const TemporaryFolder place;
  const auto expect_refusal = [&](const std::string& name, const std::string& text) {
    CHECK_THROWS_WITH(claim(place.path()), Contains("/" + name + ": ") && Contains("--force"));
    CHECK(read(place.path() / name) == text);
    claim(place.path(), true);
    CHECK(read(place.path() / name) == text);  // unchanged until the report is written
  };
  SECTION("another program's") {
    place.write("report.csv", "lap,time\n");
    expect_refusal("report.csv", "lap,time\n");
  }
  SECTION("a manifest of another program with any list") {
    place.write("manifest.json", R"({"outputs": [{"file": "thesis.txt"}]})");
    place.write("thesis.txt", "years of work");
    expect_refusal("manifest.json", R"({"outputs": [{"file": "thesis.txt"}]})");
    write_report(place.path(), {{"report.json", "1"}}, true);
    CHECK(read(place.path() / "thesis.txt") == "years of work");
  }
  SECTION("edited by the user") {
    write_report(place.path(), {{"report.json", "1"}, {"report.csv", "a"}});
    place.write("report.csv", "a, and a remark");
    expect_refusal("report.csv", "a, and a remark");
  }
  SECTION("edited by the user, and not in the next report") {
    OutputFolder first(place.path());
    first.claim({"y.npy", "manifest.json"}, false);
    const std::vector<OutputFile> files{{"y.npy", "1"}, {"manifest.json", manifest_of({{"y.npy", "1"}})}};
    first.write(files);
    place.write("y.npy", "2");
    CHECK_THROWS_WITH(first.claim(names, false), Contains("/y.npy: ") && Contains("--force"));
    CHECK(read(place.path() / "y.npy") == "2");
  }
}

TEST_CASE("a folder with the name of a report's file is refused even with --force") {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "report.csv");
  CHECK_THROWS_WITH(claim(place.path(), true), Contains("/report.csv: is a folder"));
}

TEST_CASE("a sealed file is recognised without a manifest, until it is changed") {
  const TemporaryFolder place;
  const std::string bytes = sealed("#0\n1!");
  CHECK_THAT(bytes, Catch::StartsWith("#0\n1!\n$comment ") && Catch::EndsWith(" $end\n"));
  place.write("report.csv", bytes);
  claim(place.path());
  place.write("report.csv", "#1" + bytes);
  CHECK_THROWS_AS(claim(place.path()), OutputError);
}

TEST_CASE("temporary files of a killed run are removed") {
  const TemporaryFolder place;
  place.write(temporary, "half");
  claim(place.path());
  CHECK(contents(place.path()).empty());
}

TEST_CASE("the next run recognises the files of a run that was killed between two renames") {
  const TemporaryFolder place;
  write_report(place.path(), {{"report.json", "1"}, {"report.csv", "a"}});
  // The next report was stopped after its first file, before its manifest.
  place.write("report.json", "2");
  place.write(temporary, manifest_of({{"report.json", "2"}, {"report.csv", "b"}}));
  claim(place.path());
  CHECK(contents(place.path()) == std::set<std::string>{"report.json", "report.csv", "manifest.json"});
}

TEST_CASE("a file that only resembles our temporary files is kept, and counts as another file") {
  const TemporaryFolder place;
  SECTION("a link") {
    place.write("elsewhere/file", "x");
    fs::create_symlink("elsewhere/file", place.path() / temporary);
    fs::create_directory(place.path() / "out");
    fs::rename(place.path() / temporary, place.path() / "out" / temporary);
    CHECK_THROWS_WITH(claim(place.path() / "out"), Contains(temporary));
    CHECK(fs::is_symlink(place.path() / "out" / temporary));
  }
  SECTION("another name") {
    const auto* name = GENERATE(".reconverge.0123456789abcdeg.tmp", ".reconverge.0123.tmp", ".report.json.tmp");
    place.write(name, "x");
    CHECK_THROWS_WITH(claim(place.path()), Contains(name));
    CHECK(read(place.path() / name) == "x");
  }
}

TEST_CASE("a link with the name of a report's file is not followed") {
  const TemporaryFolder place;
  place.write("precious", "x");
  const fs::path out = place.path() / "out";
  fs::create_directory(out);
  fs::create_symlink("../precious", out / "report.json");
  CHECK_THROWS_WITH(claim(out), Contains("/report.json: ") && Contains("--force"));
  write_report(out, {{"report.json", "1"}}, true);
  CHECK_FALSE(fs::is_symlink(out / "report.json"));
  CHECK(read(out / "report.json") == "1");
  CHECK(read(place.path() / "precious") == "x");
}

TEST_CASE("a link as the folder is refused, and links in the path to it are followed") {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "real");
  fs::create_symlink("real", place.path() / "link");
  for (const auto* name : {"link", "link/"}) {
    CHECK_THROWS_WITH(OutputFolder(place.path() / name), Contains("link: is a symbolic link") && Contains("real"));
  }
  fs::create_symlink("nowhere", place.path() / "dangling");
  CHECK_THROWS_WITH(OutputFolder(place.path() / "dangling"), Contains("is a symbolic link"));
  write_report(place.path() / "link" / "below", {{"report.json", "1"}});
  CHECK(read(place.path() / "real" / "below" / "report.json") == "1");
}

TEST_CASE("a folder that replaces the checked folder before the write gets no files of the report") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  fs::create_directory(place.path() / "others");
  OutputFolder folder(out);
  folder.claim(names, false);
  fs::rename(out, place.path() / "moved");
  fs::create_symlink("others", out);
  const std::vector<OutputFile> files{{"manifest.json", manifest_of({})}};
  folder.write(files);
  CHECK(contents(place.path() / "others").empty());
  CHECK(contents(place.path() / "moved") == std::set<std::string>{"manifest.json"});
}

TEST_CASE("only one run at a time uses a folder, and the error for another run names the first") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  {
    const OutputFolder held(out);
    CHECK_THROWS_WITH(OutputFolder(out), Contains(out.string()) && Contains("another run") && Contains("--out"));
    CHECK(contents(out).empty());  // the lock is removed
  }
  CHECK_FALSE(fs::exists(out));
  CHECK_NOTHROW(OutputFolder(out));
}

TEST_CASE("a run that waits for a folder creates it again if the other run removes it") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "a" / "out";
  auto first = std::make_unique<OutputFolder>(out);
  auto second = std::async(std::launch::async, [&out] { write_report(out, {{"report.json", "1"}}); });
  std::this_thread::sleep_for(
      std::chrono::milliseconds(100));  // usually long enough for the other run to reach the lock
  first.reset();
  second.get();
  CHECK(contents(out) == std::set<std::string>{"report.json", "manifest.json"});
}
