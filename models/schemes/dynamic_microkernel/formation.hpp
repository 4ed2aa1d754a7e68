// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Interface of the formation of warps from new threads. Implementations are the model (WarpFormation), its RTL, and
/// both in lock step.

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

/// In a cycle, at most one spawn creates threads and at most one warp leaves. No spawn may follow a partial warp that
/// leaves in the same cycle.
class Formation : public sc_core::sc_module {
 public:
  /// The reason that threads cannot be created yet.
  enum class Stall : std::uint8_t {
    none,
    area,  ///< no line of the LUT, or no region of the formation area, is free
    fifo   ///< the threads complete a warp, and the FIFO is full
  };
  /// The answer to a spawn.
  struct Offer {
    Stall stall = Stall::none;
    std::array<SpawnAddress, warp_size> address = {};  ///< by lane: the formation entry
    std::optional<NewWarp> full = {};                  ///< the warp that the spawn completes
  };

  /// Begins a launch whose formation area starts at `first` and has `entries` entries.
  virtual void begin(SpawnAddress first, std::uint64_t entries) = 0;

  /// The answer that a spawn of `lanes` (at least one lane) would get. Creates no threads.
  virtual Offer offer(kernel::Pc pc, LaneMask lanes) = 0;
  /// Creates the threads of the last offer, which had the same arguments and did not stall.
  virtual void create(kernel::Pc pc, LaneMask lanes) = 0;
  /// The threads of a started warp have ended: its region of the formation area is free from the next cycle on. Must be
  /// the last call in a cycle.
  virtual void release(const NewWarp& warp) = 0;
  /// Ends a cycle in which any of these calls happened. Needed only if `steps`.
  virtual void step() = 0;
  virtual bool steps() const { return true; }

  /// The socket from which a scheduler takes full warps.
  virtual ControlTargetSocket<WarpPop>& full_warps() = 0;
  virtual ControlTargetSocket<PartialWarp>& partial_warps() = 0;
  /// Whether a full warp is available; valid between cycles.
  virtual bool has_full() const = 0;
  virtual bool has_partial() const = 0;

 protected:
  explicit Formation(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace reconverge
