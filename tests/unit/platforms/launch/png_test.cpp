// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/png.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "scenes/files/picture.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;

namespace {

template <typename T>
scenes::Picture picture_of(ElementType type, const std::vector<std::uint64_t>& shape, const std::vector<T>& values) {
  check_png(type, shape);
  const std::string png = png_bytes(type, shape, std::as_bytes(std::span(values)));
  return scenes::decode_png({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()}, "a.png");
}

}  // namespace

TEST_CASE("one float a pixel is grey, from 0 to 1") {
  const std::vector<float> values{0.0F, 1.0F, 0.5F, -1.0F, 7.0F, std::numeric_limits<float>::quiet_NaN()};
  CHECK(picture_of(ElementType::f32, {2, 3}, values) ==
        scenes::Picture{3, 2, {0, 0, 0, 255, 255, 255, 128, 128, 128, 0, 0, 0, 255, 255, 255, 0, 0, 0}});
}

TEST_CASE("bytes are red, green and blue, and a fourth byte is ignored") {
  const std::vector<std::uint8_t> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  CHECK(picture_of(ElementType::u8, {1, 4, 3}, values) == scenes::Picture{4, 1, values});
  CHECK(picture_of(ElementType::u8, {1, 3, 4}, values) == scenes::Picture{3, 1, {1, 2, 3, 5, 6, 7, 9, 10, 11}});
}

TEST_CASE("the lowest byte of a word is used") {
  const std::vector<std::int32_t> values{0x1234'5678, -1};
  CHECK(picture_of(ElementType::s32, {1, 2}, values) == scenes::Picture{2, 1, {0x78, 0x78, 0x78, 255, 255, 255}});
}

TEST_CASE("the error for a file that is not a picture has the accepted formats") {
  const auto refusal = [](ElementType type, const std::vector<std::uint64_t>& shape, const std::string& part) {
    CHECK_THROWS_WITH(check_png(type, shape), Contains(part));
  };
  refusal(ElementType::f16, {2, 2}, "no elements of f16");
  refusal(ElementType::f32, {}, "the shape []");
  refusal(ElementType::f32, {2, 2, 2}, "[height, width, 4]");
  refusal(ElementType::f32, {2, 2, 3, 1}, "[height, width, 4]");
  refusal(ElementType::u8, {2, 0}, "0 x 2 pixels");
  refusal(ElementType::u8, {16385, 1}, "1 to 16384");
}
