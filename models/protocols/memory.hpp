// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Memory traffic: tlm_generic_payload over ordinary sockets, from a pool so that nothing is allocated for each
/// request.
///
/// A request is sent with nb_transport_fw and BEGIN_REQ; the delay is the time from now until the request arrives. The
/// target either answers immediately (early completion: TLM_COMPLETED, with the delay until the answer arrives), or
/// returns TLM_ACCEPTED and answers later with nb_transport_bw, BEGIN_RESP and a delay of the same kind, which
/// completes the transaction (TLM_COMPLETED). Reads and atomics are answered when their data are available, writes when
/// the target has ordered them. Every request is answered once. The block that acquired the payload releases it. A
/// payload is a MemoryPayload. Payloads carry no data: functional memory is read and written at issue (see
/// models/execution/device_memory.hpp).
///
/// SMs run ahead of the current time, by at most the latency of the crossbar. A request of an SM arrives after the
/// crossbar later than any request that another SM has not sent yet. Blocks after the crossbar therefore see requests
/// in order, and a block may answer with any delay that is at least this latency.

#include <cassert>
#include <memory>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/protocols/first_level.hpp"

namespace reconverge {

class PayloadPool;

/// The kind of an access, in addition to read or write.
struct MemoryExtension : tlm::tlm_extension<MemoryExtension> {
  bool local = false;         ///< local memory of a thread: private to the SM
  bool texture = false;       ///< read by a texture cache
  bool atomic = false;        ///< read and modified at the L2 cache, where memory is coherent
  std::uint8_t together = 1;  ///< atomic: the largest number of lanes with one address
  bool bypass = false;        ///< a read that first-level caches do not keep
  std::uint8_t sectors = 0;   ///< bit i: bytes [32 i, 32 i + 32) after the address are transferred; the data length is
                              ///< their sum
  std::uint8_t padding = 0;   ///< of these, the sectors that complete a line: no lane accesses them
  std::uint32_t sm = 0;       ///< SM whose crossbar port the request and its answer use
  std::uint32_t ticket = 0;   ///< set by the initiator: identifies the waiter for the answer
  std::uint32_t port = 0;     ///< filled by the crossbar: identifies the waiter for the answer
  const PayloadPool* owner = nullptr;  ///< pool that lends the payload: distinguishes a block's requests from requests
                                       ///< that it forwards
  // State of the block that holds the request:
  Cycle arrival = 0;                         ///< when it was accepted
  Cycle latest = 0;                          ///< when its parts are available, as far as known
  std::uint32_t awaited = 0;                 ///< parts of it whose time is still unknown
  CacheOutcome outcome = CacheOutcome::hit;  ///< filled by the first-level cache that accepted it

  tlm_extension_base* clone() const override;
  void copy_from(const tlm_extension_base& other) override;
};

/// The payload of memory traffic: the extension is a member of the payload, and blocks at any TLM socket can see it.
struct MemoryPayload : tlm::tlm_generic_payload {
  explicit MemoryPayload(tlm::tlm_mm_interface& manager) : tlm_generic_payload(&manager) { set_extension(&notes); }
  MemoryPayload(const MemoryPayload&) = delete;
  MemoryPayload& operator=(const MemoryPayload&) = delete;
  ~MemoryPayload() override { clear_extension(&notes); }

  alignas(64) MemoryExtension notes;
};

/// The extension of a MemoryPayload.
inline MemoryExtension& notes_of(tlm::tlm_generic_payload& payload) {
  MemoryExtension& notes = static_cast<MemoryPayload&>(payload).notes;
  assert(payload.get_extension<MemoryExtension>() == &notes);
  return notes;
}

/// Prefetches a payload into the host's cache. With many payloads in flight, they are otherwise evicted before use.
inline void prefetch(const tlm::tlm_generic_payload& payload) {
  const auto* const first = reinterpret_cast<const std::byte*>(&payload);
  for (std::size_t line = 0; line < sizeof(MemoryPayload); line += 64) __builtin_prefetch(first + line, 1);
}

/// Owns payloads and lends them; a payload returns when its last reference is released.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  /// A payload with one reference and no data, and its extension.
  struct Loan {
    tlm::tlm_generic_payload& payload;
    MemoryExtension& notes;
  };
  Loan acquire(tlm::tlm_command command, DeviceAddress address, unsigned bytes);
  void free(tlm::tlm_generic_payload* payload) override { idle_.push_back(static_cast<MemoryPayload*>(payload)); }
  /// Payloads in use.
  std::size_t lent() const { return all_.size() - idle_.size(); }

 private:
  std::vector<std::unique_ptr<MemoryPayload>> all_;
  std::vector<MemoryPayload*> idle_;
};

}  // namespace reconverge
