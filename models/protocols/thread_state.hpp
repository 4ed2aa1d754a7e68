// SPDX-License-Identifier: Apache-2.0
#pragma once
/// States of a warp's threads for convergence barriers and subwarp interleaving (Damani et al., "GPU
/// Subwarp Interleaving", HPCA 2022, Fig. 7). Plain data, no SystemC.

#include <array>
#include <cstdint>

namespace reconverge {

/// The values are those of the 3 bits that hardware stores for each thread.
enum class ThreadState : std::uint8_t {
  inactive,  ///< it has not begun, or has ended
  active,    ///< it belongs to the subwarp that runs
  ready,     ///< it could run, but another subwarp does
  blocked,   ///< it waits at a convergence barrier
  stalled    ///< only for subwarp interleaving: it waits for results that a scoreboard counts
};

inline constexpr unsigned thread_states = 5;

/// Whether Fig. 7 has a transition between two states: program entry; divergent branch, yield; select; BSYNC missed,
/// and hit when the last thread arrives; stall, wakeup, back to ACTIVE if no other subwarp is READY; exit.
constexpr bool has_transition(ThreadState from, ThreadState to) {
  constexpr auto bit = [](ThreadState state) { return 1U << static_cast<unsigned>(state); };
  constexpr std::array<unsigned, thread_states> to_states{
      bit(ThreadState::active),
      bit(ThreadState::inactive) | bit(ThreadState::ready) | bit(ThreadState::blocked) | bit(ThreadState::stalled),
      bit(ThreadState::active),
      bit(ThreadState::active) | bit(ThreadState::ready),
      bit(ThreadState::active) | bit(ThreadState::ready),
  };
  return from == to || (to_states[static_cast<unsigned>(from)] & bit(to)) != 0;
}

}  // namespace reconverge
