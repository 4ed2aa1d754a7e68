// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A channel of memory outside the GPU: sends the requests of L2 slices as plain TLM-2.0 base protocol, in place of a
/// DRAM channel.
///
/// A transaction has the device address, data, and byte enables if its sectors have gaps. Written data are those of the
/// device's memory when the request is sent. The GPU executes on its own copy of memory
/// (models/execution/device_memory.hpp): data that are read from outside determine only time.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "blocks/external_memory.hpp"
#include "models/execution/device_memory.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

/// The memory of a GPU whose channels are outside.
struct ExternalMemory {
  /// Binds the socket of a channel; called for channels 0, 1, ... while the GPU is constructed.
  std::function<void(unsigned channel, tlm::tlm_initiator_socket<>& socket)> bind;
};

class ExternalChannel : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  MemoryTargets<ExternalChannel> requests;  ///< of L2 slices; answered when the memory outside has answered
  tlm::tlm_initiator_socket<> memory;

  /// `contents`: of the device; must outlive it.
  ExternalChannel(sc_core::sc_module_name name, ExternalMemoryStyle style, const DeviceMemory& contents);
  ~ExternalChannel() override;

  /// Requests that were accepted and not yet answered.
  std::uint64_t in_flight() const { return in_flight_; }
  ExternalMemoryStatistics statistics() const;

 private:
  friend MemoryTargets<ExternalChannel>;
  class Pool;
  struct Transaction;

  tlm::tlm_sync_enum take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*first*/, sc_dt::uint64 /*last*/) override {}

  /// Fills address, command, data and byte enables, and counts the bytes.
  void describe(Transaction& transaction, const tlm::tlm_generic_payload& request);
  /// The process of approximately timed channels: sends the next request if the last one has been accepted.
  void send();
  /// The process of loosely timed channels.
  void transport();
  /// The next request that has arrived; null: wait for `wake_`.
  Transaction* arrived();
  /// Plans the answer of a transaction whose response comes after `delay`.
  void respond(Transaction& transaction, const sc_core::sc_time& delay);
  /// The process that answers L2 slices when responses arrive.
  void answer();

  const DeviceMemory& contents_;
  std::unique_ptr<Pool> pool_;
  std::multimap<sc_core::sc_time, Transaction*> arrivals_;   // requests, by time
  std::multimap<sc_core::sc_time, Transaction*> responses_;  // by the time of the response
  const Transaction* unaccepted_ = nullptr;                  // sent, and waits for END_REQ
  sc_core::sc_time free_at_;                                 // the next request cannot be sent earlier
  sc_core::sc_event wake_;
  sc_core::sc_event response_;
  std::uint64_t in_flight_ = 0;
  ExternalMemoryStatistics statistics_;
  sc_core::sc_time latency_;  // summed
};

}  // namespace reconverge
