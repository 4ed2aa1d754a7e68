// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "tests/unit/core/file_size_limit.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/report/written_report.hpp"

using namespace reconverge::report;
using namespace reconverge::report::tests;
using reconverge::tests::FileSizeLimit;
using reconverge::tests::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("a report is written completely, and a later report replaces it completely") {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "a" / "b";
  write_report(folder, {{"report.json", "1"}, {"picture.png", "p"}});
  CHECK(contents(folder) == std::set<std::string>{"report.json", "picture.png", "manifest.json"});
  write_report(folder, {{"report.json", "2"}});
  CHECK(contents(folder) == std::set<std::string>{"report.json", "manifest.json"});
  CHECK(read(folder / "report.json") == "2");
}

TEST_CASE("folders created for a report that was never written are removed") {
  const TemporaryFolder place;
  { OutputFolder(place.path() / "a" / "b").claim(names, false); }
  CHECK(contents(place.path()).empty());
}

TEST_CASE("an existing folder is kept even without a report") {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "a");
  { OutputFolder(place.path() / "a").claim(names, false); }
  CHECK(contents(place.path()) == std::set<std::string>{"a"});
  CHECK(contents(place.path() / "a").empty());
}

TEST_CASE("a folder with other files is used only with --force or if it contains a report") {
  const TemporaryFolder place;
  place.write("thesis.txt", "years of work");
  CHECK_THROWS_WITH(OutputFolder(place.path()).claim(names, false),
                    Catch::Contains("thesis.txt") && Catch::Contains("--force"));
  write_report(place.path(), {}, true);
  write_report(place.path(), {});
  CHECK(read(place.path() / "thesis.txt") == "years of work");
}

TEST_CASE("the error for a path that cannot be a folder has its name and the reason") {
  const TemporaryFolder place;
  const std::string file = place.write("file", "x");
  CHECK_THROWS_WITH(OutputFolder(file), Catch::Contains(file) && Catch::Contains("not a folder"));
  CHECK_THROWS_AS(OutputFolder(fs::path(file) / "below"), OutputError);
  CHECK_THROWS_AS(OutputFolder("/proc/no/such/place"), OutputError);
  CHECK(contents(place.path()) == std::set<std::string>{"file"});
}

TEST_CASE("if the disk is full, the earlier report is kept, and no file is written partly") {
  const TemporaryFolder place;
  write_report(place.path(), {{"report.json", "1"}, {"picture.png", "p"}});
  OutputFolder folder(place.path());
  folder.claim(names, false);
  const std::vector<OutputFile> second{
      {"report.json", "2"}, {"picture.png", std::string(100'000, 'x')}, {"manifest.json", "n"}};
  {
    const FileSizeLimit limit(50'000);
    CHECK_THROWS_WITH(folder.write(second), Catch::Contains("picture.png: File too large"));
  }
  CHECK(contents(place.path()) == std::set<std::string>{"report.json", "picture.png", "manifest.json"});
  CHECK(read(place.path() / "report.json") == "1");
  CHECK(read(place.path() / "picture.png") == "p");
}

TEST_CASE("a file that cannot be read has no digest") {
  const TemporaryFolder place;
  CHECK(reconverge::sha256_of_file(place.write("abc", "abc")) == reconverge::sha256("abc"));
  CHECK_THROWS_AS(reconverge::sha256_of_file(place.path() / "nothing"), reconverge::InputError);
  CHECK_THROWS_AS(reconverge::sha256_of_file(place.path()), reconverge::InputError);
}

TEST_CASE("a file whose data continues in a second buffer is written completely") {
  const TemporaryFolder place;
  const std::string data(100'000, 'd');
  const std::vector<OutputFile> files{{"report.json", "head ", data}, {"manifest.json", "m"}};
  OutputFolder folder(place.path() / "out");
  folder.claim(names, false);
  folder.write(files);
  CHECK(read(place.path() / "out" / "report.json") == "head " + data);
}
