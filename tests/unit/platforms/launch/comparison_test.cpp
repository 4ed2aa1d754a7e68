// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/comparison.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace reconverge::launch;

namespace {

std::vector<std::byte> bytes_of_texts(ElementType type, const std::vector<const char*>& texts) {
  std::vector<std::byte> bytes(texts.size() * bytes_of(type));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    store_element(type, bytes.data() + i * bytes_of(type), parse_element(type, texts[i]));
  }
  return bytes;
}

Comparison compare_texts(ElementType type, const std::vector<const char*>& got,
                         const std::vector<const char*>& expected, const Tolerance& tolerance = {}) {
  return compare(type, bytes_of_texts(type, got), bytes_of_texts(type, expected), tolerance);
}

bool agrees(ElementType type, const char* got, const char* expected, const Tolerance& tolerance = {}) {
  return compare_texts(type, {got}, {expected}, tolerance).agrees();
}

}  // namespace

TEST_CASE("without tolerance values must be equal, and both zeros and two NaN count as equal") {
  for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::f64}) {
    INFO(to_string(type));
    CHECK(agrees(type, "1.5", "1.5"));
    CHECK_FALSE(agrees(type, "1.5", "1.625"));
    CHECK(agrees(type, "-0", "0"));
    CHECK(agrees(type, "nan", "-nan"));
    CHECK(agrees(type, "-inf", "-inf"));
    CHECK_FALSE(agrees(type, "inf", "-inf"));
  }
}

TEST_CASE("no tolerance accepts NaN or infinity in place of a number") {
  const Tolerance generous{1e300, 1e300, ~std::uint64_t{0} - 1};
  CHECK_FALSE(agrees(ElementType::f32, "nan", "1", generous));
  CHECK_FALSE(agrees(ElementType::f32, "1", "nan", generous));
  CHECK_FALSE(agrees(ElementType::f32, "inf", "1", generous));
  CHECK_FALSE(agrees(ElementType::f32, "1", "inf", generous));
  CHECK_FALSE(agrees(ElementType::f32, "inf", "0", generous));
}

TEST_CASE("each tolerance is sufficient up to its limit") {
  CHECK(agrees(ElementType::f64, "1.25", "1", {0.25, 0, 0}));
  CHECK_FALSE(agrees(ElementType::f64, "1.2500001", "1", {0.25, 0, 0}));
  CHECK(agrees(ElementType::f64, "-5", "-4", {0, 0.25, 0}));
  CHECK_FALSE(agrees(ElementType::f64, "-4", "-5", {0, 0.19, 0}));
  CHECK_FALSE(agrees(ElementType::f64, "1e-30", "0", {0, 0.5, 0}));
  CHECK(agrees(ElementType::f32, "0f3F800002", "1", {0, 0, 2}));
  CHECK_FALSE(agrees(ElementType::f32, "0f3F800003", "1", {0, 0, 2}));
  // The smallest positive and the smallest negative number differ by two units.
  CHECK(agrees(ElementType::f32, "0f00000001", "0f80000001", {0, 0, 2}));
  CHECK_FALSE(agrees(ElementType::f32, "0f00000001", "0f80000001", {0, 0, 1}));
  CHECK(agrees(ElementType::f16, "1.0009765625", "1", {0, 0, 1}));
}

TEST_CASE("whole numbers are compared exactly, with all 64 bits") {
  CHECK(agrees(ElementType::s32, "-3", "-1", {2, 0, 0}));
  CHECK_FALSE(agrees(ElementType::s32, "-3", "0", {2, 0, 0}));
  CHECK(agrees(ElementType::u8, "255", "250", {5, 0, 0}));
  CHECK_FALSE(agrees(ElementType::u8, "255", "0", {254, 0, 0}));
  CHECK_FALSE(agrees(ElementType::u64, "18446744073709551615", "18446744073709551614"));
  CHECK(agrees(ElementType::s64, "-100", "-110", {0, 0.1, 0}));
}

TEST_CASE("differences are counted and measured, and the first are stored in order") {
  std::vector<const char*> got(40, "1");
  std::vector<const char*> expected(40, "1");
  for (std::size_t i = 3; i < 40; i += 2) got[i] = "2";
  got[39] = "-7";
  const Comparison result = compare_texts(ElementType::f32, got, expected);
  CHECK_FALSE(result.agrees());
  CHECK(result.values == 40);
  CHECK(result.differing == 19);
  CHECK(result.largest_absolute == 8);
  CHECK(result.largest_relative == 8);
  REQUIRE(result.first.size() == Comparison::most_examples);
  CHECK(result.first.front().index == 3);
  CHECK(result.first.front().got == "2");
  CHECK(result.first.front().expected == "1");
  CHECK(result.first.back().index == 21);
  CHECK(std::isinf(compare_texts(ElementType::f32, {"1"}, {"0"}).largest_relative));
  CHECK(compare_texts(ElementType::f32, {}, {}).agrees());
}
