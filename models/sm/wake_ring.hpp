// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stores the cycle in which each of up to 64 warps can continue. The ring has one bucket per cycle, so that neither
/// setting a cycle nor finding the next one iterates over the warps.

#include <array>
#include <bit>

#include "models/core/cycle.hpp"

namespace reconverge {

class WakeRing {
 public:
  static constexpr unsigned capacity = 64;  ///< entries, and cycles that the ring reaches ahead

  /// Resets the ring; time begins at `now`.
  void begin(Cycle now) {
    *this = WakeRing{};
    base_ = now;
  }

  /// `entry` continues in `cycle`, or in the next cycle to be taken if `cycle` has passed. With `never`, it does not
  /// continue until it is set again.
  void set(unsigned entry, Cycle cycle) {
    remove(entry);
    if (cycle >= never) return;
    cycle = cycle > base_ ? cycle : base_;
    due_[entry] = cycle;
    waiting_ |= bit_of(entry);
    if (cycle - base_ < capacity) {
      place(entry, cycle);
    } else {
      far_ |= bit_of(entry);
      far_next_ = cycle < far_next_ ? cycle : far_next_;
    }
  }

  /// The cycle in which `entry` continues; `never` also after it has been taken.
  Cycle due(unsigned entry) const { return (waiting_ & bit_of(entry)) != 0 ? due_[entry] : never; }

  /// The first cycle in which an entry continues.
  Cycle next() const {
    const Cycle near = next_near();
    return near < far_next_ ? near : far_next_;
  }

  /// Takes the entries that continue in cycle `now` or earlier, as bits. `now` never decreases.
  std::uint64_t take(Cycle now) {
    std::uint64_t due = 0;
    // Either cycles are taken one by one, or no entry is due in between: nearly always one bucket is enough.
    while (next_near() < now) due |= empty(next_near());
    due |= empty(now);
    base_ = now + 1;
    if (far_next_ < base_ + capacity) due |= bring_near();
    waiting_ &= ~due;
    return due;
  }

 private:
  static constexpr std::uint64_t bit_of(std::uint64_t number) { return std::uint64_t{1} << number % capacity; }

  Cycle next_near() const {
    if (occupied_ == 0) return never;
    return base_ + static_cast<Cycle>(std::countr_zero(std::rotr(occupied_, static_cast<int>(base_ % capacity))));
  }

  void place(unsigned entry, Cycle cycle) {
    bucket_[cycle % capacity] |= bit_of(entry);
    occupied_ |= bit_of(cycle);
  }

  std::uint64_t empty(Cycle cycle) {
    const std::uint64_t entries = bucket_[cycle % capacity];
    bucket_[cycle % capacity] = 0;
    occupied_ &= ~bit_of(cycle);
    return entries;
  }

  void remove(unsigned entry) {
    const std::uint64_t bit = bit_of(entry);
    if ((waiting_ & bit) == 0) return;
    waiting_ &= ~bit;
    if ((far_ & bit) != 0) {
      far_ &= ~bit;
      find_far_next();
      return;
    }
    std::uint64_t& bucket = bucket_[due_[entry] % capacity];
    bucket &= ~bit;
    if (bucket == 0) occupied_ &= ~bit_of(due_[entry]);
  }

  /// Moves entries whose cycles are now within reach into buckets. Returns entries whose cycles have passed.
  std::uint64_t bring_near() {
    std::uint64_t over = 0;
    for (std::uint64_t left = far_; left != 0; left &= left - 1) {
      const auto entry = static_cast<unsigned>(std::countr_zero(left));
      if (due_[entry] >= base_ + capacity) continue;
      far_ &= ~bit_of(entry);
      if (due_[entry] < base_) {
        over |= bit_of(entry);
      } else {
        place(entry, due_[entry]);
      }
    }
    find_far_next();
    return over;
  }

  void find_far_next() {
    far_next_ = never;
    for (std::uint64_t left = far_; left != 0; left &= left - 1) {
      const Cycle cycle = due_[static_cast<std::size_t>(std::countr_zero(left))];
      if (cycle < far_next_) far_next_ = cycle;
    }
  }

  std::array<std::uint64_t, capacity> bucket_{};  // entries, by cycle modulo capacity, for [base_, base_ + capacity)
  std::array<Cycle, capacity> due_{};             // cycles of the waiting entries
  std::uint64_t waiting_ = 0;                     // entries that wait for a cycle
  std::uint64_t occupied_ = 0;                    // buckets that are not empty
  std::uint64_t far_ = 0;                         // entries beyond the ring
  Cycle far_next_ = never;                        // the first cycle of these entries
  Cycle base_ = 0;                                // the first cycle that has not been taken
};

}  // namespace reconverge
