// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/generate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "models/core/quantity.hpp"

namespace reconverge::launch {

namespace {

template <typename Bits>
std::vector<std::byte> elements(ElementType type, std::uint64_t count, Bits&& bits_at) {
  const unsigned bytes = bytes_of(type);
  std::vector<std::byte> result(count * bytes);
  for (std::uint64_t i = 0; i < count; ++i) store_element(type, result.data() + i * bytes, bits_at(i));
  return result;
}

std::int64_t sign_extended(ElementType type, std::uint64_t bits) {
  const unsigned unused = 64 - 8 * bytes_of(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double finite(ElementType type, std::string_view text) {
  const double value = float_value(type, parse_element(type, text));
  if (!std::isfinite(value)) {
    throw QuantityError(fmt::format("'{}' is not finite", text), "write a finite number");
  }
  return value;
}

/// Whether start + step * last is a number of the type; then all values between are, too.
bool ends_in_range(ElementType type, std::uint64_t start, std::int64_t step, std::uint64_t last) {
  std::int64_t way = 0;
  if (__builtin_mul_overflow(step, last, &way)) return false;
  const unsigned unused = 64 - 8 * bytes_of(type);
  if (is_signed(type)) {
    std::int64_t end = 0;
    return !__builtin_add_overflow(sign_extended(type, start), way, &end) &&
           end <= std::numeric_limits<std::int64_t>::max() >> unused &&
           end >= std::numeric_limits<std::int64_t>::min() >> unused;
  }
  std::uint64_t end = 0;
  return !__builtin_add_overflow(start, way, &end) && end <= std::numeric_limits<std::uint64_t>::max() >> unused;
}

/// The upper half of a 128-bit product.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffffffffU;
  const std::uint64_t a_high = a >> 32U;
  const std::uint64_t b_low = b & 0xffffffffU;
  const std::uint64_t b_high = b >> 32U;
  const std::uint64_t middle = a_high * b_low + (a_low * b_low >> 32U);
  const std::uint64_t carry = (middle & 0xffffffffU) + a_low * b_high;
  return a_high * b_high + (middle >> 32U) + (carry >> 32U);
}

}  // namespace

std::vector<std::byte> filled(ElementType type, std::uint64_t count, std::uint64_t bits) {
  return elements(type, count, [&](std::uint64_t) { return bits; });
}

std::vector<std::byte> ranged(ElementType type, std::uint64_t count, std::string_view start, std::string_view step) {
  if (is_float(type)) {
    const double first = finite(type, start);
    const double distance = finite(ElementType::f64, step);
    return elements(type, count,
                    [&](std::uint64_t i) { return float_bits(type, first + static_cast<double>(i) * distance); });
  }
  const std::uint64_t first = parse_element(type, start);
  const auto distance = static_cast<std::int64_t>(parse_element(ElementType::s64, step));
  if (count != 0 && !ends_in_range(type, first, distance, count - 1)) {
    throw QuantityError(
        fmt::format("{} values from {} in steps of {} leave the range of {}", count, start, step, to_string(type)),
        "take a smaller step, fewer values or a wider type");
  }
  return elements(type, count, [&](std::uint64_t i) { return first + static_cast<std::uint64_t>(distance) * i; });
}

std::vector<std::byte> randomised(ElementType type, std::uint64_t count, std::uint64_t seed, std::string_view from,
                                  std::string_view to) {
  const auto refuse = [&] {
    throw QuantityError(fmt::format("there is no number from {} to {}", from, to), "write the smaller number first");
  };
  if (is_float(type)) {
    const double low = finite(type, from);
    const double width = finite(type, to) - low;
    if (width < 0) refuse();
    return elements(type, count, [&](std::uint64_t i) {
      const double share = static_cast<double>(random_bits(seed, i) >> 11U) * 0x1p-53;
      return float_bits(type, low + width * share);
    });
  }
  const std::uint64_t low = parse_element(type, from);
  const std::uint64_t high = parse_element(type, to);
  if (is_signed(type) ? sign_extended(type, high) < sign_extended(type, low) : high < low) refuse();
  const std::uint64_t width =
      static_cast<std::uint64_t>(sign_extended(type, high)) - static_cast<std::uint64_t>(sign_extended(type, low));
  const std::uint64_t values = (is_signed(type) ? width : high - low) + 1;  // zero: every 64-bit number
  return elements(type, count, [&](std::uint64_t i) {
    const std::uint64_t random = random_bits(seed, i);
    return low + (values == 0 ? random : multiply_high(random, values));
  });
}

}  // namespace reconverge::launch
