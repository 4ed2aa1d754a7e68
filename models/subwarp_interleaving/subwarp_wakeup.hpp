#pragma once
/// Subwarp wakeup (Damani et al., HPCA 2022, section III-C.2, Fig. 8b): results that are written are broadcast to the
/// tables; the count of an entry that waits for them falls, and one that waits for none becomes READY.

#include "models/protocols/control.hpp"
#include "models/subwarp_interleaving/messages.hpp"

namespace reconverge {

class SubwarpWakeup : public sc_core::sc_module, private ControlTarget<Broadcast> {
 public:
  ControlTargetSocket<Broadcast> broadcasts;
  ControlInitiatorSocket<SubwarpWakeup, StalledEntries> stalled;
  ControlInitiatorSocket<SubwarpWakeup, StatusUpdate> updates;

  explicit SubwarpWakeup(sc_core::sc_module_name name);

  void begin() { results_ = {}; }
  /// The end of a cycle in which `stalls` stalled, if a warp did. Behind everything else that the table hears in it.
  void step(std::optional<std::uint32_t> stalls);

 private:
  void b_transport(Broadcast& broadcast, sc_core::sc_time& delay) override;
  void update(std::uint32_t warp);

  std::array<std::optional<WriteBack>, write_back_ports> results_;  // of this cycle
};

}  // namespace reconverge
