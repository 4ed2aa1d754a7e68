// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An approximately timed memory channel with four phases: it accepts a request in an interval, and responds to each
/// after a latency, one response at a time.

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>

class AtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<AtMemory> socket;

  AtMemory(sc_core::sc_module_name name, sc_core::sc_time interval, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), interval_(interval), latency_(latency), queue_(this, &AtMemory::act) {
    socket.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
  }

  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) payload.acquire();
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }

  void act(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) {
      ++(payload.is_write() ? writes : reads);
      queue_.notify(payload, tlm::END_REQ, interval_);
      queue_.notify(payload, tlm::BEGIN_RESP, interval_ + latency_);
    } else if (phase == tlm::END_REQ) {
      send(payload, tlm::END_REQ);
    } else if (phase == tlm::BEGIN_RESP) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      responses_.push_back(&payload);
      if (responses_.size() == 1) respond();
    } else {
      finish();
    }
  }

  /// Sends the first response; the next follows when the initiator has taken it.
  void respond() {
    if (send(*responses_.front(), tlm::BEGIN_RESP) != tlm::TLM_ACCEPTED) finish();
  }
  void finish() {
    responses_.front()->release();
    responses_.pop_front();
    if (!responses_.empty()) respond();
  }
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return socket->nb_transport_bw(payload, phase, delay);
  }

  sc_core::sc_time interval_;
  sc_core::sc_time latency_;
  tlm_utils::peq_with_cb_and_phase<AtMemory> queue_;
  std::deque<tlm::tlm_generic_payload*> responses_;
};
