// SPDX-License-Identifier: Apache-2.0
#include "models/core/quantity.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>

namespace reconverge {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// `what; hint` of the error; fails if there is none.
template <typename Parse>
std::string refusal(Parse parse, const std::string& text) {
  try {
    parse(text);
  } catch (const QuantityError& error) {
    return std::string(error.what()) + "; " + error.hint();
  }
  FAIL("accepted: " << text);
  return {};
}

}  // namespace

TEST_CASE("counts are whole numbers, and may have underscores between digits") {
  CHECK(parse_count("0") == 0);
  CHECK(parse_count(" 1_000_000 ") == 1000000);
  CHECK(parse_count("18446744073709551615") == largest);
  CHECK(parse_count("007") == 7);
  CHECK(refusal(parse_count, "18446744073709551616") ==
        "'18446744073709551616' is too large; write a whole number such as 32 or 1_000");
  CHECK(refusal(parse_count, "1__0").substr(0, 29) == "'1__0' is not a plain number;");
  CHECK(refusal(parse_count, "1_").substr(0, 27) == "'1_' is not a plain number;");
  CHECK(refusal(parse_count, "_1").substr(0, 21) == "'_1' is not a number;");
  CHECK(refusal(parse_count, "16 warps").substr(0, 32) == "'16 warps' is not a plain number");
  CHECK(refusal(parse_count, "1.5").substr(0, 30) == "'1.5' is not a whole number of");
  CHECK(refusal(parse_count, "-1").substr(0, 16) == "'-1' is negative");
  CHECK(refusal(parse_count, "1e3").substr(0, 27) == "'1e3' is not a plain number");
  CHECK(refusal(parse_count, "").substr(0, 18) == "there is no value;");
  CHECK(refusal(parse_count, "1.").substr(0, 20) == "'1.' is not a number");
}

TEST_CASE("the unit of cycles is optional") {
  CHECK(parse_cycles("30") == 30);
  CHECK(parse_cycles("30 cycles") == 30);
  CHECK(parse_cycles("1 cycle") == 1);
  CHECK(parse_cycles("30cycles") == 30);
  CHECK(refusal(parse_cycles, "30 ns") ==
        "'30 ns' has the unit 'ns'; write a whole number of cycles such as 30 or 30 cycles");
  CHECK(format_cycles(1) == "1 cycle");
  CHECK(format_cycles(0) == "0 cycles");
}

TEST_CASE("binary and decimal sizes differ") {
  CHECK(parse_bytes("48 KiB") == 49152);
  CHECK(parse_bytes("48 KB") == 48000);
  CHECK(parse_bytes("48 kB") == 48000);
  CHECK(parse_bytes("48KiB") == 49152);
  CHECK(parse_bytes("1.5 KiB") == 1536);
  CHECK(parse_bytes("1.50 MB") == 1500000);
  CHECK(parse_bytes("0.5 GiB") == 536870912);
  CHECK(parse_bytes("2 TiB") == 2199023255552U);
  CHECK(parse_bytes("3 TB") == 3000000000000U);
  CHECK(parse_bytes("0 B") == 0);
  CHECK(parse_bytes("18446744073709551615 B") == largest);
  CHECK(parse_bytes("16777215 TiB") == 18446742974197923840U);
  CHECK(refusal(parse_bytes, "16777216 TiB").substr(0, 28) == "'16777216 TiB' is too large;");
  CHECK(refusal(parse_bytes, "48") ==
        "'48' has no unit; write a size such as 48 KiB, in B, KiB, MiB, GiB, TiB, kB, MB, GB or TB");
  CHECK(refusal(parse_bytes, "48 MHz").substr(0, 27) == "'48 MHz' has the unit 'MHz'");
  CHECK(refusal(parse_bytes, "48 kib").substr(0, 27) == "'48 kib' has the unit 'kib'");
  CHECK(refusal(parse_bytes, "0.3 KiB").substr(0, 40) == "'0.3 KiB' is not a whole number of bytes");
  CHECK(refusal(parse_bytes, "1.0000000000000000000 B").substr(0, 47) ==
        "'1.0000000000000000000 B' has too many decimals");
  CHECK(refusal(parse_bytes, "KiB").substr(0, 21) == "'KiB' is not a number");
  CHECK(format_bytes(49152) == "48 KiB");
  CHECK(format_bytes(1000) == "1000 B");
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(std::uint64_t{1} << 50U) == "1024 TiB");
}

TEST_CASE("frequencies are exact to the hertz") {
  CHECK(parse_frequency("980 MHz") == 980000000);
  CHECK(parse_frequency("1.5 GHz") == 1500000000);
  CHECK(parse_frequency("1_234.5 kHz") == 1234500);
  CHECK(parse_frequency("7 Hz") == 7);
  CHECK(refusal(parse_frequency, "980") ==
        "'980' has no unit; write a frequency such as 980 MHz, in Hz, kHz, MHz or GHz");
  CHECK(refusal(parse_frequency, "0.5 Hz").substr(0, 39) == "'0.5 Hz' is not a whole number of hertz");
  CHECK(refusal(parse_frequency, "1 mhz").substr(0, 26) == "'1 mhz' has the unit 'mhz'");
  CHECK(format_frequency(980000000) == "980 MHz");
  CHECK(format_frequency(1500000000) == "1.5 GHz");
  CHECK(format_frequency(1234567890) == "1.23456789 GHz");
  CHECK(format_frequency(1000001) == "1.000001 MHz");
  CHECK(format_frequency(0) == "0 Hz");
}

TEST_CASE("ratios and flags") {
  CHECK(parse_ratio("0.5") == 0.5);
  CHECK(parse_ratio("-2") == -2.0);
  CHECK(parse_ratio("1e-3") == 0.001);
  CHECK(refusal(parse_ratio, "nan").substr(0, 21) == "'nan' is not a number");
  CHECK(refusal(parse_ratio, "inf").substr(0, 21) == "'inf' is not a number");
  CHECK(refusal(parse_ratio, "0.5x").substr(0, 22) == "'0.5x' is not a number");
  CHECK(refusal(parse_ratio, "1e999").substr(0, 32) == "'1e999' is too large or too smal");
  CHECK(refusal(parse_ratio, "50%").substr(0, 21) == "'50%' is not a number");
  CHECK(format_ratio(0.1) == "0.1");
  CHECK(format_ratio(1) == "1");
  CHECK(parse_flag("true"));
  CHECK_FALSE(parse_flag("false"));
  CHECK(refusal(parse_flag, "yes") == "'yes' is neither true nor false; write true or false");
}

TEST_CASE("every value is read back as it was written") {
  std::mt19937_64 random(2026);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    // Round numbers test the code for larger units.
    const std::uint64_t round = value % 1000 * (random() % 2 == 0 ? 1000000 : 1048576);
    for (const std::uint64_t number : {value, round}) {
      REQUIRE(parse_count(format_count(number)) == number);
      REQUIRE(parse_cycles(format_cycles(number)) == number);
      REQUIRE(parse_bytes(format_bytes(number)) == number);
      REQUIRE(parse_frequency(format_frequency(number)) == number);
    }
    const double ratio = static_cast<double>(value) / 1234567.0;
    REQUIRE(parse_ratio(format_ratio(ratio)) == ratio);
  }
}

}  // namespace reconverge
