// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/timing_diagram.hpp"

#include <catch2/catch.hpp>

using namespace reconverge::specification;

namespace {

const TimingDiagram diagram{
    "spawn",
    "A spawn & its answer",
    {{"valid_i", true, {"0", "1", "1", "0"}}, {"pc_i", false, {std::nullopt, "40", "40", std::nullopt}}}};

}  // namespace

TEST_CASE("a timing diagram in WaveDrom's language") {
  CHECK(wave_json(diagram) ==
        "{\"signal\": [\n"
        "  {\"name\": \"clk\", \"wave\": \"p...\"},\n"
        "  {\"name\": \"valid_i\", \"wave\": \"01.0\"},\n"
        "  {\"name\": \"pc_i\", \"wave\": \"x=.x\", \"data\": [\"40\"]}\n"
        "], \"head\": {\"text\": \"A spawn & its answer\"}}\n");
}

TEST_CASE("a timing diagram as SVG has each signal and each value once") {
  const std::string svg = wave_svg(diagram);
  CHECK(svg.find("A spawn &amp; its answer") != std::string::npos);
  for (const char* text : {">clk<", ">valid_i<", ">pc_i<", ">40<"}) CHECK(svg.find(text) != std::string::npos);
  const std::string value = "text-anchor=\"middle\">40";
  CHECK(svg.find(value) == svg.rfind(value));
}

TEST_CASE("a value that is too long for its cycles is cut, with the whole in a tooltip") {
  const std::string svg = wave_svg({"x", "x", {{"d", false, {"0123456789abcdef0123"}}}});
  CHECK(svg.find("…<title>0123456789abcdef0123</title>") != std::string::npos);
}
