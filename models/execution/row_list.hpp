// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A few rows of the register file.

#include <array>
#include <cstddef>
#include <cstdint>

namespace reconverge {

class RowList {
 public:
  static constexpr unsigned residues = 16;

  void push(unsigned row) {
    rows_.at(size_++) = static_cast<std::uint16_t>(row);
    by_residue_ = static_cast<std::uint16_t>(by_residue_ | 1U << row % residues);
  }
  const std::uint16_t* begin() const { return rows_.data(); }
  const std::uint16_t* end() const { return rows_.data() + size_; }
  std::size_t size() const { return size_; }
  /// Bit i: there are rows whose number modulo `residues` is i.
  std::uint16_t by_residue() const { return by_residue_; }

 private:
  std::array<std::uint16_t, 10> rows_{};  // five operands of 64 bits
  std::uint16_t size_ = 0;
  std::uint16_t by_residue_ = 0;
};

}  // namespace reconverge
