// SPDX-License-Identifier: Apache-2.0
#include "models/memory/l2_slice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

SectorTags make_tags(const L2CacheParameters& parameters) {
  if (parameters.sector % sector_bytes != 0 || parameters.line % parameters.sector != 0) {
    throw ParameterError("gpu.l2.sector",
                         fmt::format("sectors of {} bytes in lines of {}", parameters.sector, parameters.line),
                         "make sector 32, 64, 128 or 256 bytes, and no longer than the line");
  }
  return {parameters.capacity, parameters.line, parameters.ways, "l2_cache", parameters.slices};
}

Cycle times(std::uint64_t bytes, std::uint64_t each) { return (bytes + each - 1) / each; }

}  // namespace

L2Slice::L2Slice(sc_core::sc_module_name name, const L2CacheParameters& parameters, const AddressMap& map,
                 Calendar& calendar)
    : sc_module(name),
      requests("requests"),
      memory("memory"),
      parameters_(parameters),
      map_(map),
      calendar_(calendar),
      tags_(make_tags(parameters)),
      misses_(parameters.mshrs),
      alarm_(calendar, [this](Cycle now) { work(now); }) {
  requests.bind(*this);
  memory.bind(*this);
}

tlm::tlm_sync_enum L2Slice::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                            sc_core::sc_time& delay) {
  ++in_flight_;
  const Cycle looked_up = calendar_.cycle_from(delay) + (notes_of(payload).texture ? 0 : parameters_.rop_latency);
  const Request request = describe(payload);
  tags_.prefetch(request.offset);
  input_.insert({looked_up, request}, [](const Arrival& a, const Arrival& b) { return a.cycle > b.cycle; });
  work(calendar_.now());
  return tlm::TLM_ACCEPTED;
}

void L2Slice::work(Cycle now) {
  while (!fills_.empty() && fills_.front().cycle <= now) fill();
  const bool may_look = !stalled_ || retry_;
  if (may_look && !input_.empty() && std::max(input_.front().cycle, tags_free_) <= now) look_up_next(now);
  if (!answers_.empty() && port_free_ <= now) answer_next(now);

  Cycle next = never;
  if (!fills_.empty()) next = fills_.front().cycle;
  if (!input_.empty() && !stalled_) next = std::min(next, std::max(input_.front().cycle, tags_free_));
  if (!answers_.empty()) next = std::min(next, port_free_);
  if (!input_.empty()) prefetch(*input_.front().request.payload);
  if (!answers_.empty()) prefetch(*answers_.front().payload);
  if (next != never) alarm_.ring_at(next);
}

void L2Slice::look_up_next(Cycle now) {
  if (stalled_) statistics_.stalls[*stalled_] += now - stalled_since_;
  stalled_since_ = now;
  retry_ = false;
  const Request& request = input_.front().request;
  stalled_ = parameters_.capacity == 0 ? pass(request) : look_up(request);
  if (stalled_) return;
  input_.pop();
  tags_free_ = now + 1;
}

Cycle L2Slice::in_turn(tlm::tlm_generic_payload& payload) const {
  return parameters_.atomic_lane_interval * (notes_of(payload).together - 1U);
}

void L2Slice::answer_in_turn(tlm::tlm_generic_payload& payload) {
  const std::uint64_t bytes = payload.get_data_length();
  Cycle cycles = std::max<Cycle>(1, times(bytes, parameters_.slice_bytes));
  if (notes_of(payload).atomic) {
    cycles = std::max(cycles, times(bytes, parameters_.atomic_bytes) * parameters_.atomic_interval);
    cycles += in_turn(payload);
  }
  answers_.push({&payload, cycles});
}

void L2Slice::answer_next(Cycle now) {
  const Answer answer = answers_.pop();
  port_free_ = now + answer.port_cycles;
  statistics_.busy_cycles += answer.port_cycles;
  --in_flight_;
  answer.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const bool atomic = notes_of(*answer.payload).atomic;
  const Cycle in_unit = atomic ? parameters_.atomic_latency + in_turn(*answer.payload) : 0;
  sc_core::sc_time delay = calendar_.time_until(now + parameters_.latency + in_unit);
  requests->nb_transport_bw(*answer.payload, phase, delay);
}

tlm::tlm_sync_enum L2Slice::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
  phase = tlm::END_RESP;
  if (payload.is_write()) {
    --writes_out_;
    payload.release();
    // Retries requests that waited for room; without a fill, nothing else would wake the slice.
    retry_ = true;
    alarm_.ring_at(calendar_.cycle_from(delay));
    return tlm::TLM_COMPLETED;
  }
  fills_.push({calendar_.cycle_from(delay), &payload});
  alarm_.ring_at(fills_.front().cycle);
  return tlm::TLM_COMPLETED;
}

}  // namespace reconverge
