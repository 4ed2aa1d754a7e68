// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/element_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "models/core/quantity.hpp"

namespace reconverge::launch {

namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in memory");

constexpr std::array<std::string_view, 11> type_names{"u8",  "u16", "u32", "u64", "s8", "s16",
                                                      "s32", "s64", "f16", "f32", "f64"};

[[noreturn]] void refuse(ElementType type, std::string_view text, std::string_view problem) {
  throw QuantityError(fmt::format("'{}' {}", text, problem),
                      fmt::format("write a number of the type {}, for instance {}", to_string(type),
                                  is_float(type)    ? "0.5, -2e3, inf or nan"
                                  : is_signed(type) ? "42, -7 or 0x2a"
                                                    : "42 or 0x2a"));
}

/// Removes the underscores that group digits; each must be between two digits.
std::string ungrouped(ElementType type, std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
      continue;
    }
    const bool between = i != 0 && i + 1 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i - 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0;
    if (!between) refuse(type, text, "is not a number");
  }
  return plain;
}

std::uint64_t parse_whole(ElementType type, std::string_view text, Signedness signedness) {
  const std::string plain = ungrouped(type, text);
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hexadecimal ? 16 : 10);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    refuse(type, text, "is not a whole number");
  }
  const unsigned bits = 8 * bytes_of(type);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const bool either = signedness == Signedness::either;
  const std::uint64_t most = is_signed(type) && !either ? half - 1 : half - 1 + half;
  const std::uint64_t least = is_signed(type) || either ? half : 0;
  if (error == std::errc::result_out_of_range || magnitude > (negative ? least : most)) {
    const std::string lowest = least == 0 ? "0" : fmt::format("-{}", least);
    throw QuantityError(fmt::format("'{}' is out of range for {}", text, to_string(type)),
                        fmt::format("it goes from {} to {}", lowest, most));
  }
  const std::uint64_t value = negative ? 0 - magnitude : magnitude;
  return value & (half - 1 + half);
}

/// The value of the text, rounded once to T; values that are too small become zero. `overflow` is set if the text is
/// too large.
template <typename T>
bool read_float(std::string_view text, T& value, bool& overflow) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return false;
  if (error != std::errc::result_out_of_range) return true;
  // The library does not distinguish too large from too small; long double has a larger range than both types.
  long double wide = 0;
  const auto again = std::from_chars(text.data(), end, wide);
  overflow =
      again.ec == std::errc::result_out_of_range ? text.find("e-") == std::string_view::npos : std::abs(wide) > 1;
  value = text.starts_with('-') ? T{-0.0} : T{0};
  if (again.ec == std::errc{} && !overflow) value = static_cast<T>(wide);
  return true;
}

/// 0f and eight digits, or 0d and sixteen.
std::optional<std::uint64_t> parse_float_bits(ElementType type, std::string_view text) {
  const std::string_view prefix = type == ElementType::f32 ? "0f" : "0d";
  if (type == ElementType::f16 || !text.starts_with(prefix) || text.size() != 2 + 2 * bytes_of(type)) return {};
  std::uint64_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, bits, 16);
  if (stop != end || error != std::errc{}) return {};
  return bits;
}

/// In the library's format: lower case, without plus, and without the dot of YAML's .inf and .nan.
std::string plain_float(ElementType type, std::string_view text) {
  std::string plain = ungrouped(type, text);
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (plain.starts_with('+')) plain.erase(0, 1);
  for (const std::string_view word : {".inf", ".nan"}) {
    if (plain.ends_with(word)) plain.erase(plain.size() - word.size(), 1);
  }
  return plain;
}

std::uint64_t parse_float(ElementType type, std::string_view text) {
  if (const auto bits = parse_float_bits(type, text)) return *bits;
  const std::string digits = plain_float(type, text);
  bool overflow = false;
  bool read = false;
  std::uint64_t bits = 0;
  if (type == ElementType::f32) {
    float value = 0;
    read = read_float(digits, value, overflow);
    bits = std::bit_cast<std::uint32_t>(value);
  } else {
    double value = 0;
    read = read_float(digits, value, overflow);
    bits = float_bits(type, value);
    overflow = overflow || (std::isfinite(value) && !std::isfinite(float_value(type, bits)));
  }
  if (!read) refuse(type, text, "is not a number");
  if (overflow) {
    throw QuantityError(fmt::format("'{}' is out of range for {}", text, to_string(type)),
                        "write inf if that is meant");
  }
  return bits;
}

constexpr int half_fraction_bits = 10;
constexpr int half_lowest_exponent = -14;  // of a normal number
constexpr std::uint64_t half_infinity = 0x7c00;
constexpr std::uint64_t half_nan = 0x7e00;
constexpr std::uint64_t half_sign = 0x8000;

std::uint64_t to_half(double value) {
  const std::uint64_t sign = std::signbit(value) ? half_sign : 0;
  if (std::isnan(value)) return sign | half_nan;
  const double magnitude = std::abs(value);
  if (magnitude >= 65520) return sign | half_infinity;  // halfway from the largest number to the next
  // In units of the last place; exact, as both are a power of two times an integer of 53 bits.
  const int exponent = magnitude == 0 ? half_lowest_exponent : std::max(std::ilogb(magnitude), half_lowest_exponent);
  const auto units = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, half_fraction_bits - exponent)));
  // The hidden bit adds one to the exponent, and so does rounding up to the next power of two.
  const auto biased = static_cast<std::uint64_t>(exponent - half_lowest_exponent) << half_fraction_bits;
  return sign | (biased + units);
}

double from_half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> half_fraction_bits & 0x1fU);
  const auto fraction = static_cast<double>(bits & 0x3ffU);
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, half_lowest_exponent - half_fraction_bits);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 1 + half_lowest_exponent - half_fraction_bits);
  }
  return (bits & half_sign) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::string_view to_string(ElementType type) { return type_names.at(static_cast<std::size_t>(type)); }

std::optional<ElementType> element_type(std::string_view name) {
  const auto* const found = std::find(type_names.begin(), type_names.end(), name);
  if (found == type_names.end()) return {};
  return static_cast<ElementType>(found - type_names.begin());
}

std::span<const std::string_view> element_type_names() { return type_names; }

unsigned bytes_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
    case ElementType::s8:
      return 1;
    case ElementType::u16:
    case ElementType::s16:
    case ElementType::f16:
      return 2;
    case ElementType::u32:
    case ElementType::s32:
    case ElementType::f32:
      return 4;
    default:
      return 8;
  }
}

bool is_float(ElementType type) { return type >= ElementType::f16; }

bool is_signed(ElementType type) { return type >= ElementType::s8 && type <= ElementType::s64; }

std::uint64_t parse_element(ElementType type, std::string_view text, Signedness signedness) {
  return is_float(type) ? parse_float(type, text) : parse_whole(type, text, signedness);
}

std::string format_element(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::f32:
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::f16:
    case ElementType::f64:
      return fmt::format("{}", float_value(type, bits));
    default:
      break;
  }
  if (!is_signed(type)) return fmt::format("{}", bits);
  const unsigned unused = 64 - 8 * bytes_of(type);
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

std::uint64_t load_element(ElementType type, const std::byte* place) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, place, bytes_of(type));
  return bits;
}

void store_element(ElementType type, std::byte* place, std::uint64_t bits) {
  std::memcpy(place, &bits, bytes_of(type));
}

double float_value(ElementType type, std::uint64_t bits) {
  if (type == ElementType::f16) return from_half(bits);
  if (type == ElementType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

std::uint64_t float_bits(ElementType type, double value) {
  if (type == ElementType::f16) return to_half(value);
  if (type == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace reconverge::launch
