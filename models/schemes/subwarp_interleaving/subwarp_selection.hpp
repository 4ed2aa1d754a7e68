// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Subwarp selection (Damani et al., HPCA 2022, section III-C.3): selects the stalled warp of a sub-core that switches
/// to a READY subwarp, and this subwarp.

#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

class SubwarpSelection : public sc_core::sc_module,
                         private ControlTarget<WarpWaits>,
                         private ControlTarget<SubwarpOffer>,
                         private ControlTarget<SubwarpTake> {
 public:
  ControlTargetSocket<WarpWaits> waits;
  ControlTargetSocket<SubwarpOffer> offers;
  ControlTargetSocket<SubwarpTake> takes;
  ControlInitiatorSocket<SubwarpSelection, BlockStates> states;
  ControlInitiatorSocket<SubwarpSelection, ReadyEntries> ready;
  ControlInitiatorSocket<SubwarpSelection, StateChange> changes;

  SubwarpSelection(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries, SelectTrigger trigger);

  void begin();
  void step();

  // For observers.
  /// The entry at which a warp's round robin continues.
  unsigned next(std::uint32_t warp) const { return next_[warp]; }
  /// Warps whose ACTIVE subwarp cannot issue.
  std::uint64_t waiting() const { return waiting_; }

 private:
  void b_transport(WarpWaits& message, sc_core::sc_time& delay) override;
  void b_transport(SubwarpOffer& offer, sc_core::sc_time& /*delay*/) override { offer.choice = choose(); }
  void b_transport(SubwarpTake& take, sc_core::sc_time& delay) override;
  std::optional<SubwarpChoice> choose();
  bool triggers(std::uint64_t stalled, std::uint64_t live) const;
  /// The first of `entries` (at least one) at or after `from`, with wrap-around.
  unsigned first_from(EntryMask entries, unsigned from) const;

  struct Taken {
    std::uint32_t warp;
    unsigned next;
  };

  EntryMask all_;
  SelectTrigger trigger_;
  std::vector<std::uint8_t> next_;  // by warp: where round robin continues
  std::uint64_t waiting_ = 0;
  std::uint64_t will_wait_ = 0;  // `waiting_` of the next cycle
  std::optional<Taken> taken_;   // taken in this cycle
};

}  // namespace reconverge
