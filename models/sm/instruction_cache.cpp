// SPDX-License-Identifier: Apache-2.0
#include "models/sm/instruction_cache.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

InstructionCache::InstructionCache(sc_core::sc_module_name name, const InstructionCacheParameters& parameters,
                                   std::uint64_t line_bytes, std::uint32_t sm, Clock clock)
    : sc_module(name),
      requests("requests"),
      fills("fills"),
      next_level("next_level"),
      parameters_(parameters),
      line_bytes_(static_cast<unsigned>(line_bytes)),
      sm_(sm),
      clock_(clock),
      lines_(parameters.capacity, line_bytes, parameters.ways, "instruction_cache") {
  requests.bind(*this);
  next_level.bind(*this);
}

void InstructionCache::serve(LineFetch& request) {
  const LineStore::Place place = lines_.find(request.line, request.now);
  Cycle filled = place.filled;
  switch (place.found) {
    case LineStore::Found::here:
      ++statistics_.hits;
      break;
    case LineStore::Found::coming:
      ++statistics_.merges;
      break;
    case LineStore::Found::nowhere:
      ++statistics_.misses;
      filled = fetch(request.line, request.cycle);
      lines_.expect(request.line, filled);
      break;
  }
  request.filled = std::max(filled, request.cycle);
}

Cycle InstructionCache::fetch(DeviceAddress line, Cycle cycle) {
  auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, line, line_bytes_);
  notes.sm = sm_;
  notes.sectors = all_sectors(line_bytes_);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_until(cycle);
  if (next_level->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) return never;
  payload.release();
  return clock_.cycle_from(delay);
}

tlm::tlm_sync_enum InstructionCache::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const Cycle filled = clock_.cycle_from(delay);
  LineFill fill{payload.get_address(), filled};
  payload.release();
  phase = tlm::END_RESP;
  // Ignores answers to requests of an earlier launch that was stopped.
  if (lines_.fill(fill.line, filled)) {
    auto no_delay = sc_core::SC_ZERO_TIME;
    fills->b_transport(fill, no_delay);
  }
  return tlm::TLM_COMPLETED;
}

}  // namespace reconverge
