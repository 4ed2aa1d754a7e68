// SPDX-License-Identifier: Apache-2.0
#include "models/execution/block_selection.hpp"

namespace reconverge {

namespace {

/// Spreads numbers that follow each other over all values (the finaliser of SplitMix64).
std::uint64_t spread(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15U;
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

}  // namespace

std::uint64_t BlockSelection::count(std::uint64_t blocks) const {
  const std::uint64_t last = blocks % period;  // the period at the end, which may be shorter
  const std::uint64_t selected = blocks / period * length + last * length / period;
  return inverted ? blocks - selected : selected;
}

std::uint64_t BlockSelection::block(std::uint64_t index, std::uint64_t blocks) const {
  if (all()) return index;
  const std::uint64_t in_period = inverted ? period - length : length;
  const std::uint64_t number = index / in_period < blocks / period ? index / in_period : blocks / period;
  const std::uint64_t size = number < blocks / period ? period : blocks % period;
  const std::uint64_t row = size * length / period;
  const std::uint64_t first = spread(number) % (size - row + 1);
  const std::uint64_t place = index - number * in_period;
  if (!inverted) return number * period + first + place;
  return number * period + (place < first ? place : place + row);
}

}  // namespace reconverge
