// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Replaces everything below the first-level caches.

#include <systemc>
#include <vector>

#include "blocks/fixed_latency_memory.hpp"
#include "models/core/cycle.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class FixedLatencyMemory : public sc_core::sc_module {
 public:
  MemoryTargets<FixedLatencyMemory> requests;  ///< completed early

  FixedLatencyMemory(sc_core::sc_module_name name, const FixedLatencyMemoryParameters& parameters, Clock clock);

  FixedLatencyMemoryStatistics statistics() const;

 private:
  friend MemoryTargets<FixedLatencyMemory>;
  tlm::tlm_sync_enum take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);

  void end_of_elaboration() override { counts_.resize(requests.size()); }

  sc_core::sc_time latency_;
  /// By initiator, since SMs may send at the same time.
  struct alignas(64) Counts {
    FixedLatencyMemoryStatistics statistics;
  };
  std::vector<Counts> counts_;
};

}  // namespace reconverge
