// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Between SMs and the crossbar: keeps what both send in a quantum, and delivers it when the quantum ends. Until then
/// SMs and memory have nothing in common, and may run at the same time on several host threads.
///
/// It costs no simulated time: delays count from SystemC's time, which is the same when a message is delivered.

#include <memory>
#include <systemc>
#include <vector>

#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class Crossbar;

class MemoryExchange : public sc_core::sc_module, private MemoryInitiator {
 public:
  /// The crossbar must outlive it.
  MemoryExchange(sc_core::sc_module_name name, MemoryTargets<Crossbar>& next_level, unsigned sms);

  /// Adds a socket for another initiator, as MemoryTargets::add.
  MemoryTargetSocket& add();

  /// Delivers to SMs what memory has answered, in that order, and to the crossbar what SMs have sent: SM by SM, each in
  /// the order of its calls. The caller is the only one who uses any of them.
  void deliver();

 private:
  friend MemoryTargets<MemoryExchange>;

  struct Request {
    tlm::tlm_generic_payload* payload;
    std::uint32_t initiator;
    sc_core::sc_time delay;
  };
  struct Answer {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time delay;
  };

  tlm::tlm_sync_enum take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;

  MemoryTargets<MemoryExchange> requests_;
  MemoryTargets<Crossbar>& crossbar_;
  std::vector<std::unique_ptr<MemoryInitiatorSocket>> next_level_;  // one for each initiator
  /// Of one SM; on separate cache lines, since SMs write at the same time.
  struct alignas(64) Outbox {
    std::vector<Request> requests;
  };
  std::vector<Outbox> sent_;
  std::vector<Answer> answers_;
};

}  // namespace reconverge
