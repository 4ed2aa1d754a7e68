#pragma once
/// Stands for all behind the first-level caches.

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>

#include "blocks/fixed_latency_memory.hpp"
#include "models/core/cycle.hpp"

namespace reconverge {

class FixedLatencyMemory : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<FixedLatencyMemory> requests;  ///< completed early

  FixedLatencyMemory(sc_core::sc_module_name name, const FixedLatencyMemoryParameters& parameters, Clock clock);

  const FixedLatencyMemoryStatistics& statistics() const { return statistics_; }

 private:
  tlm::tlm_sync_enum take(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);

  sc_core::sc_time latency_;
  FixedLatencyMemoryStatistics statistics_;
};

}  // namespace reconverge
