// SPDX-License-Identifier: Apache-2.0
/// The reproduction of the papers: what the command prints, writes and refuses.

#include <array>
#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

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
  CHECK_THAT(result.output, Contains("popa.benes.stages") && Contains("\nstream: ") && Contains(" 0 outside, ") &&
                                Contains("not measured at the scale `exact`\n"));
  CHECK_THAT(result.output, !Contains("all pages: "));
  CHECK_THAT(text_in(out + "/stream.md"), Contains("`popa.benes.stages`") && Contains("(stream_claims.svg)"));
  const json::value figures = json::parse(text_in(out + "/stream.json"));
  CHECK(figures.at(0).at("id") == "popa.benes.stages");
  CHECK(figures.at(0).at("inside") == true);
  CHECK(fs::exists(out + "/stream_claims.svg"));
}

TEST_CASE("the text has the counts of claims for each page, and their sums for all pages") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_program({"reproduce", "dmk", "silicon", "--scale", "exact", "--out", (place.path() / "out").string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const auto counts_of = [&](const std::string& name) {
    const std::regex line("\n" + name + ": ([0-9]+) claims inside, ([0-9]+) outside, ([0-9]+) not measured at the");
    std::smatch match;
    REQUIRE(std::regex_search(result.output, match, line));
    return std::array{std::stoi(match[1]), std::stoi(match[2]), std::stoi(match[3])};
  };
  const auto first = counts_of("dmk");
  const auto second = counts_of("silicon");
  const auto all = counts_of("all pages");
  CHECK(first[0] + first[2] > 0);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == first[i] + second[i]);
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
