// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/generate.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <set>

#include "models/core/quantity.hpp"

using namespace reconverge;
using namespace reconverge::launch;

namespace {

template <typename T>
std::vector<T> values(const std::vector<std::byte>& bytes) {
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

TEST_CASE("random bits match SplitMix64") {
  // The first numbers for seed 0, from published implementations.
  CHECK(random_bits(0, 0) == 0xe220a8397b1dcdafU);
  CHECK(random_bits(0, 1) == 0x6e789e6aa1b965f4U);
  CHECK(random_bits(0, 2) == 0x06c45d188009454fU);
}

TEST_CASE("random elements are the same on every host") {
  CHECK(values<std::int32_t>(randomised(ElementType::s32, 8, 7, "-10", "10")) ==
        std::vector<std::int32_t>{-2, -10, 8, 2, -1, -5, -1, -4});
  CHECK(values<std::uint32_t>(randomised(ElementType::f32, 4, 7, "-1", "1")) ==
        std::vector<std::uint32_t>{0xbe61a0f1, 0xbf776786, 0x3f4d3081, 0x3e29d75c});
  CHECK(values<std::uint64_t>(randomised(ElementType::u64, 1, 7, "0", "0xffffffffffffffff")).front() ==
        random_bits(7, 0));
  CHECK(randomised(ElementType::f64, 100, 1, "0", "1") != randomised(ElementType::f64, 100, 2, "0", "1"));
}

TEST_CASE("random whole numbers have exactly the values of their range") {
  const auto bytes = values<std::uint8_t>(randomised(ElementType::u8, 4000, 1, "250", "255"));
  CHECK(std::set<std::uint8_t>(bytes.begin(), bytes.end()) == std::set<std::uint8_t>{250, 251, 252, 253, 254, 255});
  const auto wide =
      values<std::int64_t>(randomised(ElementType::s64, 1000, 1, "-9223372036854775808", "9223372036854775807"));
  CHECK(std::any_of(wide.begin(), wide.end(), [](std::int64_t value) { return value < 0; }));
  CHECK(std::any_of(wide.begin(), wide.end(), [](std::int64_t value) { return value > 0; }));
  CHECK(values<std::int8_t>(randomised(ElementType::s8, 2, 1, "-3", "-3")) == std::vector<std::int8_t>{-3, -3});
}

TEST_CASE("random floats are in their range and cover it") {
  const auto floats = values<float>(randomised(ElementType::f32, 10000, 3, "2", "4"));
  std::array<int, 4> quarters{};
  for (const float value : floats) {
    REQUIRE(value >= 2.0F);
    REQUIRE(value <= 4.0F);
    ++quarters.at(std::min<std::size_t>(3, static_cast<std::size_t>((value - 2.0F) * 2.0F)));
  }
  for (const int count : quarters) CHECK(std::abs(count - 2500) < 200);
}

TEST_CASE("a range counts up or down by its step") {
  CHECK(values<std::uint16_t>(ranged(ElementType::u16, 3, "5", "-2")) == std::vector<std::uint16_t>{5, 3, 1});
  CHECK(values<std::int8_t>(ranged(ElementType::s8, 3, "126", "-127")) == std::vector<std::int8_t>{126, -1, -128});
  CHECK(values<float>(ranged(ElementType::f32, 4, "0.5", "-0.25")) == std::vector<float>{0.5F, 0.25F, 0.0F, -0.25F});
  CHECK(values<std::uint64_t>(ranged(ElementType::u64, 2, "18446744073709551614", "1")) ==
        std::vector<std::uint64_t>{18446744073709551614U, 18446744073709551615U});
  CHECK(ranged(ElementType::u8, 0, "255", "1").empty());
  CHECK(values<std::uint32_t>(filled(ElementType::u32, 3, 9)) == std::vector<std::uint32_t>{9, 9, 9});
}

TEST_CASE("a range that exceeds its type, and invalid ranges of random numbers, are refused") {
  CHECK_THROWS_AS(ranged(ElementType::u8, 257, "0", "1"), QuantityError);
  CHECK_THROWS_AS(ranged(ElementType::u32, 2, "0", "-1"), QuantityError);
  CHECK_THROWS_AS(ranged(ElementType::s16, 3, "32766", "1"), QuantityError);
  CHECK_THROWS_AS(ranged(ElementType::u64, 2, "18446744073709551615", "1"), QuantityError);
  CHECK_THROWS_AS(ranged(ElementType::s64, 1000, "0", "9223372036854775807"), QuantityError);
  CHECK_THROWS_AS(ranged(ElementType::f32, 3, "nan", "1"), QuantityError);
  CHECK_THROWS_AS(randomised(ElementType::u8, 1, 1, "0", "256"), QuantityError);
  CHECK_THROWS_AS(randomised(ElementType::s32, 1, 1, "3", "-3"), QuantityError);
  CHECK_THROWS_AS(randomised(ElementType::f32, 1, 1, "1", "0"), QuantityError);
  CHECK_THROWS_AS(randomised(ElementType::f32, 1, 1, "0", "inf"), QuantityError);
}
