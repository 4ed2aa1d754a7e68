// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Subwarp stall (Damani et al., HPCA 2022, sections III-B and III-C.2): ACTIVE entries of a warp become STALLED and
/// record the scoreboard and its counters. One warp a cycle.

#include "models/protocols/control.hpp"
#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

class SubwarpStall : public sc_core::sc_module, private ControlTarget<StallCapture> {
 public:
  ControlTargetSocket<StallCapture> stalls;
  ControlInitiatorSocket<SubwarpStall, StallCapture> captures;

  explicit SubwarpStall(sc_core::sc_module_name name);

  /// Begins the next cycle.
  void step() { this_cycle_.reset(); }
  bool can_stall(std::uint32_t warp) const { return !this_cycle_ || this_cycle_->warp == warp; }
  /// The warp that stalls in this cycle.
  std::optional<std::uint32_t> warp() const { return this_cycle_ ? std::optional(this_cycle_->warp) : std::nullopt; }

 private:
  void b_transport(StallCapture& capture, sc_core::sc_time& delay) override;

  std::optional<StallCapture> this_cycle_;
};

}  // namespace reconverge
