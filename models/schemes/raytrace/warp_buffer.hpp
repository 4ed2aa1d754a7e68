// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The rays of the trace instructions in the unit, with the progress of each ray and its next data. This is not a
/// module, because only the unit uses the state.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

/// A trace instruction in the unit.
struct TracedWarp {
  Cycle entered = 0;
  std::uint32_t slot = 0;
  bool moved = false;  ///< `homes` contains the locations of its threads' registers
  Homes homes;
  kernel::Pc pc = kernel::no_pc;
  LaneMask path = 0;  ///< lanes of the path that issued it
  std::vector<MemoryFetch> fetches;
  // By lane:
  std::array<std::uint32_t, warp_size> next{};  ///< index into `fetches`
  std::array<std::uint32_t, warp_size> end{};
  LaneMask left = 0;  ///< rays that have not ended
  Cycle ended = 0;    ///< when the last of the ended rays ended

  const MemoryFetch& needs(unsigned lane) const { return fetches[next[lane]]; }
};

/// Sectors of 32 bytes, by number, that several lanes of an instruction need.
struct SharedFetch {
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint64_t first = 0;  ///< sector
  std::uint64_t last = 0;
};

class WarpBuffer {
 public:
  explicit WarpBuffer(std::size_t warps) : warps_(warps), asks_(warps), first_(warps, never) {}

  void begin();

  bool full() const { return order_.size() == warps_.size(); }
  bool empty() const { return order_.empty(); }
  /// Instructions in the buffer, the oldest first.
  std::span<const std::uint32_t> held() const { return order_; }
  TracedWarp& operator[](std::uint32_t warp) { return warps_[warp]; }
  const TracedWarp& operator[](std::uint32_t warp) const { return warps_[warp]; }

  /// Allocates an entry, none of whose rays can make a request.
  std::uint32_t take();
  /// Frees an entry, none of whose rays can make a request.
  void release(std::uint32_t warp);

  /// A waiting ray can make its next request in cycle `ready`.
  void can_ask(std::uint32_t warp, unsigned lane, Cycle ready);
  /// The rays, which could make a request, now wait for an answer.
  void wait(std::uint32_t warp, LaneMask lanes);

  /// The unit's request in cycle `now`, which never decreases. It is the request of the lowest lane that can make one,
  /// in the oldest instruction with such a lane, together with all lanes that need only the same data.
  std::optional<SharedFetch> next(Cycle now);
  /// The first cycle in which any ray can make a request; a past cycle if one already can.
  Cycle next_ready() const;

 private:
  /// The next data of an instruction's rays, separate from the other state so that a search reads little memory.
  struct Asks {
    LaneMask able = 0;       // can make a request
    LaneMask later = 0;      // can make a request from a later cycle on
    Cycle earliest = never;  // the first of these cycles
    // By lane, for rays that can make a request now or later:
    std::array<Cycle, warp_size> ready{};
    std::array<std::uint64_t, warp_size> first{};  // sector
    std::array<std::uint64_t, warp_size> last{};   // sector
    std::array<std::uint8_t, warp_size> purpose{};

    /// Finds the rays that can make a request in cycle `now`.
    void advance(Cycle now);
  };

  std::vector<TracedWarp> warps_;
  // By entry:
  std::vector<Asks> asks_;
  std::vector<Cycle> first_;  // when any ray can make a request: zero if one can, `never` for free entries
  std::vector<std::uint32_t> order_;
};

}  // namespace reconverge
