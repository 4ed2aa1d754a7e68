// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Replaces a cache or the next level at a socket of memory traffic: it records requests, and responds as the test
/// specifies.

#include <catch2/catch.hpp>
#include <systemc>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge::tests {

class MemoryStandIn : public sc_core::sc_module, private MemoryTarget {
 public:
  MemoryTargetSocket requests;

  enum class Answer : std::uint8_t {
    at_once,  ///< TLM_COMPLETED, `latency` after the arrival
    later,    ///< TLM_UPDATED: the test responds
    hold      ///< TLM_ACCEPTED: has no room, or its requests need no END_REQ; the test responds
  };
  Answer answer = Answer::at_once;
  Cycle latency = 100;

  /// A request as it arrived.
  struct Seen {
    Cycle arrival = 0;
    DeviceAddress address = 0;
    unsigned sectors = 0;
    unsigned bytes = 0;
    bool write = false;
    bool atomic = false;
    bool local = false;
    std::uint32_t sm = 0;
    tlm::tlm_generic_payload* payload = nullptr;
    unsigned together = 1;
    unsigned padding = 0;
  };

  explicit MemoryStandIn(sc_core::sc_module_name name, Clock clock = Clock(1'000'000'000))
      : sc_module(name), requests("requests"), clock_(clock) {
    requests.bind(*this);
  }

  const std::vector<Seen>& seen() const { return seen_; }
  /// The only request that arrived since the last call, or since the start.
  Seen only() {
    REQUIRE(seen_.size() == looked_at_ + 1);
    return seen_[looked_at_++];
  }

  /// Responds to request `number`, sent to `later` or `hold`: the response arrives in `cycle`.
  void respond(std::size_t number, Cycle cycle) {
    auto& payload = *seen_.at(number).payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    back(payload, tlm::BEGIN_RESP, cycle);
  }
  /// Accepts request `number`, which was held, in `cycle`; it is answered later.
  void take(std::size_t number, Cycle cycle) {
    notes_of(*seen_.at(number).payload).arrival = cycle;
    back(*seen_.at(number).payload, tlm::END_REQ, cycle);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    REQUIRE(phase == tlm::BEGIN_REQ);
    const MemoryExtension& notes = notes_of(payload);
    seen_.push_back({clock_.cycle_from(delay), payload.get_address(), notes.sectors, payload.get_data_length(),
                     payload.is_write(), notes.atomic, notes.local, notes.sm, &payload, notes.together, notes.padding});
    if (answer == Answer::hold) return tlm::TLM_ACCEPTED;
    if (answer == Answer::later) {
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    delay += clock_.time(latency);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, Cycle cycle) {
    sc_core::sc_time delay = clock_.time_until(cycle);
    requests->nb_transport_bw(payload, phase, delay);
  }

  Clock clock_;
  std::vector<Seen> seen_;
  std::size_t looked_at_ = 0;
};

}  // namespace reconverge::tests
