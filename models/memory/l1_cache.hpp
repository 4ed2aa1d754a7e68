#pragma once
/// The first-level cache of one SM.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "blocks/l1_cache.hpp"
#include "models/memory/tag_array.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge {

class L1Cache : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<L1Cache> requests;  ///< from the load/store unit, a line each; completed early
  tlm_utils::simple_initiator_socket<L1Cache> next_level;

  L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, Clock clock);

  /// Forgets all lines, as GPUs do between launches: the first level is not coherent.
  void invalidate();

  const L1CacheStatistics& statistics() const { return statistics_; }

 private:
  tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  /// `accepted` is when a miss register was free, if the line has to be fetched.
  Cycle read(DeviceAddress line, Cycle now, Cycle arrival, Cycle& accepted);
  void write(DeviceAddress line, Cycle now, Cycle arrival, bool local);
  Cycle atomic(DeviceAddress line, Cycle now, Cycle arrival);
  void evict(const TagArray::Line& victim, Cycle now, Cycle arrival);
  Cycle send(tlm::tlm_command command, DeviceAddress line, Cycle now, Cycle arrival, bool is_atomic = false);
  /// The cycle from `arrival` on in which a miss register is free.
  Cycle wait_for_mshr(Cycle arrival);

  L1CacheParameters parameters_;
  Clock clock_;
  TagArray tags_;
  PayloadPool payloads_;
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> outstanding_;  // when each MSHR is freed
  L1CacheStatistics statistics_;
};

}  // namespace reconverge
