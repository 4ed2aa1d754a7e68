// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/picture.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

TEST_CASE("Tone mapping matches values calculated by hand") {
  CHECK(tone_map(0.0F) == 0);
  CHECK(tone_map(0.25F) == 128);
  CHECK(tone_map(1.0F) == 255);
  CHECK(tone_map(7.0F) == 255);
  CHECK(tone_map(-1.0F) == 0);
  CHECK(tone_map(INFINITY) == 255);
  CHECK(tone_map(NAN) == 0);
}

TEST_CASE("A picture is read from PNG as it was written") {
  const std::vector<float> linear{0.0F, 0.25F, 1.0F, 0.5F, 0.1F, 2.0F};
  const Picture picture = develop(linear, 2, 1);
  CHECK(picture.rgb == std::vector<std::uint8_t>{0, 128, 255, 180, 81, 255});
  const auto bytes = encode_png(picture);
  REQUIRE(bytes.size() > 8);
  CHECK(bytes[1] == 'P');
  CHECK(decode_png(bytes, "memory") == picture);
  CHECK(develop(linear, 1, 2, 4.0F).rgb[1] == 255);
}

TEST_CASE("Bytes that are not a picture are refused") {
  const std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
  CHECK(refusal([&] { decode_png(bytes, "noise.png"); }).find("noise.png") != std::string::npos);
  const std::vector<float> five(5);
  CHECK_THROWS_AS(develop(five, 2, 1), std::invalid_argument);
}
