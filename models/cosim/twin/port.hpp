// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Ports of a block's RTL, with the names in its port list, and access to their values.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace reconverge::twin {

/// A value at a port. A port may carry several values.
struct Port {
  std::string_view name;
  unsigned width;                     ///< bits: 64 at most; 32 at most in a port of more than 64
  std::size_t index = 0;              ///< number of values of this width below this one
  std::optional<unsigned> part = {};  ///< index of one of the block's identical parts, for messages
};

/// A port at which model and RTL differ.
struct PortDifference {
  Port port;
  std::uint64_t model;
  std::uint64_t rtl;
};

constexpr std::uint64_t bits(unsigned width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// Values of models: integers, flags and enumerations. An optional value is converted to its valid flag.

template <typename Value>
std::uint64_t value_of(const Value& value) {
  return static_cast<std::uint64_t>(value);
}
template <typename Value>
std::uint64_t value_of(const std::optional<Value>& value) {
  return value ? 1 : 0;
}

template <typename Value>
void assign(Value& value, std::uint64_t seen) {
  value = static_cast<Value>(seen);
}
template <typename Value>
void assign(std::optional<Value>& value, std::uint64_t seen) {
  if (seen == 0) {
    value.reset();
  } else if (!value) {
    value.emplace();
  }
}

// Pins of Verilator's classes: integers up to 64 bits, arrays of 32-bit words for wider ports.

template <typename Pin>
std::uint64_t get(const Pin& pin, const Port& port) {
  const std::size_t low = port.index * port.width;
  if constexpr (std::integral<Pin>) {
    return pin >> low & bits(port.width);
  } else {
    std::uint64_t words = pin[low / 32];
    if (low % 32 + port.width > 32) words |= std::uint64_t{pin[low / 32 + 1]} << 32U;
    return words >> low % 32 & bits(port.width);
  }
}

/// Drops bits above the lowest 64.
constexpr std::uint64_t shifted(std::uint64_t value, std::size_t low) { return low < 64 ? value << low : 0; }

template <typename Pin>
void set(Pin& pin, const Port& port, std::uint64_t value) {
  const std::size_t low = port.index * port.width;
  value &= bits(port.width);
  if constexpr (std::integral<Pin>) {
    pin = static_cast<Pin>((pin & ~shifted(bits(port.width), low)) | shifted(value, low));
  } else {
    const auto put = [&](std::size_t word, std::uint64_t mask, std::uint64_t shifted) {
      pin[word] = static_cast<std::uint32_t>((pin[word] & ~mask) | shifted);
    };
    put(low / 32, bits(port.width) << low % 32, value << low % 32);
    if (low % 32 + port.width > 32) put(low / 32 + 1, bits(port.width) >> (32 - low % 32), value >> (32 - low % 32));
  }
}

}  // namespace reconverge::twin
