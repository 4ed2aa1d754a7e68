// SPDX-License-Identifier: Apache-2.0
/// Files that are not part of a report are written completely or not at all, and never replace other files.

#include "platforms/report/lone_file.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <string>

#include "models/core/input_file.hpp"
#include "tests/unit/core/file_size_limit.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::report;
using reconverge::tests::FileSizeLimit;
using reconverge::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

constexpr FileKind note{"a note of this test", "NOTE:"};

std::string read(const fs::path& file) { return read_input(file, input::any); }

std::size_t count_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a single file is written completely or not at all") {
  const TemporaryFolder place;
  const fs::path file = place.path() / "note";
  write_file(file, note, false, "NOTE: 1");
  {
    const FileSizeLimit limit(10);
    CHECK_THROWS_WITH(write_file(file, note, false, "NOTE: longer than ten bytes"), file.string() + ": File too large");
  }
  CHECK(read(file) == "NOTE: 1");
  CHECK(count_in(place.path()) == 1);
  const fs::path missing = place.path() / "no";
  CHECK_THROWS_WITH(write_file(missing / "file", note, false, "x"),
                    Catch::EndsWith("/no/file: there is no folder " + missing.string()));
  CHECK_THROWS_WITH(write_file(place.path(), note, false, "x"), Catch::Contains("is a folder"));
  CHECK_THROWS_WITH(write_file("/dev/full", note, false, "x"), Catch::Contains("No space left"));
  CHECK(fs::is_character_file("/dev/full"));
  const fs::path pipe = place.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(write_file(pipe, note, false, "x"),
                    Catch::EndsWith("/pipe: no process reads it; start its reader first"));
}

TEST_CASE("a file not written by an earlier call is replaced only by force") {
  const TemporaryFolder place;
  const fs::path empty = place.write("empty", "");
  write_file(empty, note, false, "NOTE: 1");
  write_file(empty, note, false, "NOTE: 2");
  CHECK(read(empty) == "NOTE: 2");
  // The second text has the mark at a position where it has no effect.
  const std::string text = GENERATE(std::string("another's"), std::string(1020, ' ').append("NOTE:"));
  SECTION("a file of " + std::to_string(text.size()) + " bytes") {
    const fs::path foreign = place.write("foreign", text);
    CHECK_THROWS_WITH(check_place(foreign, note, false), foreign.string() +
                                                             ": is there and is not a note of this test; "
                                                             "name another file, or replace it with --force");
    CHECK_THROWS_AS(write_file(foreign, note, false, "NOTE: 3"), OutputError);
    CHECK(read(foreign) == text);
    write_file(foreign, note, true, "NOTE: 3");
    CHECK(read(foreign) == "NOTE: 3");
  }
  // For a link, the contents of its target count. The target is not changed.
  const fs::path other = place.write("other", "another's");
  const fs::path link = place.path() / "link";
  fs::create_symlink(other, link);
  CHECK_THROWS_AS(write_file(link, note, false, "NOTE: 4"), OutputError);
  write_file(link, note, true, "NOTE: 4");
  CHECK(read(other) == "another's");
  CHECK(read(link) == "NOTE: 4");
}

TEST_CASE("a file that is written piece by piece appears only when it is complete") {
  const TemporaryFolder place;
  const fs::path file = place.path() / "note";
  const std::string piece(100'000, 'x');
  {
    LoneStream stream(file, note, false);
    stream.write("NOTE: 1 ");
    stream.write(piece);
    stream.flush();
    CHECK(count_in(place.path()) == 0);
    stream.finish();
  }
  CHECK(read(file) == "NOTE: 1 " + piece);
  {
    LoneStream stream(file, note, false);
    stream.write("NOTE: 2");
  }
  CHECK(read(file) == "NOTE: 1 " + piece);
  {
    LoneStream stream(file, note, false);
    const FileSizeLimit limit(10);
    stream.write("NOTE: longer than ten bytes");
    CHECK_THROWS_WITH(stream.flush(), file.string() + ": File too large");
    stream.write(piece);
    CHECK_THROWS_AS(stream.finish(), OutputError);
  }
  CHECK(read(file) == "NOTE: 1 " + piece);
  CHECK(count_in(place.path()) == 1);
  LoneStream full("/dev/full", note, false);
  full.write("x");
  CHECK_THROWS_WITH(full.flush(), Catch::Contains("No space left"));
  CHECK_THROWS_AS(LoneStream(place.write("foreign", "another's"), note, false), OutputError);
  CHECK_THROWS_AS(LoneStream(place.path() / "no" / "note", note, false), OutputError);
}
