// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Subwarp wakeup (Damani et al., HPCA 2022, section III-C.2, Fig. 8b): written results are broadcast to the tables.
/// They decrease the counts of entries that wait for them; an entry whose count reaches zero becomes READY.

#include "models/protocols/control.hpp"
#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

class SubwarpWakeup : public sc_core::sc_module, private ControlTarget<Broadcast> {
 public:
  ControlTargetSocket<Broadcast> broadcasts;
  ControlInitiatorSocket<SubwarpWakeup, StalledEntries> stalled;
  ControlInitiatorSocket<SubwarpWakeup, StatusUpdate> updates;

  explicit SubwarpWakeup(sc_core::sc_module_name name);

  void begin() { results_ = {}; }
  /// Ends a cycle. `stalls`: the warp that stalled in the cycle, if any. Must be the table's last message of the
  /// cycle.
  void step(std::optional<std::uint32_t> stalls);

 private:
  void b_transport(Broadcast& broadcast, sc_core::sc_time& delay) override;
  void update(std::uint32_t warp);

  std::array<std::optional<WriteBack>, write_back_ports> results_;  // results of this cycle
};

}  // namespace reconverge
