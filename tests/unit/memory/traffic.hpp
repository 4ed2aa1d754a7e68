// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Sends requests to memory blocks and records when each is answered.

#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <systemc>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/memory/sectors.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge::tests {

/// One request; the functions below make the usual ones.
struct Access {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  DeviceAddress address = 0;
  SectorMask sectors = 1;
  bool atomic = false;
  unsigned bytes = 0;  ///< zero: all of the sectors
  bool local = false;  ///< local memory
  bool texture = false;
  std::uint8_t together = 1;  ///< of an atomic: lanes with one address
  SectorMask padding = 0;     ///< of its sectors, the ones that no lane accesses
};

inline Access read(DeviceAddress address, SectorMask sectors = 0xf) {
  return {tlm::TLM_READ_COMMAND, address, sectors};
}
inline Access write(DeviceAddress address, SectorMask sectors = 0xf) {
  return {tlm::TLM_WRITE_COMMAND, address, sectors};
}
inline Access texture(DeviceAddress address) {
  Access access = read(address);
  access.texture = true;
  return access;
}
inline Access atomic(DeviceAddress address, std::uint8_t together = 1) {
  Access access{tlm::TLM_WRITE_COMMAND, address, 1, true};
  access.together = together;
  return access;
}
/// The same access to local memory.
inline Access local(Access access) {
  access.local = true;
  return access;
}

/// The traffic of one SM; times are cycles of its clock.
class Traffic : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Traffic> socket;

  explicit Traffic(sc_core::sc_module_name name, Clock clock = Clock(1'000'000'000), std::uint32_t sm = 0)
      : sc_module(name), socket("socket"), clock_(clock), sm_(sm) {
    socket.register_nb_transport_bw(this, &Traffic::answer);
    begin_.notify(sc_core::SC_ZERO_TIME);
  }

  /// Sends a request that arrives `delay` cycles from now; returns its number.
  std::uint32_t send(const Access& access, Cycle delay = 0) {
    const auto number = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back(never);
    taken_.push_back(never);
    const unsigned bytes = access.bytes != 0 ? access.bytes : bytes_of(access.sectors);
    auto [payload, notes] = payloads_.acquire(access.command, access.address, bytes);
    notes.sectors = access.sectors;
    notes.padding = access.padding;
    notes.atomic = access.atomic;
    notes.together = access.together;
    notes.local = access.local;
    notes.texture = access.texture;
    notes.sm = sm_;
    notes.ticket = number;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time time = clock_.time(delay);
    if (socket->nb_transport_fw(payload, phase, time) == tlm::TLM_COMPLETED) answer(payload, phase, time);
    return number;
  }

  /// When request `number` was answered: the first cycle that starts then or later.
  Cycle answered(std::uint32_t number) const { return answers_.at(number); }
  /// When a request that had been held was accepted, if it was not answered at that time.
  Cycle taken(std::uint32_t number) const { return taken_.at(number); }
  /// Numbers of requests in the order of their responses.
  const std::vector<std::uint32_t>& order() const { return order_; }
  std::size_t sent() const { return answers_.size(); }
  std::size_t outstanding() const { return payloads_.lent(); }
  const std::vector<Cycle>& answers() const { return answers_; }

  void run(Cycle cycles) { sc_core::sc_start(clock_.time(cycles)); }
  Cycle now() const { return clock_.now(); }

 private:
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const std::uint32_t number = notes_of(payload).ticket;
    if (phase == tlm::END_REQ) {
      taken_[number] = clock_.cycle_from(delay);
      return tlm::TLM_ACCEPTED;
    }
    REQUIRE(payload.is_response_ok());
    REQUIRE(answers_.at(number) == never);
    answers_[number] = clock_.cycle_from(delay);
    order_.push_back(number);
    payload.release();
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }

  Clock clock_;
  std::uint32_t sm_;
  sc_core::sc_event begin_;  // lets the first run, which may have no cycles, find something to do
  PayloadPool payloads_;
  std::vector<Cycle> answers_;
  std::vector<Cycle> taken_;
  std::vector<std::uint32_t> order_;
};

}  // namespace reconverge::tests
