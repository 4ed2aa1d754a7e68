// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values of parameters as numbers: `48 KiB` is 49152, `980 MHz` is 980,000,000, and back.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reconverge::sweep {

enum class QuantityKind : std::uint8_t { count, cycles, bytes, frequency, ratio };

/// A number in bytes, hertz, cycles or without unit.
struct Number {
  double value = 0;
  QuantityKind kind = QuantityKind::count;
};

/// Nothing for a text that is no single number, such as a word, a flag or a list.
std::optional<Number> number_of(std::string_view text);

/// A text that a parameter takes. All kinds except `ratio` are rounded to whole numbers.
std::string text_of(const Number& number);

}  // namespace reconverge::sweep
