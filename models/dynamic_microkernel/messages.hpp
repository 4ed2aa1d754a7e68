#pragma once
/// What the parts of dynamic micro-kernels tell each other over their sockets: values, all within one cycle. What a
/// target fills stands last. Plain data, no SystemC.

#include <array>
#include <cstdint>
#include <optional>

#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// Address in spawn memory, in bytes from its begin.
using SpawnAddress = std::uint32_t;
/// An entry of the formation area: the pointer to a new thread's state.
inline constexpr SpawnAddress formation_entry_bytes = 4;

/// A warp that new threads make.
struct NewWarp {
  kernel::Pc pc = kernel::no_pc;  ///< where they begin
  SpawnAddress last = 0;          ///< the formation entry of its last thread
  std::uint32_t threads = 0;      ///< those of a whole warp, unless it was forced out
  bool operator==(const NewWarp&) const = default;

  /// The entry of its first thread; those of the others follow.
  SpawnAddress first() const { return last - (threads - 1) * formation_entry_bytes; }
};

// To the spawn LUT.

/// Threads are created at a micro-kernel. Asked first without `commit`; what is kept changes when they really are.
struct SpawnLookup {
  kernel::Pc pc = kernel::no_pc;
  std::uint32_t threads = 0;  ///< 1 to warp_size
  bool commit = false;
  // Filled:
  bool no_room = false;              ///< there is no line, or no part of the formation area, for them yet
  SpawnAddress first = 0;            ///< where the next thread of the micro-kernel's warp goes
  SpawnAddress second = 0;           ///< where the one behind the warp's last goes
  std::uint32_t count = 0;           ///< threads of the warp before these
  std::optional<NewWarp> full = {};  ///< the warp that these complete
};

/// The partial warp of the lowest micro-kernel address leaves the pool.
struct PartialWarp {
  std::optional<NewWarp> warp = {};  ///< filled, if there is one
};

// To the thread address adder.

/// The formation entries of threads that are created together: unique and sequential over the active lanes. Those that
/// complete the warp follow `first`, the others `second`.
struct ThreadAddresses {
  LaneMask lanes = 0;
  SpawnAddress first = 0;
  SpawnAddress second = 0;
  std::uint32_t left = 0;  ///< threads that the warp of `first` still takes
  // Filled:
  std::array<SpawnAddress, warp_size> address{};  ///< of a lane that is not active: that of the next active one
};

// To the partial warp pool.

/// Room for the entries of one warp in the formation area.
struct FormationRegion {
  enum class Kind : std::uint8_t {
    look,    ///< the next two that are free
    take,    ///< the next `count` that are free, which there are
    release  ///< the one at `address`
  };
  Kind kind = Kind::look;
  unsigned count = 0;
  SpawnAddress address = 0;
  std::array<std::optional<SpawnAddress>, 2> next = {};  ///< filled: those that are looked at, or were taken
};

// To the new-warp FIFO.

struct WarpPush {
  NewWarp warp;
};
struct WarpPop {
  std::optional<NewWarp> warp = {};  ///< filled, if there is one
};

// To the dynamic scheduler.

/// A warp slot is free.
struct WarpChoice {
  bool launch_left = false;          ///< threads of the launch have not begun
  bool launch_room = false;          ///< there are states for them
  std::optional<NewWarp> warp = {};  ///< filled with what begins there, if a spawned warp does
  bool forced = false;               ///< filled: it is one that no more threads will join
};

// To the state addresses.

/// A thread of the launch begins, in a place of the SM.
struct StateClaim {
  std::uint32_t thread = 0;  ///< warp slot and lane: slot * warp_size + lane
  std::uint32_t state = 0;   ///< filled: the number of its state
};
/// The last thread that had a state has ended.
struct StateRelease {
  std::uint32_t state = 0;
};

}  // namespace reconverge
