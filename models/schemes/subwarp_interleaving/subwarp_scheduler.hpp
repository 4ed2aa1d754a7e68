// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The subwarp scheduler of a sub-core (Damani et al., HPCA 2022, Fig. 6): thread status tables, subwarp stall, wakeup
/// and selection, bound to each other.

#include "models/schemes/subwarp_interleaving/subwarp_selection.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_stall.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_unit.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_wakeup.hpp"
#include "models/schemes/subwarp_interleaving/thread_status_table.hpp"

namespace reconverge {

class SubwarpScheduler final : public SubwarpUnit {
 public:
  SubwarpScheduler(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries, SelectTrigger trigger);

  void begin() override;
  void set(std::uint32_t warp, EntryMask entries, ThreadState state) override;
  bool can_stall(std::uint32_t warp) const override { return stall_.can_stall(warp); }
  void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) override;
  void write_back(unsigned port, const WriteBack& result) override;
  void waits(std::uint32_t warp, bool waits) override;
  std::optional<SubwarpChoice> offer() override;
  void take(EntryMask peers) override;
  void step() override;
  EntryMask entries_in(std::uint32_t warp, ThreadState state) const override { return table_.entries_in(warp, state); }

  // For observers.
  const ThreadStatusTable& table() const { return table_; }
  const SubwarpSelection& selection() const { return selection_; }

 private:
  ThreadStatusTable table_;
  SubwarpStall stall_;
  SubwarpWakeup wakeup_;
  SubwarpSelection selection_;
  ControlInitiatorSocket<SubwarpScheduler, StateChange> changes_;
  ControlInitiatorSocket<SubwarpScheduler, StallCapture> stalls_;
  ControlInitiatorSocket<SubwarpScheduler, Broadcast> broadcasts_;
  ControlInitiatorSocket<SubwarpScheduler, WarpWaits> waits_;
  ControlInitiatorSocket<SubwarpScheduler, SubwarpOffer> offers_;
  ControlInitiatorSocket<SubwarpScheduler, SubwarpTake> takes_;
};

}  // namespace reconverge
