// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A set of rows: a bit for each.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace reconverge {

class RowSet {
 public:
  static constexpr std::size_t capacity = 128;

  bool holds(std::size_t row) const { return (words_[row / bits] >> row % bits & 1U) != 0; }
  void put(std::size_t row, bool in) {
    const std::uint64_t bit = std::uint64_t{1} << row % bits;
    words_[row / bits] = in ? words_[row / bits] | bit : words_[row / bits] & ~bit;
  }
  bool empty() const { return (words_[0] | words_[1]) == 0; }
  /// The lowest row.
  std::optional<std::size_t> first() const {
    if (words_[0] != 0) return static_cast<std::size_t>(std::countr_zero(words_[0]));
    if (words_[1] != 0) return bits + static_cast<std::size_t>(std::countr_zero(words_[1]));
    return std::nullopt;
  }
  RowSet without(std::optional<std::size_t> row) const {
    RowSet rest = *this;
    if (row) rest.put(*row, false);
    return rest;
  }

  friend RowSet operator&(const RowSet& a, const RowSet& b) {
    return {a.words_[0] & b.words_[0], a.words_[1] & b.words_[1]};
  }
  friend RowSet operator|(const RowSet& a, const RowSet& b) {
    return {a.words_[0] | b.words_[0], a.words_[1] | b.words_[1]};
  }
  RowSet operator~() const { return {~words_[0], ~words_[1]}; }

  RowSet() = default;

 private:
  static constexpr std::size_t bits = 64;
  RowSet(std::uint64_t low, std::uint64_t high) : words_{low, high} {}

  std::array<std::uint64_t, capacity / bits> words_{};
};

}  // namespace reconverge
