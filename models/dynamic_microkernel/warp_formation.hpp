#pragma once
/// The formation of warps from new threads (Steffen and Zambreno, MICRO 2010, section IV-C, Figs. 4 and 5): spawn LUT,
/// thread address adder, partial warp pool and new-warp FIFO, bound to each other. At most one spawn a cycle.

#include "models/dynamic_microkernel/new_warp_fifo.hpp"
#include "models/dynamic_microkernel/partial_warp_pool.hpp"
#include "models/dynamic_microkernel/spawn_lut.hpp"
#include "models/dynamic_microkernel/thread_address_adder.hpp"

namespace reconverge {

class WarpFormation : public sc_core::sc_module {
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

  WarpFormation(sc_core::sc_module_name name, std::size_t lut_lines, std::size_t fifo);

  /// The formation area lies at `first` and has so many entries.
  void begin(SpawnAddress first, std::uint64_t entries);

  /// What a spawn of `lanes`, at least one, would get; nobody is created.
  Offer offer(kernel::Pc pc, LaneMask lanes);
  /// The threads of the last offer, with the same arguments, which did not stall, are created.
  void create(kernel::Pc pc, LaneMask lanes);
  /// The threads of a warp that began have ended: its part of the formation area is free.
  void release(const NewWarp& warp);

  /// Where a scheduler takes warps from.
  ControlTargetSocket<WarpPop>& full_warps() { return fifo_.pops; }
  ControlTargetSocket<PartialWarp>& partial_warps() { return lut_.partial_warps; }

  bool has_full() const { return !fifo_.empty(); }
  /// The warps that would leave next.
  std::optional<NewWarp> next_full() const { return fifo_.empty() ? std::nullopt : std::optional(fifo_.front()); }
  std::optional<NewWarp> next_partial() const { return lut_.lowest_partial(); }
  std::uint32_t partial_threads() const { return lut_.partial_threads(); }

 private:
  SpawnLookup look_up(kernel::Pc pc, LaneMask lanes, bool commit);

  SpawnLut lut_;
  ThreadAddressAdder adder_;
  PartialWarpPool pool_;
  NewWarpFifo fifo_;
  ControlInitiatorSocket<WarpFormation, SpawnLookup> lookups_;
  ControlInitiatorSocket<WarpFormation, ThreadAddresses> sums_;
  ControlInitiatorSocket<WarpFormation, WarpPush> pushes_;
  ControlInitiatorSocket<WarpFormation, FormationRegion> regions_;
};

}  // namespace reconverge
