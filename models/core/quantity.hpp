// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Numbers with units, as people write them and as the tree prints them: `48 KiB`, `980 MHz`, `30 cycles`, `1_000`.
///
/// Every `parse_` function reads the whole text or throws QuantityError; every `format_` function writes the
/// canonical form, which parses back to the same value. Decimal fractions are exact: `1.5 KiB` is 1536 bytes,
/// and `1.3 B` is refused rather than rounded. Digits may be grouped by single underscores.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace reconverge {

/// A text that is not such a quantity. `what()` says what is wrong, `hint()` what to write instead.
class QuantityError : public std::runtime_error {
 public:
  QuantityError(const std::string& message, std::string hint) : std::runtime_error(message), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// A whole number without unit.
std::uint64_t parse_count(std::string_view text);
/// A whole number of cycles; the word `cycle` or `cycles` may be left out.
std::uint64_t parse_cycles(std::string_view text);
/// A size in bytes. The unit is required: B, KiB, MiB, GiB, TiB (powers of 1024), kB or KB, MB, GB, TB (powers of
/// 1000).
std::uint64_t parse_bytes(std::string_view text);
/// A frequency in hertz. The unit is required: Hz, kHz, MHz, GHz.
std::uint64_t parse_frequency(std::string_view text);
/// A finite decimal number without unit.
double parse_ratio(std::string_view text);
/// `true` or `false`.
bool parse_flag(std::string_view text);

std::string format_count(std::uint64_t count);
std::string format_cycles(std::uint64_t cycles);
/// In the largest binary unit that divides the size.
std::string format_bytes(std::uint64_t bytes);
/// In the largest unit that is not above the frequency, with as many decimals as necessary.
std::string format_frequency(std::uint64_t hertz);
/// The shortest text that reads back as the same number.
std::string format_ratio(double ratio);
std::string format_flag(bool flag);

}  // namespace reconverge
