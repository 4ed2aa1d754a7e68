// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Contents of buffers that need no file: the same on every machine and with every standard library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

/// Bits of the number `index` of the sequence `seed`: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) as a counter, so
/// that any element can be computed without the others.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
  return z ^ z >> 31U;
}

/// `count` copies of one element.
std::vector<std::byte> filled(ElementType type, std::uint64_t count, std::uint64_t bits);

/// start, start + step, start + 2 * step ... Floats are computed as start + i * step in double precision, then rounded.
/// Throws QuantityError if a text is not a number of the type, or a whole number leaves its range.
std::vector<std::byte> ranged(ElementType type, std::uint64_t count, std::string_view start, std::string_view step);

/// Uniformly distributed from `from` to `to`. Whole numbers, both ends included: from + the upper half of the 128-bit
/// product of random_bits and the number of values. Floats: from + (to - from) * (random_bits >> 11) / 2^53 in double
/// precision, then rounded. Throws QuantityError if a text is not a finite number of the type, or `to` is below `from`.
std::vector<std::byte> randomised(ElementType type, std::uint64_t count, std::uint64_t seed, std::string_view from,
                                  std::string_view to);

}  // namespace reconverge::launch
