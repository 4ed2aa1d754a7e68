// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values at the pins of a subwarp scheduler in a cycle. Plain data, no SystemC.

#include <algorithm>
#include <array>
#include <optional>

#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

/// States of a warp's entries: a mask for each bit of a state's number, the lowest bit first.
using StatePlanes = std::array<EntryMask, 3>;

constexpr EntryMask plane_of(ThreadState state, std::size_t bit) {
  return (static_cast<unsigned>(state) >> bit & 1U) != 0 ? ~EntryMask{0} : 0;
}

/// If an entry gets two states in a cycle, the last one applies. Irrelevant states, counts and peers have ones in all
/// bits, so that a block that reads them behaves differently.
struct SubwarpInputs {
  SelectTrigger trigger = SelectTrigger::any;
  std::array<EntryMask, most_warps> set{};
  std::array<StatePlanes, most_warps> set_state;
  EntryMask stall = 0;
  std::uint32_t stall_warp = 0;
  std::uint8_t stall_scoreboard = 0;
  std::array<std::uint8_t, most_entries> stall_count;
  std::array<WriteBack, write_back_ports> results{};
  std::uint64_t waits = 0;  ///< holds from cycle to cycle
  bool take = false;
  EntryMask peers = ~EntryMask{0};

  SubwarpInputs() {
    constexpr EntryMask ones = ~EntryMask{0};
    set_state.fill({ones, ones, ones});
    stall_count.fill(most_outstanding);
  }

  /// Starts the next cycle.
  void step() {
    SubwarpInputs next;
    next.trigger = trigger;
    next.waits = waits;
    *this = next;
  }

  // The calls of SubwarpUnit.

  void tell_set(std::uint32_t warp, EntryMask entries, ThreadState state) {
    set.at(warp) |= entries;
    for (std::size_t bit = 0; bit < 3; ++bit) {
      EntryMask& plane = set_state.at(warp)[bit];
      plane = (plane & ~entries) | (plane_of(state, bit) & entries);
    }
    if (warp == stall_warp) stall &= ~entries;
  }
  void tell_stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) {
    set.at(warp) &= ~entries;
    stall |= entries;
    stall_warp = warp;
    stall_scoreboard = scoreboard;
    for_each_entry(entries, [&](unsigned entry) { stall_count[entry] = count; });
  }
  void tell_waits(std::uint32_t warp, bool some) {
    const std::uint64_t bit = std::uint64_t{1} << warp;
    waits = some ? waits | bit : waits & ~bit;
  }
  void tell_take(EntryMask entries) {
    take = true;
    peers = entries;
  }
};

/// Both at the beginning of the cycle.
struct SubwarpOutputs {
  std::optional<SubwarpChoice> offer = {};
  std::array<StatePlanes, most_warps> states{};
};

}  // namespace reconverge
