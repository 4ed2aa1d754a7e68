#pragma once
/// Which of the next cycles something is busy in: a ring of bits, for reservations in the order of requests.

#include <array>
#include <bit>

#include "models/core/cycle.hpp"

namespace reconverge {

class BusyRing {
 public:
  /// Cycles ahead that reservations reach; later ones find the cycle free and leave no mark.
  static constexpr Cycle horizon = 960;

  void begin() { words_.fill({}); }

  /// Takes the first free cycle from `from` on; it is `now`, and never earlier than it was.
  Cycle reserve(Cycle now, Cycle from) {
    if (from - now >= horizon) return from;
    std::uint64_t below = (std::uint64_t{1} << from % bits) - 1;  // of its word: cycles before it
    for (Cycle number = from / bits;; ++number, below = 0) {
      Word& word = words_[number % words_.size()];
      if (word.number != number) word = {number, 0};
      const std::uint64_t free = ~(word.busy | below);
      if (free == 0) continue;
      word.busy |= free & (~free + 1);
      return number * bits + static_cast<Cycle>(std::countr_zero(free));
    }
  }

  /// Takes `cycle` if it is free.
  bool take(Cycle now, Cycle cycle) {
    if (cycle - now >= horizon) return true;
    Word& word = words_[cycle / bits % words_.size()];
    if (word.number != cycle / bits) word = {cycle / bits, 0};
    const std::uint64_t bit = std::uint64_t{1} << cycle % bits;
    if ((word.busy & bit) != 0) return false;
    word.busy |= bit;
    return true;
  }

 private:
  static constexpr Cycle bits = 64;

  struct Word {
    Cycle number = 0;  // it stands for cycles [64 number, 64 number + 64)
    std::uint64_t busy = 0;
  };

  // A search that finds the horizon full goes on behind it, over as much again at most.
  std::array<Word, 32> words_{};
};

}  // namespace reconverge
