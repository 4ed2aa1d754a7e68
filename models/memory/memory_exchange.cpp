// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_exchange.hpp"

#include "models/memory/crossbar.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge {

MemoryExchange::MemoryExchange(sc_core::sc_module_name name, MemoryTargets<Crossbar>& next_level, unsigned sms)
    : sc_module(name), requests_(*this), crossbar_(next_level), sent_(sms) {}

MemoryTargetSocket& MemoryExchange::add() {
  const std::string name = fmt::format("next_level_{}", next_level_.size());
  auto& socket = *next_level_.emplace_back(std::make_unique<MemoryInitiatorSocket>(name.c_str()));
  socket.bind(*this);
  socket.bind(crossbar_.add());
  return requests_.add();
}

tlm::tlm_sync_enum MemoryExchange::take(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
  sent_[notes_of(payload).sm].requests.push_back({&payload, initiator, delay});
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum MemoryExchange::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                                   sc_core::sc_time& delay) {
  answers_.push_back({&payload, delay});
  return tlm::TLM_COMPLETED;
}

void MemoryExchange::deliver() {
  for (Answer& answer : answers_) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    // The crossbar numbers initiators in the same order.
    requests_[notes_of(*answer.payload).port]->nb_transport_bw(*answer.payload, phase, answer.delay);
  }
  answers_.clear();
  for (Outbox& sm : sent_) {
    for (Request& request : sm.requests) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      (*next_level_[request.initiator])->nb_transport_fw(*request.payload, phase, request.delay);
    }
    sm.requests.clear();
  }
}

}  // namespace reconverge
