// SPDX-License-Identifier: Apache-2.0
/// The reproduction of the papers: what the command prints, writes and refuses.

#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("claims that need no experiment are judged in seconds, and their page is written") {
  const TemporaryFolder place;
  const std::string out = (place.path() / "out").string();
  const ProgramResult result = run_program({"reproduce", "stream", "--scale", "exact", "--out", out});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("popa.benes.stages") && Contains(" 0 outside, ") && Contains("not measured"));
  CHECK_THAT(text_in(out + "/stream.md"), Contains("`popa.benes.stages`") && Contains("(stream_claims.svg)"));
  const json::value figures = json::parse(text_in(out + "/stream.json"));
  CHECK(figures.at(0).at("id") == "popa.benes.stages");
  CHECK(figures.at(0).at("inside") == true);
  CHECK(fs::exists(out + "/stream_claims.svg"));
}

TEST_CASE("the table of README.md comes from the figures in the tree") {
  const std::string source(RECONVERGE_SOURCE_DIR);
  const ProgramResult result = run_program({"reproduce", "--summary", source + "/docs/results"});
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(text_in(source + "/README.md"), Contains("<!-- papers -->\n" + result.output + "<!-- end of papers -->"));
}

TEST_CASE("an unknown page is refused") {
  const ProgramResult result = run_program({"reproduce", "streams"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("streams"));
}
