// SPDX-License-Identifier: Apache-2.0
/// Numbers and queries in texts.

#include "platforms/reproduction/text.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"

using namespace reconverge;
using namespace reconverge::reproduction;
using sweep::Value;

TEST_CASE("formats round, and leave out zeros at the end") {
  CHECK(formatted(Value(1.796), "number") == "1.8");
  CHECK(formatted(Value(1.0), "number") == "1");
  CHECK(formatted(Value(-0.001), "number") == "0");
  CHECK(formatted(Value(0.81037), "percent") == "81 %");
  CHECK(formatted(Value(0.3990), "percent") == "39.9 %");
  CHECK(formatted(Value(160.23), "in_percent") == "160.2 %");
  CHECK(formatted(Value(1234567.6), "count") == "1234568");
  CHECK(formatted(Value(std::int64_t{7}), "places3") == "7");
  CHECK(formatted(Value(1.04449), "places3") == "1.044");
  CHECK(formatted(Value(1.0), "holds") == "holds");
  CHECK(formatted(Value(std::int64_t{0}), "holds") == "does not hold");
  CHECK(formatted(Value(), "number") == "-");
  CHECK(formatted(Value("word"), "count") == "word");
}

TEST_CASE("queries of a text are replaced by their answers") {
  const Ask ask = [](const std::string& query, const SourceLocation& /*location*/) {
    if (query == "SELECT none") return sweep::Answer{{"a"}, {}};
    if (query == "SELECT x FROM rows") return sweep::Answer{{"x"}, {{0.25}, {0.5}}};
    if (query == "SELECT empty") return sweep::Answer{{"x"}, {{Value("")}}};
    return sweep::Answer{{"x"}, {{Value(query)}}};
  };
  CHECK(filled("no query", {}, ask) == "no query");
  CHECK(filled("a{{text: empty}}b", {}, ask) == "ab");
  CHECK(filled("{{percent: x FROM rows}} of all", {}, ask) == "25 %, 50 % of all");
  CHECK(filled("a {{text: y}}{{count:\n  none}}", {}, ask) == "a SELECT y-");
}

TEST_CASE("a query without end, and an unknown format, are refused") {
  const SourceLocation location{"page.yaml", 3, 1};
  CHECK_THROWS_WITH(queries_in("{{number: 1", location), Catch::StartsWith("page.yaml:3:1: a query in a text"));
  CHECK_THROWS_WITH(queries_in("{{ratio: 1}}", location), Catch::Contains("there is no format `ratio`"));
}

TEST_CASE("columns of numbers are right-aligned") {
  CHECK(markdown_table({"a", "b"}, {"text", "number"}, {{"x", "1"}}) == "| a | b |\n|---|--:|\n| x | 1 |\n");
}

TEST_CASE("lines that end no sentence are joined") {
  CHECK(unwrapped("# A heading\n\nOne sentence\nin two lines.\nAnother one:\n\n- an item\n  that goes on\n- (a "
                  "second\n  one.)\n") ==
        "# A heading\n\nOne sentence in two lines.\nAnother one:\n\n- an item that goes on\n- (a second one.)");
  CHECK(unwrapped("text\n\n    code a\n    code b\n") == "text\n\n    code a\n    code b");
  CHECK(unwrapped("| a |\n| b |\ntext\n![p](p.svg)") == "| a |\n| b |\ntext\n![p](p.svg)");
  CHECK(unwrapped("It is **so.**\nNext") == "It is **so.**\nNext");
}
