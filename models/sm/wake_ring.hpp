#pragma once
/// When each of up to 64 warps can go on: a ring of one bucket a cycle, so that neither setting a time nor finding the
/// next one walks over the warps.

#include <array>
#include <bit>

#include "models/core/cycle.hpp"

namespace reconverge {

class WakeRing {
 public:
  static constexpr unsigned capacity = 64;  ///< entries, and cycles that the ring reaches ahead

  /// Forgets all; time begins at `now`.
  void begin(Cycle now) {
    *this = WakeRing{};
    due_.fill(never);
    base_ = now;
  }

  /// `entry` goes on at `cycle`, which has not been taken yet, or at `never`: not before it is set again.
  void set(unsigned entry, Cycle cycle) {
    remove(entry);
    due_[entry] = cycle;
    if (cycle >= never) return;
    if (cycle < base_ + capacity) {
      place(entry, cycle);
    } else {
      far_ |= std::uint64_t{1} << entry;
      far_next_ = cycle < far_next_ ? cycle : far_next_;
    }
  }

  /// When `entry` goes on; `never` also when it has been taken.
  Cycle due(unsigned entry) const { return due_[entry]; }

  /// The first cycle in which an entry goes on.
  Cycle next() const {
    const Cycle near = occupied_ != 0 ? base_ + ahead() : never;
    return near < far_next_ ? near : far_next_;
  }

  /// Takes the entries that go on by `now`, as bits. Time does not run backwards.
  std::uint64_t take(Cycle now) {
    std::uint64_t due = 0;
    while (occupied_ != 0 && base_ + ahead() <= now) {
      const auto index = static_cast<unsigned>((base_ + ahead()) % capacity);
      due |= bucket_[index];
      bucket_[index] = 0;
      occupied_ &= ~(std::uint64_t{1} << index);
    }
    if (base_ < now) base_ = now;
    if (far_next_ < base_ + capacity) due |= bring_near(now);
    for (std::uint64_t left = due; left != 0; left &= left - 1) due_[std::countr_zero(left)] = never;
    return due;
  }

 private:
  /// Cycles from `base_` to the first bucket that holds an entry.
  unsigned ahead() const {
    return static_cast<unsigned>(std::countr_zero(std::rotr(occupied_, static_cast<int>(base_ % capacity))));
  }

  void place(unsigned entry, Cycle cycle) {
    const auto index = static_cast<unsigned>(cycle % capacity);
    bucket_[index] |= std::uint64_t{1} << entry;
    occupied_ |= std::uint64_t{1} << index;
  }

  void remove(unsigned entry) {
    const std::uint64_t bit = std::uint64_t{1} << entry;
    if (due_[entry] >= never) return;
    if ((far_ & bit) != 0) {
      far_ &= ~bit;
      find_far_next();
      return;
    }
    const auto index = static_cast<unsigned>(due_[entry] % capacity);
    bucket_[index] &= ~bit;
    if (bucket_[index] == 0) occupied_ &= ~(std::uint64_t{1} << index);
  }

  std::uint64_t bring_near(Cycle now) {
    std::uint64_t due = 0;
    for (std::uint64_t left = far_; left != 0; left &= left - 1) {
      const auto entry = static_cast<unsigned>(std::countr_zero(left));
      if (due_[entry] >= base_ + capacity) continue;
      far_ &= ~(std::uint64_t{1} << entry);
      if (due_[entry] <= now) {
        due |= std::uint64_t{1} << entry;
      } else {
        place(entry, due_[entry]);
      }
    }
    find_far_next();
    return due;
  }

  void find_far_next() {
    far_next_ = never;
    for (std::uint64_t left = far_; left != 0; left &= left - 1) {
      const Cycle cycle = due_[std::countr_zero(left)];
      if (cycle < far_next_) far_next_ = cycle;
    }
  }

  std::array<std::uint64_t, capacity> bucket_{};  // entries, by cycle modulo capacity, for [base_, base_ + capacity)
  std::array<Cycle, capacity> due_{};             // never: in no bucket
  std::uint64_t occupied_ = 0;                    // buckets that are not empty
  std::uint64_t far_ = 0;                         // entries beyond the ring
  Cycle far_next_ = never;                        // the first of those
  Cycle base_ = 0;
};

}  // namespace reconverge
