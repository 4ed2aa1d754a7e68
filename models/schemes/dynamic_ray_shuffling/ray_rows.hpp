// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The contents of the ray registers, by row and ray register. Plain data, no SystemC.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/core/lane_mask.hpp"
#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

/// A word for each lane.
struct alignas(64) LaneWords {
  std::array<std::uint32_t, warp_size> words;

  std::uint32_t& operator[](unsigned lane) { return words[lane]; }
  std::uint32_t operator[](unsigned lane) const { return words[lane]; }
};

class RayRows {
 public:
  RayRows() = default;
  /// All words are zero.
  RayRows(std::size_t rows, std::size_t ray_registers) : registers_(ray_registers), words_(rows * ray_registers) {}

  std::span<LaneWords> operator[](std::size_t row) { return {words_.data() + row * registers_, registers_}; }
  LaneWords& at(std::size_t row, std::size_t ray_register) { return words_[row * registers_ + ray_register]; }
  const LaneWords& at(std::size_t row, std::size_t ray_register) const {
    return words_[row * registers_ + ray_register];
  }

  /// Performs a whole swap at once.
  void exchange(const RaySwap& swap) {
    for (std::size_t i = 0; i < registers_; ++i) {
      LaneWords& from = at(swap.source, i);
      LaneWords& to = at(swap.destination, i);
      for (LaneMask a = swap.source_lanes, b = swap.destination_lanes; a != 0; a &= a - 1, b &= b - 1) {
        std::swap(from[first_lane(a)], to[first_lane(b)]);
      }
    }
  }

 private:
  std::size_t registers_ = 0;
  std::vector<LaneWords> words_;
};

}  // namespace reconverge
