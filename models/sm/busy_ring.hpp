#pragma once
/// Which of the next cycles something is busy in: a ring of bits, for reservations in the order of requests.

#include <algorithm>
#include <array>
#include <bit>

#include "models/core/cycle.hpp"

namespace reconverge {

class BusyRing {
 public:
  /// Cycles ahead that reservations reach; later ones find the cycle free and leave no mark.
  static constexpr Cycle horizon = 1024;

  void begin(Cycle now) {
    words_.fill(0);
    base_ = now / bits;
  }

  /// The first free cycle from `from` on; it is `now`, and never earlier than it was.
  Cycle first_free(Cycle now, Cycle from) {
    forget_before(now / bits);
    const Cycle end = base_ + words_.size();
    for (Cycle word = from / bits; word < end; ++word) {
      const unsigned shift = word == from / bits ? static_cast<unsigned>(from % bits) : 0;
      const std::uint64_t free = ~words_[word % words_.size()] >> shift << shift;
      if (free != 0) return word * bits + static_cast<Cycle>(std::countr_zero(free));
    }
    return std::max(from, end * bits);
  }

  /// Takes that cycle.
  Cycle reserve(Cycle now, Cycle from) {
    const Cycle cycle = first_free(now, from);
    if (cycle < (base_ + words_.size()) * bits) {
      words_[cycle / bits % words_.size()] |= std::uint64_t{1} << cycle % bits;
    }
    return cycle;
  }

 private:
  static constexpr Cycle bits = 64;

  void forget_before(Cycle word) {
    if (word <= base_) return;
    for (Cycle old = base_; old < word && old < base_ + words_.size(); ++old) words_[old % words_.size()] = 0;
    base_ = word;
  }

  std::array<std::uint64_t, horizon / bits> words_{};  // a bit a cycle, by cycle modulo the horizon
  Cycle base_ = 0;                                     // word number of the oldest
};

}  // namespace reconverge
