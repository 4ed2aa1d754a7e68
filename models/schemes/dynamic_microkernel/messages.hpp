// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between the parts of dynamic micro-kernels. They are values that live within one cycle; the fields that a
/// target fills come last. Plain data, no SystemC.

#include <array>
#include <cstdint>
#include <optional>

#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// Address in spawn memory, in bytes from its start.
using SpawnAddress = std::uint32_t;
/// An entry of the formation area: the pointer to a new thread's state.
inline constexpr SpawnAddress formation_entry_bytes = 4;

/// A warp of new threads.
struct NewWarp {
  kernel::Pc pc = kernel::no_pc;  ///< where the threads begin
  SpawnAddress last = 0;          ///< the formation entry of its last thread
  std::uint32_t threads = 0;      ///< warp_size, unless the warp is partial
  bool operator==(const NewWarp&) const = default;

  /// The formation entry of the first thread; the entries of the other threads follow it.
  SpawnAddress first() const { return last - (threads - 1) * formation_entry_bytes; }
};

// To the spawn LUT.

/// Creates threads at a micro-kernel. The first request has no `commit`; the table changes only with `commit`.
struct SpawnLookup {
  kernel::Pc pc = kernel::no_pc;
  std::uint32_t threads = 0;  ///< 1 to warp_size
  bool commit = false;
  // Filled:
  bool no_room = false;              ///< no line, or no region of the formation area, is free for them yet
  SpawnAddress first = 0;            ///< entry for the next thread of the micro-kernel's warp
  SpawnAddress second = 0;           ///< entry for the thread after the warp's last one
  std::uint32_t count = 0;           ///< threads in the warp before these
  std::optional<NewWarp> full = {};  ///< the warp that these threads complete
};

/// Takes the partial warp with the lowest micro-kernel address from the pool.
struct PartialWarp {
  std::optional<NewWarp> warp = {};  ///< filled if there is one
};

// To the thread address adder.

/// The formation entries of threads that are created together: unique and sequential over the active lanes. Threads
/// that complete the warp get the entries from `first` on; the remaining threads get those from `second` on.
struct ThreadAddresses {
  LaneMask lanes = 0;
  SpawnAddress first = 0;
  SpawnAddress second = 0;
  std::uint32_t left = 0;  ///< number of threads that still fit into the warp of `first`
  // Filled:
  std::array<SpawnAddress, warp_size> address{};  ///< by lane; an inactive lane has the address of the next active lane
};

// To the partial warp pool.

/// A region of the formation area, with the entries of one warp.
struct FormationRegion {
  enum class Kind : std::uint8_t {
    look,    ///< look up the next two free regions
    take,    ///< take the next `count` free regions, which must exist
    release  ///< free the region at `address`
  };
  Kind kind = Kind::look;
  unsigned count = 0;
  SpawnAddress address = 0;
  std::array<std::optional<SpawnAddress>, 2> next = {};  ///< filled: the regions found or taken
};

// To the new-warp FIFO.

struct WarpPush {
  NewWarp warp;
};
struct WarpPop {
  std::optional<NewWarp> warp = {};  ///< filled if there is one
};

// To the dynamic scheduler.

/// Selects the warp that starts in a free warp slot.
struct WarpChoice {
  bool launch_left = false;          ///< the launch has threads that have not begun
  bool launch_room = false;          ///< states are free for these threads
  std::optional<NewWarp> warp = {};  ///< filled: the spawned warp that starts, if any
  bool forced = false;               ///< filled: the warp is partial and was forced out
};

// To the state addresses.

/// A thread of the launch begins and needs a state.
struct StateClaim {
  std::uint32_t thread = 0;  ///< warp slot and lane: slot * warp_size + lane
  std::uint32_t state = 0;   ///< filled: the number of its state
};
/// The last thread that used a state has ended.
struct StateRelease {
  std::uint32_t state = 0;
};

}  // namespace reconverge
