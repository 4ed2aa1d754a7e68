// SPDX-License-Identifier: Apache-2.0
#include "models/execution/thread_moves.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/execution/operations/lanewise.hpp"

namespace reconverge {

namespace {

using kernel::SpecialRow;

/// Special rows in which threads of one lane and block differ.
constexpr std::array of_the_thread{SpecialRow::tid_x,     SpecialRow::tid_y,       SpecialRow::tid_z,
                                   SpecialRow::warpid,    SpecialRow::extension_0, SpecialRow::extension_1,
                                   SpecialRow::local_home};

class Mover {
 public:
  Mover(std::span<Warp* const> warps, std::span<const LaneMask> lanes) : warps_(warps), lanes_(lanes) {
    for (std::size_t to = 0; to < warps.size(); ++to) {
      if (from(to, to) == all_lanes) continue;
      changed_[changed_count_++] = to;
    }
  }

  void move_row(std::size_t bank, std::size_t row) {
    for (const std::size_t warp : changed()) std::memcpy(old_[warp].data(), words(warp, bank, row), row_bytes);
    for (const std::size_t to : changed()) {
      for (const std::size_t other : changed()) {
        if (other == to || from(to, other) == 0) continue;
        const auto& source = old_[other];
        operations::blend(words(to, bank, row), from(to, other), [&source](unsigned lane) { return source[lane]; });
      }
    }
  }

  void move_predicate(std::size_t predicate) {
    std::array<LaneMask, most_block_warps> old{};
    for (const std::size_t warp : changed()) old[warp] = warps_[warp]->context.predicates[predicate];
    for (const std::size_t to : changed()) {
      LaneMask value = 0;
      for (const std::size_t other : changed()) value |= old[other] & from(to, other);
      warps_[to]->context.predicates[predicate] = value;
    }
  }

  void move_homes() {
    std::array<Homes, most_block_warps> old;
    for (const std::size_t warp : changed()) {
      old[warp] = warps_[warp]->homes;
      if (!old[warp].moved) old[warp].slot.fill(static_cast<std::uint8_t>(warps_[warp]->slot));
    }
    for (const std::size_t to : changed()) {
      Homes& homes = warps_[to]->homes;
      for (const std::size_t other : changed()) {
        for_each_lane(from(to, other), [&](unsigned lane) { homes.slot[lane] = old[other].slot[lane]; });
      }
      homes.moved = std::ranges::any_of(homes.slot, [&](std::uint8_t slot) { return slot != warps_[to]->slot; });
    }
  }

 private:
  std::span<const std::size_t> changed() const { return {changed_.data(), changed_count_}; }
  LaneMask from(std::size_t to, std::size_t other) const { return lanes_[to * warps_.size() + other]; }
  std::uint32_t* words(std::size_t warp, std::size_t bank, std::size_t row) const {
    return reinterpret_cast<std::uint32_t*>(warps_[warp]->context.bank[bank] + row * row_bytes);
  }

  std::span<Warp* const> warps_;
  std::span<const LaneMask> lanes_;
  std::array<std::size_t, most_block_warps> changed_{};  // warps that do not keep all of their threads
  std::size_t changed_count_ = 0;
  alignas(64) std::array<std::array<std::uint32_t, warp_size>, most_block_warps> old_;
};

}  // namespace

void move_threads(std::span<Warp* const> warps, std::span<const LaneMask> lanes) {
  const kernel::Program& program = *warps.front()->context.program;
  Mover mover(warps, lanes);
  for (std::size_t row = 0; row < program.register_rows; ++row) mover.move_row(0, row);
  for (const SpecialRow row : of_the_thread) mover.move_row(2, static_cast<std::size_t>(row));
  for (std::size_t i = 0; i < program.predicates; ++i) mover.move_predicate(i);
  mover.move_homes();
}

}  // namespace reconverge
