// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A separate port to memory, for a block of an SM that is not a cache. It transfers whole sectors through the
/// crossbar, without any order except that of the answers.

#include <functional>

#include "models/core/cycle.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class MemoryPort final : private MemoryInitiator {
 public:
  MemoryInitiatorSocket socket;

  /// Called with the ticket of a request, and the cycle from which its data are available or in which a write is
  /// complete. May be called within `read` and `write`.
  using Answered = std::function<void(std::uint32_t ticket, Cycle cycle)>;

  /// `sm`: SM whose crossbar port it shares. Constructed where modules construct their sockets.
  MemoryPort(const char* name, std::uint32_t sm, const Clock& clock, Answered answered);

  /// Requests the sectors in `sectors` (bit i: bytes [32 i, 32 i + 32) after `address`) in cycle `now`.
  void read(DeviceAddress address, std::uint8_t sectors, std::uint32_t ticket, Cycle now) {
    send(tlm::TLM_READ_COMMAND, address, sectors, ticket, now);
  }
  void write(DeviceAddress address, std::uint8_t sectors, std::uint32_t ticket, Cycle now) {
    send(tlm::TLM_WRITE_COMMAND, address, sectors, ticket, now);
  }
  /// Requests without an answer yet.
  std::uint64_t outstanding() const { return outstanding_; }

 private:
  void send(tlm::tlm_command command, DeviceAddress address, std::uint8_t sectors, std::uint32_t ticket, Cycle now);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  std::uint32_t sm_;
  Clock clock_;
  Answered answered_;
  PayloadPool payloads_;
  std::uint64_t outstanding_ = 0;
};

}  // namespace reconverge
