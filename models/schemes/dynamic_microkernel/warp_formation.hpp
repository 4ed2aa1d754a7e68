// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The formation of warps from new threads (Steffen and Zambreno, MICRO 2010, section IV-C, Figs. 4 and 5): the spawn
/// LUT, thread address adder, partial warp pool and new-warp FIFO, bound to each other. At most one spawn per cycle.

#include "models/schemes/dynamic_microkernel/formation.hpp"
#include "models/schemes/dynamic_microkernel/new_warp_fifo.hpp"
#include "models/schemes/dynamic_microkernel/partial_warp_pool.hpp"
#include "models/schemes/dynamic_microkernel/spawn_lut.hpp"
#include "models/schemes/dynamic_microkernel/thread_address_adder.hpp"

namespace reconverge {

class WarpFormation final : public Formation {
 public:
  WarpFormation(sc_core::sc_module_name name, std::size_t lut_lines, std::size_t fifo);

  void begin(SpawnAddress first, std::uint64_t entries) override;
  Offer offer(kernel::Pc pc, LaneMask lanes) override;
  void create(kernel::Pc pc, LaneMask lanes) override;
  void release(const NewWarp& warp) override;
  void step() override {}
  bool steps() const override { return false; }

  ControlTargetSocket<WarpPop>& full_warps() override { return fifo_.pops; }
  ControlTargetSocket<PartialWarp>& partial_warps() override { return lut_.partial_warps; }
  bool has_full() const override { return !fifo_.empty(); }
  bool has_partial() const override { return lut_.has_partial(); }

  /// The full warp and the partial warp that would leave next.
  std::optional<NewWarp> next_full() const { return fifo_.empty() ? std::nullopt : std::optional(fifo_.front()); }
  std::optional<NewWarp> next_partial() const { return lut_.lowest_partial(); }

  // For observers.
  const SpawnLut& lut() const { return lut_; }
  const PartialWarpPool& pool() const { return pool_; }
  const NewWarpFifo& fifo() const { return fifo_; }

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
