// SPDX-License-Identifier: Apache-2.0
/// The text of golden vectors.

#include "models/cosim/twin/golden_vectors.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace reconverge::twin;

namespace {

constexpr std::array<std::string_view, 3> ports{"up_i", "count_o", "words_o"};

}  // namespace

TEST_CASE("a line of golden vectors has each input, and the value and valid bits of each output") {
  VectorText lines(ports);
  lines.set({"up_i", 1}, 1);
  lines.set({"count_o", 12}, 0xabc);
  lines.end_line();
  CHECK(lines.text() == "1 abc fff 0 0\n");
}

TEST_CASE("values have positions in the field of their port, and bits that were not set are not valid") {
  VectorText lines(ports);
  lines.set({"words_o", 32, 1}, 0x1234'5678);
  lines.set({"count_o", 4, 2}, 0x7f);
  lines.end_line();
  CHECK(lines.text() == "0 f00 f00 1234567800000000 ffffffff00000000\n");
}

TEST_CASE("a line of golden vectors does not depend on the line before it") {
  VectorText lines(ports);
  lines.set({"words_o", 32, 3}, 5);
  lines.end_line();
  lines.set({"words_o", 32, 0}, 6);
  lines.end_line();
  CHECK(lines.text() == "0 0 0 5000000000000000000000000 ffffffff000000000000000000000000\n0 0 0 6 ffffffff\n");
}
