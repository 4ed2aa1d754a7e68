// SPDX-License-Identifier: Apache-2.0
#include "tests/device/form_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace reconverge::tests {

namespace {

using contract::Form;
using kernel::DataType;

constexpr std::size_t slice_bytes = 64;
constexpr std::size_t pool_size = 24;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t read(const std::vector<std::byte>& bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, count);
  return value;
}

bool says(const Form& form, std::string_view word) {
  return std::find(form.modifiers.begin(), form.modifiers.end(), word) != form.modifiers.end();
}

bool is_approximation(const Form& form) { return says(form, "approx") || says(form, "full"); }

double sine_tolerance(double operand) {
  if (std::abs(operand) <= 2 * std::numbers::pi) return std::exp2(-20.5);
  return std::abs(operand) <= 100 * std::numbers::pi ? std::exp2(-14.7) : infinity;
}

/// The position of the value of the format that contains the byte, if it is a NaN in both.
bool both_nan(const FloatFormat& format, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
              std::size_t byte) {
  const auto bytes = static_cast<std::size_t>(format.bits() / 8);
  const std::size_t first = byte / bytes * bytes;
  return std::isnan(format.value(read(a, first, bytes))) && std::isnan(format.value(read(b, first, bytes)));
}

/// The approximate results at the start of the slice; the parts of a packed result are separate.
bool approximations_agree(const Form& form, const device::Buffers& expected, const device::Buffers& found,
                          std::size_t thread) {
  const FloatFormat format = format_of(form.types.front());
  const std::size_t size = kernel::bytes_of(form.types.front());
  const auto part = static_cast<std::size_t>(format.bits() / 8);
  // As the kernel selects its operands from the pool, which is the first buffer.
  const std::size_t a = 8 * (thread % pool_size);
  const std::size_t b = 8 * (thread / pool_size);
  bool agree = true;
  for (std::size_t at = 0; at < size; at += part) {
    const double nearest = format.value(read(expected[1], slice_bytes * thread + at, part));
    const double other = format.value(read(found[1], slice_bytes * thread + at, part));
    if (std::isnan(nearest) || std::isinf(nearest)) {
      agree = agree && (std::isnan(nearest) ? std::isnan(other) : nearest == other);
      continue;
    }
    const double allowed = tolerance(form, format.value(read(expected[0], a + at, part)),
                                     format.value(read(expected[0], b + at, part)), nearest);
    agree = agree && !std::isnan(other) && std::abs(other - nearest) <= allowed;
  }
  return agree;
}

}  // namespace

double FloatFormat::value(std::uint64_t bits) const {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const int top = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & top;
  const int bias = top / 2;
  double size = 0;
  if (exponent == top) {
    size = fraction == 0 ? infinity : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(static_cast<double>(fraction), 1 - bias - fraction_bits);
  } else {
    size =
        std::ldexp(static_cast<double>(fraction | std::uint64_t{1} << fraction_bits), exponent - bias - fraction_bits);
  }
  return (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -size : size;
}

double FloatFormat::unit_at(double value) const {
  const int smallest = 2 - (1 << (exponent_bits - 1));
  const int exponent = value == 0 ? smallest : std::max(std::ilogb(value), smallest);
  return std::ldexp(1.0, exponent - fraction_bits);
}

FloatFormat format_of(DataType type) {
  switch (type) {
    case DataType::f16:
    case DataType::f16x2:
      return {5, 10};
    case DataType::bf16:
    case DataType::bf16x2:
      return {8, 7};
    case DataType::f32:
    case DataType::f32x2:
      return {8, 23};
    case DataType::f64:
      return {11, 52};
    default:
      throw std::invalid_argument("no floating type");
  }
}

double tolerance(const Form& form, double a, double b, double nearest) {
  if (!is_approximation(form)) return 0;
  const FloatFormat format = format_of(form.types.front());
  const std::string_view name = form.rule->mnemonic;
  const double unit = format.unit_at(nearest);
  // The stated errors are relative to the exact result, which differs from `nearest` by at most half a unit; values
  // below the smallest subnormal cannot be told apart.
  const double rounding = unit / 2;
  const double size = std::abs(nearest);
  const bool single = format.bits() == 32;
  if (name == "div") {
    const bool in_range = says(form, "full") || b == 0 || std::abs(b) >= std::exp2(-126);
    return in_range ? 2 * unit + rounding : infinity;
  }
  if (name == "sin" || name == "cos") return sine_tolerance(a) + rounding;
  if (name == "lg2") return std::exp2(-22) * (a > 0.5 && a < 2 ? 1 : size) + rounding;
  if (name == "tanh" && single) return size * std::exp2(-11) + rounding;
  if (name == "tanh") return std::exp2(format.fraction_bits == 10 ? -10.987 : -8) + rounding;
  if (name == "ex2") {
    if (single) return 2 * unit + rounding;
    return size * std::exp2(format.fraction_bits == 10 ? -9.9 : -7) + rounding;
  }
  if (format.bits() == 64) return name == "rsqrt" && !says(form, "ftz") ? 2 * unit + rounding : size * std::exp2(-18);
  if (name == "rcp") return unit + rounding;
  return size * std::exp2(name == "sqrt" ? -23 : -22.9) + rounding;
}

std::string form_difference(const Form& form, const device::Buffers& expected, const device::Buffers& found) {
  for (const std::size_t other : {std::size_t{0}, std::size_t{2}}) {
    if (expected[other] != found[other]) return fmt::format("buffer {} is not as expected: it was only read", other);
  }
  std::vector<FloatFormat> formats;
  for (const DataType type : form.types) {
    if (kernel::is_float(type)) formats.push_back(format_of(type));
  }
  const auto agrees = [&](std::size_t byte) {
    if (expected[1][byte] == found[1][byte]) return true;
    for (const FloatFormat& format : formats) {
      if (both_nan(format, expected[1], found[1], byte)) return true;
    }
    return is_approximation(form) && byte % slice_bytes < kernel::bytes_of(form.types.front()) &&
           approximations_agree(form, expected, found, byte / slice_bytes);
  };
  std::string text;
  std::size_t threads = 0;
  constexpr std::size_t most = 3;
  for (std::size_t thread = 0; thread < expected[1].size() / slice_bytes; ++thread) {
    std::size_t byte = thread * slice_bytes;
    const std::size_t end = byte + slice_bytes;
    while (byte < end && agrees(byte)) ++byte;
    if (byte == end || ++threads > most) continue;
    const std::size_t word = byte / 8 * 8;
    text += fmt::format("{}operands {:#x} and {:#x}, byte {} of the results: {:#018x} expected, {:#018x} found",
                        threads == 1 ? "" : "; ", read(expected[0], 8 * (thread % pool_size), 8),
                        read(expected[0], 8 * (thread / pool_size), 8), byte % slice_bytes, read(expected[1], word, 8),
                        read(found[1], word, 8));
  }
  return threads > most ? fmt::format("{}; and {} threads more", text, threads - most) : text;
}

}  // namespace reconverge::tests
