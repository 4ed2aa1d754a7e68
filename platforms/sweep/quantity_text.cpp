// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/quantity_text.hpp"

#include <cmath>

#include "models/core/quantity.hpp"

namespace reconverge::sweep {

namespace {

/// What `parse` makes of the text; nothing if it refuses it.
template <typename Parse>
std::optional<Number> parsed(std::string_view text, QuantityKind kind, Parse parse) {
  try {
    return Number{static_cast<double>(parse(text)), kind};
  } catch (const QuantityError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Number> number_of(std::string_view text) {
  if (const auto number = parsed(text, QuantityKind::count, parse_count)) return number;
  if (const auto number = parsed(text, QuantityKind::ratio, parse_ratio)) return number;
  if (const auto number = parsed(text, QuantityKind::cycles, parse_cycles)) return number;
  if (const auto number = parsed(text, QuantityKind::bytes, parse_bytes)) return number;
  return parsed(text, QuantityKind::frequency, parse_frequency);
}

std::string text_of(const Number& number) {
  if (number.kind == QuantityKind::ratio) return format_ratio(number.value);
  const auto whole = static_cast<std::uint64_t>(std::llround(number.value));
  switch (number.kind) {
    case QuantityKind::cycles:
      return format_cycles(whole);
    case QuantityKind::bytes:
      return format_bytes(whole);
    case QuantityKind::frequency:
      return format_frequency(whole);
    default:
      return format_count(whole);
  }
}

}  // namespace reconverge::sweep
