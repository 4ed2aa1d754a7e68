// SPDX-License-Identifier: Apache-2.0
#include "models/memory/crossbar.hpp"

#include <algorithm>

#include "models/protocols/memory.hpp"

namespace reconverge {

Crossbar::SlicePort::SlicePort(Crossbar& crossbar, std::size_t slice, Calendar& calendar)
    : crossbar_(crossbar), slice_(slice), alarm_(calendar, [this](Cycle now) { grant(now); }) {}

void Crossbar::SlicePort::push(const Packet& packet) {
  queue_.push(packet);
  alarm_.ring_at(std::max(packet.arrival, free_));
}

// Includes the slice's work, inlined.
[[gnu::flatten]] void Crossbar::SlicePort::grant(Cycle now) {
  const Packet packet = queue_.pop();
  free_ = now + packet.flits;
  crossbar_.statistics_.arbitration_wait_cycles += now - packet.arrival;
  crossbar_.statistics_.slice_port_cycles += packet.flits;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = crossbar_.calendar_.time_until(now + packet.flits - 1);
  if (crossbar_.slices[slice_]->nb_transport_fw(*packet.payload, phase, delay) == tlm::TLM_COMPLETED) {
    crossbar_.nb_transport_bw(*packet.payload, phase, delay);
  }
  if (!queue_.empty()) alarm_.ring_at(std::max(queue_.earliest(), free_));
}

Crossbar::Crossbar(sc_core::sc_module_name name, const CrossbarParameters& parameters, const AddressMap& map,
                   unsigned sms, Calendar& calendar)
    : sc_module(name),
      requests(*this),
      slices("slices", map.slices()),
      parameters_(parameters),
      map_(map),
      calendar_(calendar),
      injection_free_(sms),
      ejection_free_(sms) {
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    slices[slice].bind(*this);
    ports_.push_back(std::make_unique<SlicePort>(*this, slice, calendar));
  }
}

std::uint64_t Crossbar::waiting() const {
  std::uint64_t sum = 0;
  for (const auto& port : ports_) sum += port->waiting();
  return sum;
}

std::uint32_t Crossbar::flits(std::uint64_t bytes) const {
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>((bytes + parameters_.width - 1) / parameters_.width));
}

tlm::tlm_sync_enum Crossbar::take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                  sc_core::sc_time& delay) {
  auto& extension = notes_of(payload);
  extension.port = initiator;
  const std::uint64_t bytes = parameters_.header + (payload.is_write() ? payload.get_data_length() : 0);
  const std::uint32_t length = flits(bytes);
  const Cycle ready = calendar_.cycle_from(delay);
  Cycle& free = injection_free_.at(extension.sm);
  const Cycle start = std::max(ready, free);
  free = start + length;
  ++statistics_.requests;
  statistics_.request_bytes += bytes;
  statistics_.injection_wait_cycles += start - ready;
  const unsigned slice = map_.in_slice(payload.get_address()).slice;
  ports_[slice]->push({start + parameters_.latency, extension.sm, length, &payload});
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Crossbar::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  const auto& extension = notes_of(payload);
  const bool data = !payload.is_write() || extension.atomic;
  const std::uint64_t bytes = parameters_.header + (data ? payload.get_data_length() : 0);
  const std::uint32_t length = flits(bytes);
  const Cycle arrival = calendar_.cycle_from(delay) + parameters_.latency;
  Cycle& free = ejection_free_[extension.sm];
  const Cycle start = std::max(arrival, free);
  free = start + length;
  ++statistics_.replies;
  statistics_.reply_bytes += bytes;
  statistics_.ejection_wait_cycles += start - arrival;
  statistics_.ejection_port_cycles += length;
  delay = calendar_.time_until(free - 1);  // its last flit
  phase = tlm::BEGIN_RESP;
  return requests[extension.port]->nb_transport_bw(payload, phase, delay);
}

}  // namespace reconverge
