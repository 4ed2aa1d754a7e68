// SPDX-License-Identifier: Apache-2.0
/// Conditions between parameters.

#include "platforms/sweep/condition.hpp"

#include <catch2/catch.hpp>

using namespace reconverge;
using namespace reconverge::sweep;
using Catch::Contains;

namespace {

const SourceLocation here{"space.yaml", 7, 5};

bool holds(const std::string& text, const Parameters& parameters) { return Condition(text, here).holds(parameters); }

}  // namespace

TEST_CASE("a condition compares quantities in base units, words and flags") {
  const Parameters point{{"gpu.sms", "15"},
                         {"gpu.l2.capacity", "1536 KiB"},
                         {"gpu.clock", "980 MHz"},
                         {"gpu.sm.scheme", "mimd"},
                         {"profile", "true"},
                         {"launches[0].block", "64"},
                         {"gpu.dram.latency", "300 cycles"}};
  CHECK(holds("gpu.sms * 2 = 30", point));
  CHECK_FALSE(holds("gpu.sms * 2 > 30", point));
  CHECK(holds("gpu.l2.capacity = 1572864", point));
  CHECK(holds("gpu.clock >= 980e6", point));
  CHECK(holds("gpu.dram.latency between 300 and 301", point));
  CHECK(holds("gpu.sm.scheme = 'mimd'", point));
  CHECK(holds("gpu.sm.scheme in ('mimd', 'raytrace')", point));
  CHECK_FALSE(holds("gpu.sm.scheme like 'dynamic%'", point));
  CHECK(holds("profile", point));
  CHECK_FALSE(holds("not profile", point));
  CHECK(holds("launches[0].block = 64", point));
  CHECK(holds("gpu.sms > 100 or max(gpu.sms, 3) = 15", point));
  CHECK_FALSE(holds("gpu.sm.scheme = 'gpu.sms'", point));  // a text is no path
}

TEST_CASE("paths of a condition are listed once each") {
  CHECK(Condition("gpu.sms * gpu.sms < width and height > 1", here).paths() ==
        std::vector<std::string>{"gpu.sms", "width", "height"});
}

TEST_CASE("a wrong condition is refused with its location") {
  CHECK_THROWS_WITH(Condition("1 < 2", here), Contains("space.yaml:7:5") && Contains("names no parameter"));
  CHECK_THROWS_WITH(holds("gpu.sms >< 3", {{"gpu.sms", "1"}}), Contains("space.yaml:7:5") && Contains("syntax error"));
  CHECK_THROWS_WITH(holds("gpu.sms = mimd", {{"gpu.sms", "1"}}), Contains("there is no parameter mimd"));
  CHECK_THROWS_WITH(holds("gpu.sms; DROP TABLE x", {{"gpu.sms", "1"}, {"DROP", "1"}, {"TABLE", "1"}, {"x", "1"}}),
                    Contains("space.yaml:7:5"));
}
