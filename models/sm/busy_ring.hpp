// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Rings of bits that track the future cycles in which resources (ports, buses, units) are busy. Reservations are made
/// in the order of requests.

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/state_archive.hpp"

namespace reconverge {

/// What all rings have in common: they consist of blocks of 64 cycles, each of which is reused for a later one.
struct RingBlocks {
  /// Reservations reach this many cycles ahead. A later cycle counts as free, and is not marked as busy.
  static constexpr Cycle horizon = 960;

 protected:
  using Word = std::uint64_t;
  static constexpr Cycle bits = 64;
  // A search that finds the horizon full continues after it, by at most the same distance again.
  static constexpr std::size_t blocks = 32;
};

/// One resource.
class BusyRing : public RingBlocks {
 public:
  void begin() {
    numbers_.fill(0);
    busy_.fill(0);
  }

  void archive(StateArchive& state) { state(numbers_, busy_); }

  /// Reserves the first cycle from `from` on in which the resource is free; `now` never decreases.
  Cycle reserve(Cycle now, Cycle from) {
    if (from - now >= horizon) return from;
    Word below = (Word{1} << from % bits) - 1;
    for (Cycle number = from / bits;; ++number, below = 0) {
      Word& busy = word(number);
      const Word free = ~(busy | below);
      if (free == 0) continue;
      busy |= free & (~free + 1);
      return number * bits + static_cast<Cycle>(std::countr_zero(free));
    }
  }

  /// Reserves the resource in cycle `now`, if it is free.
  bool take(Cycle now) {
    Word& busy = word(now / bits);
    const Word bit = Word{1} << now % bits;
    const bool free = (busy & bit) == 0;
    busy |= bit;
    return free;
  }

 private:
  /// The word of cycles [64 number, 64 number + 64).
  Word& word(Cycle number) {
    Word& busy = busy_[number % blocks];
    Cycle& stands_for = numbers_[number % blocks];
    if (stands_for != number) {
      stands_for = number;
      busy = 0;
    }
    return busy;
  }

  std::array<Cycle, blocks> numbers_{};
  std::array<Word, blocks> busy_{};
};

/// Identical resources: each request takes any of them.
class BusyUnits : public RingBlocks {
 public:
  explicit BusyUnits(std::size_t units) : units_(static_cast<std::uint32_t>(units)), ring_(blocks) {}

  void begin() { std::ranges::fill(ring_, Block{}); }

  /// Reserves the first cycle from `from` on in which a resource is free; `now` never decreases.
  Cycle reserve(Cycle now, Cycle from) {
    if (from - now >= horizon) return from;
    std::uint64_t below = (std::uint64_t{1} << from % bits) - 1;
    for (Cycle number = from / bits;; ++number, below = 0) {
      Block& block = ring_[number % blocks];
      if (block.number != number) {
        block = {};
        block.number = number;
      }
      const std::uint64_t free = ~(block.full | below);
      if (free == 0) continue;
      const auto first = static_cast<unsigned>(std::countr_zero(free));
      block.full |= std::uint64_t{++block.busy[first] == units_} << first;
      return number * bits + first;
    }
  }

 private:
  /// Cycles [64 number, 64 number + 64).
  struct Block {
    Cycle number = 0;
    std::uint64_t full = 0;                  // cycles in which all are busy
    std::array<std::uint16_t, bits> busy{};  // number of busy resources, for each cycle
  };

  std::uint32_t units_;
  std::vector<Block> ring_;
};

}  // namespace reconverge
