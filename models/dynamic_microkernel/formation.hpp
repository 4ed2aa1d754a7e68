#pragma once
/// The formation of warps from new threads, as dynamic micro-kernels know it: the model (WarpFormation), its RTL, or
/// both in lock step.

#include "models/dynamic_microkernel/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// In a cycle at most one spawn is created and one warp leaves; none is created behind a partial warp that leaves.
class Formation : public sc_core::sc_module {
 public:
  /// Why threads cannot be created yet.
  enum class Stall : std::uint8_t {
    none,
    area,  ///< no line of the LUT, or no part of the formation area, is free
    fifo   ///< they complete a warp, and the FIFO is full
  };
  /// What a spawn gets.
  struct Offer {
    Stall stall = Stall::none;
    std::array<SpawnAddress, warp_size> address = {};  ///< of each lane's formation entry
    std::optional<NewWarp> full = {};                  ///< the warp that it completes
  };

  /// The formation area lies at `first` and has so many entries.
  virtual void begin(SpawnAddress first, std::uint64_t entries) = 0;

  /// What a spawn of `lanes`, at least one, would get; nobody is created.
  virtual Offer offer(kernel::Pc pc, LaneMask lanes) = 0;
  /// The threads of the last offer, with the same arguments, which did not stall, are created.
  virtual void create(kernel::Pc pc, LaneMask lanes) = 0;
  /// The threads of a warp that began have ended: its part of the formation area is free from the next cycle on. Called
  /// behind everything else in a cycle.
  virtual void release(const NewWarp& warp) = 0;
  /// Ends a cycle in which any of this happened, where that matters (`steps`).
  virtual void step() = 0;
  virtual bool steps() const { return true; }

  /// Where a scheduler takes warps from.
  virtual ControlTargetSocket<WarpPop>& full_warps() = 0;
  virtual ControlTargetSocket<PartialWarp>& partial_warps() = 0;
  /// Whether there are such, between cycles.
  virtual bool has_full() const = 0;
  virtual bool has_partial() const = 0;

 protected:
  explicit Formation(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace reconverge
