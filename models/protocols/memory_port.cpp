// SPDX-License-Identifier: Apache-2.0
#include "models/protocols/memory_port.hpp"

#include <bit>
#include <utility>

namespace reconverge {

namespace {

constexpr unsigned bytes_of_sector = 32;

}  // namespace

MemoryPort::MemoryPort(const char* name, std::uint32_t sm, const Clock& clock, Answered answered)
    : socket(name), sm_(sm), clock_(clock), answered_(std::move(answered)) {
  socket.bind(*this);
}

void MemoryPort::send(tlm::tlm_command command, DeviceAddress address, std::uint8_t sectors, std::uint32_t ticket,
                      Cycle now) {
  auto [payload, notes] =
      payloads_.acquire(command, address, static_cast<unsigned>(std::popcount(sectors)) * bytes_of_sector);
  notes.sectors = sectors;
  notes.sm = sm_;
  notes.ticket = ticket;
  ++outstanding_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_until(now);
  if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) finish(payload, delay);
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  finish(payload, delay);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void MemoryPort::finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  --outstanding_;
  const std::uint32_t ticket = notes_of(payload).ticket;
  payload.release();
  answered_(ticket, clock_.cycle_from(delay));
}

}  // namespace reconverge
