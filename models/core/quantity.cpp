// SPDX-License-Identifier: Apache-2.0
#include "models/core/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace reconverge {

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t scale;
};

constexpr std::uint64_t kibi = 1024;
constexpr std::uint64_t kilo = 1000;

constexpr std::array<Unit, 10> byte_units{{{"B", 1},
                                           {"KiB", kibi},
                                           {"MiB", kibi* kibi},
                                           {"GiB", kibi* kibi* kibi},
                                           {"TiB", kibi* kibi* kibi* kibi},
                                           {"kB", kilo},
                                           {"KB", kilo},
                                           {"MB", kilo* kilo},
                                           {"GB", kilo* kilo* kilo},
                                           {"TB", kilo* kilo* kilo* kilo}}};
constexpr std::size_t binary_byte_units = 5;
constexpr std::array<Unit, 4> frequency_units{
    {{"Hz", 1}, {"kHz", kilo}, {"MHz", kilo* kilo}, {"GHz", kilo* kilo* kilo}}};

constexpr std::string_view byte_hint = "write a size such as 48 KiB, in B, KiB, MiB, GiB, TiB, kB, MB, GB or TB";
constexpr std::string_view frequency_hint = "write a frequency such as 980 MHz, in Hz, kHz, MHz or GHz";
constexpr std::string_view count_hint = "write a whole number such as 32 or 1_000";
constexpr std::string_view cycles_hint = "write a whole number of cycles such as 30 or 30 cycles";
constexpr std::string_view ratio_hint = "write a number such as 0.5";

[[noreturn]] void refuse(std::string_view text, std::string_view problem, std::string_view hint) {
  throw QuantityError(fmt::format("'{}' {}", text, problem), std::string(hint));
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A decimal number in parts: `whole + fraction / denominator`, and the text after it.
struct Decimal {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  std::uint64_t denominator = 1;
  std::string_view unit;
};

/// Reads digits, which single underscores may group, from `text` at `position` on.
std::uint64_t read_digits(std::string_view text, std::size_t& position, std::string_view hint) {
  constexpr std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  if (position >= text.size() || !is_digit(text[position])) refuse(text, "is not a number", hint);
  std::uint64_t value = 0;
  for (; position < text.size(); ++position) {
    if (text[position] == '_' && position + 1 < text.size() && is_digit(text[position + 1])) continue;
    if (!is_digit(text[position])) break;
    const auto digit = static_cast<std::uint64_t>(text[position] - '0');
    if (value > (limit - digit) / 10) refuse(text, "is too large", hint);
    value = value * 10 + digit;
  }
  return value;
}

Decimal read_decimal(std::string_view text, std::string_view hint) {
  if (text.empty()) throw QuantityError("there is no value", std::string(hint));
  if (text.front() == '-') refuse(text, "is negative", hint);
  constexpr std::size_t most_decimals = 18;
  Decimal result;
  std::size_t position = 0;
  result.whole = read_digits(text, position, hint);
  if (position < text.size() && text[position] == '.') {
    const std::size_t start = ++position;
    const std::size_t end = std::min(text.size(), text.find_first_not_of("0123456789_", start));
    if (end - start > most_decimals) refuse(text, "has too many decimals", hint);
    result.fraction = read_digits(text, position, hint);
    for (std::size_t i = start; i < position; ++i) {
      if (text[i] != '_') result.denominator *= 10;
    }
  }
  result.unit = trim(text.substr(position));
  return result;
}

/// The number times `scale`; the result must be a whole number.
std::uint64_t scaled(std::string_view text, const Decimal& number, std::uint64_t scale, std::string_view base,
                     std::string_view hint) {
  const std::uint64_t common = std::gcd(number.denominator, scale);
  const std::uint64_t divisor = number.denominator / common;
  if (number.fraction % divisor != 0) refuse(text, fmt::format("is not a whole number of {}", base), hint);
  const std::uint64_t part = number.fraction / divisor * (scale / common);
  if (number.whole > (std::numeric_limits<std::uint64_t>::max() - part) / scale) refuse(text, "is too large", hint);
  return number.whole * scale + part;
}

std::uint64_t parse_with_unit(std::string_view text, std::span<const Unit> units, std::string_view base,
                              std::string_view hint) {
  text = trim(text);
  const Decimal number = read_decimal(text, hint);
  if (number.unit.empty()) refuse(text, "has no unit", hint);
  for (const Unit& unit : units) {
    if (unit.name == number.unit) return scaled(text, number, unit.scale, base, hint);
  }
  refuse(text, fmt::format("has the unit '{}'", number.unit), hint);
}

}  // namespace

std::uint64_t parse_count(std::string_view text) {
  text = trim(text);
  const Decimal number = read_decimal(text, count_hint);
  if (!number.unit.empty()) refuse(text, "is not a plain number", count_hint);
  return scaled(text, number, 1, "units", count_hint);
}

std::uint64_t parse_cycles(std::string_view text) {
  text = trim(text);
  const Decimal number = read_decimal(text, cycles_hint);
  if (!number.unit.empty() && number.unit != "cycles" && number.unit != "cycle") {
    refuse(text, fmt::format("has the unit '{}'", number.unit), cycles_hint);
  }
  return scaled(text, number, 1, "cycles", cycles_hint);
}

std::uint64_t parse_bytes(std::string_view text) { return parse_with_unit(text, byte_units, "bytes", byte_hint); }

std::uint64_t parse_frequency(std::string_view text) {
  return parse_with_unit(text, frequency_units, "hertz", frequency_hint);
}

double parse_ratio(std::string_view text) {
  text = trim(text);
  if (text.empty()) throw QuantityError("there is no value", std::string(ratio_hint));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) refuse(text, "is too large or too small", ratio_hint);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    refuse(text, "is not a number", ratio_hint);
  }
  return value;
}

bool parse_flag(std::string_view text) {
  text = trim(text);
  if (text == "true") return true;
  if (text != "false") refuse(text, "is neither true nor false", "write true or false");
  return false;
}

std::string format_count(std::uint64_t count) { return fmt::format("{}", count); }

std::string format_cycles(std::uint64_t cycles) {
  return fmt::format("{} {}", cycles, cycles == 1 ? "cycle" : "cycles");
}

std::string format_bytes(std::uint64_t bytes) {
  std::size_t unit = 0;
  while (unit + 1 < binary_byte_units && bytes != 0 && bytes % byte_units.at(unit + 1).scale == 0) ++unit;
  return fmt::format("{} {}", bytes / byte_units.at(unit).scale, byte_units.at(unit).name);
}

std::string format_frequency(std::uint64_t hertz) {
  std::size_t unit = 0;
  while (unit + 1 < frequency_units.size() && hertz >= frequency_units.at(unit + 1).scale) ++unit;
  const auto [name, scale] = frequency_units.at(unit);
  std::string number = format_count(hertz / scale);
  if (std::uint64_t rest = hertz % scale; rest != 0) {
    number += '.';
    for (std::uint64_t place = scale / 10; rest != 0; place /= 10) {
      number += static_cast<char>('0' + rest / place);
      rest %= place;
    }
  }
  return fmt::format("{} {}", number, name);
}

std::string format_ratio(double ratio) { return fmt::format("{}", ratio); }

std::string format_flag(bool flag) { return flag ? "true" : "false"; }

}  // namespace reconverge
