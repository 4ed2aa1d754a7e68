// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/element_type.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "models/core/quantity.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;

TEST_CASE("whole numbers may be decimal, hexadecimal, negative and grouped") {
  CHECK(parse_element(ElementType::u32, "42") == 42);
  CHECK(parse_element(ElementType::u32, "0xdead_beef") == 0xdeadbeef);
  CHECK(parse_element(ElementType::s32, "-1") == 0xffffffff);
  CHECK(parse_element(ElementType::s64, "-0x10") == 0xfffffffffffffff0);
  CHECK(parse_element(ElementType::u64, "1_000_000") == 1'000'000);
  for (const char* text : {"", "-", "0x", "1.5", "1e3", "12a", "_1", "1_", "x"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_element(ElementType::s32, text), QuantityError);
  }
}

TEST_CASE("each integer type accepts exactly its range") {
  struct Range {
    ElementType type;
    const char* least;
    const char* below;
    const char* most;
    const char* above;
  };
  const Range range = GENERATE(values<Range>({
      {ElementType::u8, "0", "-1", "255", "256"},
      {ElementType::s8, "-128", "-129", "127", "128"},
      {ElementType::u16, "0", "-1", "65535", "65536"},
      {ElementType::s16, "-32768", "-32769", "32767", "32768"},
      {ElementType::u32, "0", "-1", "4294967295", "4294967296"},
      {ElementType::s32, "-2147483648", "-2147483649", "2147483647", "2147483648"},
      {ElementType::u64, "0", "-1", "18446744073709551615", "18446744073709551616"},
      {ElementType::s64, "-9223372036854775808", "-9223372036854775809", "9223372036854775807", "9223372036854775808"},
  }));
  INFO(to_string(range.type));
  CHECK(format_element(range.type, parse_element(range.type, range.least)) == range.least);
  CHECK(format_element(range.type, parse_element(range.type, range.most)) == range.most);
  CHECK_THROWS_WITH(parse_element(range.type, range.below), Contains("out of range"));
  CHECK_THROWS_WITH(parse_element(range.type, range.above), Contains("out of range"));
}

TEST_CASE("a bit pattern accepts signed and unsigned numbers of its width") {
  CHECK(parse_element(ElementType::u32, "-1", Signedness::either) == 0xffffffff);
  CHECK(parse_element(ElementType::u32, "4294967295", Signedness::either) == 0xffffffff);
  CHECK_THROWS_AS(parse_element(ElementType::u32, "-2147483649", Signedness::either), QuantityError);
  CHECK_THROWS_AS(parse_element(ElementType::u32, "4294967296", Signedness::either), QuantityError);
}

TEST_CASE("floats are rounded once, and may be infinite, not a number, or given by their bits") {
  CHECK(parse_element(ElementType::f32, "0.1") == 0x3dcccccd);
  CHECK(parse_element(ElementType::f32, "-2e3") == std::bit_cast<std::uint32_t>(-2000.0F));
  CHECK(parse_element(ElementType::f32, "7") == std::bit_cast<std::uint32_t>(7.0F));
  CHECK(parse_element(ElementType::f32, "0f3F800000") == 0x3f800000);
  CHECK(parse_element(ElementType::f64, "0d3FF0000000000000") == 0x3ff0000000000000);
  CHECK(parse_element(ElementType::f32, "inf") == 0x7f800000);
  CHECK(parse_element(ElementType::f32, "-.inf") == 0xff800000);
  CHECK(std::isnan(float_value(ElementType::f64, parse_element(ElementType::f64, ".nan"))));
  // Rounding to the nearest subnormal, and of values below half of the smallest number.
  CHECK(parse_element(ElementType::f32, "1e-45") == 1);
  CHECK(parse_element(ElementType::f32, "-1e-60") == 0x80000000);
  for (const char* text : {"", "one", "1.5.2", "0x10", "1e"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_element(ElementType::f32, text), QuantityError);
  }
  CHECK_THROWS_WITH(parse_element(ElementType::f32, "1e39"), Contains("out of range"));
  CHECK_THROWS_WITH(parse_element(ElementType::f64, "-1e400"), Contains("out of range"));
  CHECK_THROWS_WITH(parse_element(ElementType::f16, "65520"), Contains("out of range"));
}

TEST_CASE("every half converts to double and back, and ties go to even") {
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    const double value = float_value(ElementType::f16, bits);
    if (std::isnan(value)) continue;
    REQUIRE(float_bits(ElementType::f16, value) == bits);
  }
  CHECK(float_bits(ElementType::f16, 1 + 0x1p-11) == 0x3c00);      // a tie: rounds down to even
  CHECK(float_bits(ElementType::f16, 1 + 3 * 0x1p-11) == 0x3c02);  // a tie: rounds up to even
  CHECK(float_bits(ElementType::f16, 1 + 0x1p-11 + 0x1p-30) == 0x3c01);
  CHECK(float_bits(ElementType::f16, 65519.99) == 0x7bff);
  CHECK(float_bits(ElementType::f16, -65520) == 0xfc00);
  CHECK(float_bits(ElementType::f16, 0x1p-25) == 0);  // a tie with the smallest number: rounds to even
  CHECK(float_bits(ElementType::f16, 0x1.8p-25) == 1);
  CHECK(float_bits(ElementType::f16, 0x1.ffep-15) == 0x3ff + 1);  // rounds up to the smallest normal number
}

TEST_CASE("formatted values parse back") {
  for (const double value : {0.1, -2.5e-3, 1e30, 3.0}) {
    for (const ElementType type : {ElementType::f32, ElementType::f64}) {
      const std::uint64_t bits = float_bits(type, value);
      CHECK(parse_element(type, format_element(type, bits)) == bits);
    }
  }
  CHECK(format_element(ElementType::s8, 0xff) == "-1");
  for (const std::string_view name : element_type_names()) CHECK(to_string(*element_type(name)) == name);
  CHECK_FALSE(element_type("float"));
}
