// SPDX-License-Identifier: Apache-2.0
/// Pictures of pages.

#include "platforms/reproduction/chart.hpp"

#include <catch2/catch.hpp>
#include <regex>

using namespace reconverge::reproduction;
using reconverge::sweep::Value;

namespace {

/// Heights of the centres of all dots, in order.
std::vector<double> dots(const std::string& svg) {
  std::vector<double> heights;
  const std::regex dot("<circle cx=\"[0-9.]+\" cy=\"([0-9.]+)\"");
  for (std::sregex_iterator each(svg.begin(), svg.end(), dot), end; each != end; ++each)
    heights.push_back(std::stod((*each)[1]));
  return heights;
}

}  // namespace

TEST_CASE("rows become series, and those of the paper are published") {
  const auto series =
      series_of({{"x", "s", "y"}, {{1.0, Value("a"), 2.0}, {1.0, Value("paper"), 3.0}, {2.0, Value("a"), Value()}}});
  REQUIRE(series.size() == 2);
  CHECK(series[0].points.size() == 2);
  CHECK(series[0].points[0].x == "1");
  CHECK_FALSE(series[0].points[1].y);
  CHECK_FALSE(series[0].published);
  CHECK(series[1].published);
}

TEST_CASE("lines are linear in their values") {
  const std::string svg =
      svg_of(Chart{"t", "x", "y", false, {{"a", false, {{"1", 0}, {"2", 5}, {"3", 10}}}, {"paper", true, {{"1", 5}}}}});
  const std::vector<double> heights = dots(svg);
  REQUIRE(heights.size() == 4);
  CHECK(heights[1] == Approx((heights[0] + heights[2]) / 2));
  CHECK(heights[3] == heights[1]);
  CHECK(heights[2] < heights[0]);
}

TEST_CASE("bars begin at zero, and texts are escaped") {
  const std::string svg = svg_of(Chart{"a < b", "x", "y", true, {{"a & b", false, {{"1", 5}, {"2", 10}}}}});
  CHECK_THAT(svg, Catch::Contains("a &lt; b") && Catch::Contains("a &amp; b"));
  std::vector<double> heights;
  const std::regex bar("height=\"([0-9.]+)\" fill=\"#1f5fa8\"><title>");
  for (std::sregex_iterator each(svg.begin(), svg.end(), bar), end; each != end; ++each)
    heights.push_back(std::stod((*each)[1]));
  REQUIRE(heights.size() == 2);
  CHECK(heights[1] == Approx(2 * heights[0]));
}

TEST_CASE("a chart without points is drawn") {
  CHECK_THAT(svg_of(Chart{"t", "x", "y", false, {}}), Catch::EndsWith("</svg>\n"));
}

TEST_CASE("figures outside their range are red") {
  Claim claim;
  claim.id = "c";
  claim.format = "number";
  for (const std::string name : {"in", "out", "no"})
    claim.parts.push_back({name, "2.5", 2.5, std::pair(1.0, 3.0), "", {}});
  const std::string svg = svg_of("claims", {{&claim, {Value(2.0), Value(4.0), Value()}, Verdict::not_measured, {}}});
  CHECK(dots(svg).size() == 2);
  CHECK_THAT(svg, Catch::Contains("#2f8a4c") && Catch::Contains("#c0392b") && Catch::Contains("- in 1 to 3"));
}

TEST_CASE("points of a scatter plot on the diagonal have equal axes") {
  const std::string svg =
      scatter_svg(Chart{"t", "x", "y", false, {{"a", false, {{"100", 100}}}, {"b", false, {{"1000", 10}, {"5", 0}}}}});
  CHECK_THAT(svg, Catch::Contains("1 a<") && Catch::Contains("2 b<") && Catch::Contains("10^3"));
  // From ten to a thousand: a is in the middle, and b in the right lower corner.
  CHECK(dots(svg) == std::vector<double>{220, 420});
}
