#pragma once
/// The rays of the trace instructions that the unit holds: how far each has come, and what it needs next. A plain part
/// of the unit, not a module: it is state, and the unit its one user.

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
  bool moved = false;  ///< `homes` says where its threads' registers are
  Homes homes;
  kernel::Pc pc = kernel::no_pc;
  LaneMask path = 0;  ///< lanes of the path that issued it
  std::vector<MemoryFetch> fetches;
  // By lane:
  std::array<std::uint32_t, warp_size> next{};  ///< into `fetches`
  std::array<std::uint32_t, warp_size> end{};
  std::array<Cycle, warp_size> ready{};  ///< in which it can ask for the next; `never`: it waits for what it asked for
  LaneMask left = 0;                     ///< rays that have not ended
  Cycle ended = 0;                       ///< when those that have, had

  const MemoryFetch& needs(unsigned lane) const { return fetches[next[lane]]; }
};

/// Sectors of 32 bytes, by number, that lanes of an instruction need alike.
struct SharedFetch {
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint64_t first = 0;  ///< sector
  std::uint64_t last = 0;
};

class WarpBuffer {
 public:
  explicit WarpBuffer(std::size_t warps) : warps_(warps) {}

  void begin();

  bool full() const { return order_.size() == warps_.size(); }
  bool empty() const { return order_.empty(); }
  /// Those held, the oldest first.
  std::span<const std::uint32_t> held() const { return order_; }
  TracedWarp& operator[](std::uint32_t warp) { return warps_[warp]; }
  const TracedWarp& operator[](std::uint32_t warp) const { return warps_[warp]; }

  /// A place for one more.
  std::uint32_t take();
  /// The place is free.
  void release(std::uint32_t warp);

  /// What the unit asks for in cycle `now`: the oldest instruction that has a ray which can ask, of these the lowest
  /// lane, and with it all that need nothing besides what it gets.
  std::optional<SharedFetch> next(Cycle now) const;
  /// The first cycle in which any ray can ask.
  Cycle next_ready() const;

 private:
  std::vector<TracedWarp> warps_;
  std::vector<std::uint32_t> order_;
};

}  // namespace reconverge
