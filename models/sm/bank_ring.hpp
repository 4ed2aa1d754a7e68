// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Register banks of an operand collector: the future steps in which each reads or writes a row. Row r of warp slot w
/// is in bank (r + w) modulo banks.
///
/// A word for each step contains its busy banks, so that the rows of an instruction are usually reserved at once. If
/// some of them share a bank, or a bank is busy, each row in turn gets the first step in which its bank is free. Steps
/// take the place of the cycles of RingBlocks.

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/divisor.hpp"
#include "models/execution/row_list.hpp"
#include "models/sm/busy_ring.hpp"

namespace reconverge {

class BankRing : public RingBlocks {
 public:
  /// `banks`: up to 64.
  explicit BankRing(std::uint64_t banks) : by_banks_(banks), busy_(blocks * bits) {
    if (!std::has_single_bit(banks) || banks > RowList::residues) return;
    kept_ = (1U << banks) - 1;
  }

  void begin() {
    numbers_.fill(0);
    std::ranges::fill(busy_, 0);
  }

  unsigned bank_of(std::uint32_t slot, std::uint16_t row) const {
    return static_cast<unsigned>(by_banks_.divide(row + slot).rest);
  }

  /// Reserves the first step from `from` on in which the bank is free; `now` never decreases.
  Cycle reserve(unsigned bank, Cycle now, Cycle from) {
    if (from - now >= horizon) return from;
    const Word bit = Word{1} << bank;
    return mark(bit, from) ? from : reserve_after(from, bit);
  }

  /// Reserves the bank in step `now`, if it is free.
  bool take(unsigned bank, Cycle now) { return mark(Word{1} << bank, now); }

  /// Reserves the bank of each row, in sequence. Returns the last step reserved; without rows, `from`.
  Cycle reserve(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
    if (from - now >= horizon) return from;
    const Word banks = distinct_banks(slot, rows);
    if (static_cast<std::size_t>(std::popcount(banks)) != rows.size()) return reserve_each(slot, rows, now, from);
    Word& busy = at(from);
    Cycle last = from;
    for (Word left = busy & banks; left != 0; left &= left - 1)
      last = std::max(last, reserve_after(from, left & -left));
    busy |= banks;
    return last;
  }

 private:
  /// The banks of the rows; 0 if the number of banks is not a power of two, or too high for RowList.
  Word distinct_banks(std::uint32_t slot, const RowList& rows) const {
    unsigned banks = std::rotl(rows.by_residue(), static_cast<int>(slot));
    for (unsigned half = RowList::residues / 2; half >= by_banks_.divisor(); half /= 2) banks |= banks >> half;
    return banks & kept_;
  }

  Cycle reserve_each(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
    Cycle last = from;
    for (const std::uint16_t row : rows) last = std::max(last, reserve(bank_of(slot, row), now, from));
    return last;
  }

  /// Reserves the first step after `step` in which the bank is free.
  Cycle reserve_after(Cycle step, Word bank) {
    do ++step;
    while (!mark(bank, step));
    return step;
  }

  /// Marks the bank as busy. Returns whether it was free.
  bool mark(Word bank, Cycle step) {
    Word& busy = at(step);
    const bool free = (busy & bank) == 0;
    busy |= bank;
    return free;
  }

  /// Busy banks of a step.
  Word& at(Cycle step) {
    const Cycle number = step / bits;
    Cycle& stands_for = numbers_[number % blocks];
    if (stands_for != number) [[unlikely]] {
      stands_for = number;
      std::fill_n(busy_.begin() + static_cast<std::ptrdiff_t>(number % blocks * bits), bits, 0);
    }
    return busy_[step % (blocks * bits)];
  }

  Divisor by_banks_;
  unsigned kept_ = 0;  // the banks, as bits of a mask of residues
  std::array<Cycle, blocks> numbers_{};
  std::vector<Word> busy_;
};

}  // namespace reconverge
