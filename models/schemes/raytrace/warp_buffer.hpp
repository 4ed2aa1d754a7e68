// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The rays of the trace instructions that the unit holds: the progress of each, and what it needs next. A plain part
/// of the unit, not a module: it is state that only the unit uses.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

/// One instruction that issued.
struct TracedWarp {
  Cycle entered = 0;
  std::uint32_t slot = 0;
  bool moved = false;  ///< `homes` says where the registers of its threads are
  Homes homes;
  kernel::Pc pc = kernel::no_pc;
  LaneMask path = 0;  ///< lanes of the path that issued it
  std::vector<MemoryFetch> fetches;
  // By lane:
  std::array<std::uint32_t, warp_size> next{};  ///< into `fetches`
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

  /// Allocates an entry, of which no ray can ask.
  std::uint32_t take();
  /// Frees an entry of which no ray can ask.
  void release(std::uint32_t warp);

  /// A ray that waits can make the request that it needs next in cycle `ready`.
  void can_ask(std::uint32_t warp, unsigned lane, Cycle ready);
  /// The rays, which could ask, wait for an answer.
  void wait(std::uint32_t warp, LaneMask lanes);

  /// The unit's request in cycle `now`, which never decreases: that of the oldest instruction with a ray that can ask,
  /// for the lowest such lane, together with all lanes that need nothing else than what it gets.
  std::optional<SharedFetch> next(Cycle now);
  /// The first cycle in which any ray can ask; a cycle that has passed if one can ask already.
  Cycle next_ready() const;

 private:
  /// What the rays of an instruction need next, apart from the other state, so that a search reads little memory.
  struct Asks {
    LaneMask able = 0;       // can ask
    LaneMask later = 0;      // can ask from a later cycle on
    Cycle earliest = never;  // the first of these cycles
    // By lane, of rays that can ask now or later:
    std::array<Cycle, warp_size> ready{};
    std::array<std::uint64_t, warp_size> first{};  // sector
    std::array<std::uint64_t, warp_size> last{};   // sector
    std::array<std::uint8_t, warp_size> purpose{};

    /// Finds the rays that can ask in cycle `now`.
    void advance(Cycle now);
  };

  std::vector<TracedWarp> warps_;
  // By entry:
  std::vector<Asks> asks_;
  std::vector<Cycle> first_;  // when any ray can ask: zero if one can, `never` in free entries
  std::vector<std::uint32_t> order_;
};

}  // namespace reconverge
