// SPDX-License-Identifier: Apache-2.0
#include "models/memory/fixed_latency_memory.hpp"

#include "models/protocols/memory.hpp"

namespace reconverge {

FixedLatencyMemory::FixedLatencyMemory(sc_core::sc_module_name name, const FixedLatencyMemoryParameters& parameters,
                                       Clock clock)
    : sc_module(name), requests(*this), latency_(clock.time(parameters.latency)) {}

tlm::tlm_sync_enum FixedLatencyMemory::take(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  FixedLatencyMemoryStatistics& statistics = counts_[initiator].statistics;
  if (notes_of(payload).atomic) {
    ++statistics.atomics;
  } else if (payload.is_write()) {
    ++statistics.writes;
  } else {
    ++statistics.reads;
  }
  delay += latency_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

FixedLatencyMemoryStatistics FixedLatencyMemory::statistics() const {
  FixedLatencyMemoryStatistics sum;
  for (const Counts& counts : counts_) sum += counts.statistics;
  return sum;
}

}  // namespace reconverge
