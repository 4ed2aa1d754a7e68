#pragma once
/// Memory traffic: tlm_generic_payload over ordinary sockets, from a pool so that nothing is allocated for each
/// request.
///
/// Requests go by nb_transport_fw with BEGIN_REQ; the delay says when, from the current time on, the request is there.
/// The target either answers at once (early completion: TLM_COMPLETED, the delay says when the answer is there), or
/// returns TLM_ACCEPTED and answers later by nb_transport_bw with BEGIN_RESP and a delay in the same sense, which
/// completes the transaction (TLM_COMPLETED). Reads and atomics are answered when their data is there, writes when the
/// target has them in its order. Every request is answered once. Who acquired the payload releases it. A payload is a
/// MemoryPayload. Payloads carry no data: functional memory is read and written at issue (see
/// models/execution/device_memory.hpp).
///
/// SMs run ahead of the current time, by no more than the latency of the crossbar: what they send becomes visible
/// behind it later than anything that another SM has yet to send, so blocks behind the crossbar see requests in their
/// order, and a block may answer with any delay that is not shorter than that latency.

#include <cassert>
#include <memory>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/protocols/first_level.hpp"

namespace reconverge {

class PayloadPool;

/// What kind of access a payload is beyond read or write.
struct MemoryExtension : tlm::tlm_extension<MemoryExtension> {
  bool local = false;        ///< local memory of a thread: private to the SM
  bool texture = false;      ///< read by a texture cache
  bool atomic = false;       ///< read and modified where the memory is coherent, at the second-level cache
  bool bypass = false;       ///< a read that first-level caches do not keep
  std::uint8_t sectors = 0;  ///< bit i: bytes [32 i, 32 i + 32) behind the address travel; the data length is theirs
  std::uint32_t sm = 0;      ///< whose port of the crossbar the request and its answer take
  std::uint32_t ticket = 0;  ///< the initiator's own: what waits for the answer
  std::uint32_t port = 0;    ///< filled by the crossbar: who waits for the answer
  const PayloadPool* owner = nullptr;  ///< that lends the payload: tells what a block asked for from what it passed on
  // Notes of the block that holds the request:
  Cycle arrival = 0;                         ///< when it was taken
  Cycle latest = 0;                          ///< when what it waits for is there, as far as that is known
  std::uint32_t awaited = 0;                 ///< parts of it that are not known yet
  CacheOutcome outcome = CacheOutcome::hit;  ///< filled by the first-level cache that took it

  tlm_extension_base* clone() const override;
  void copy_from(const tlm_extension_base& other) override;
};

/// What memory traffic is made of: the extension lies in the payload itself, and blocks behind any TLM socket see it.
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

/// Tells the host that somebody will soon look into a payload: so many are on their way that its caches lose them.
inline void prefetch(const tlm::tlm_generic_payload& payload) {
  const auto* const first = reinterpret_cast<const std::byte*>(&payload);
  for (std::size_t line = 0; line < sizeof(MemoryPayload); line += 64) __builtin_prefetch(first + line, 1);
}

/// Owns payloads and lends them; a payload comes back when its last reference is released.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  /// A payload with one reference and no data, and its extension.
  struct Loan {
    tlm::tlm_generic_payload& payload;
    MemoryExtension& notes;
  };
  Loan acquire(tlm::tlm_command command, DeviceAddress address, unsigned bytes);
  void free(tlm::tlm_generic_payload* payload) override { idle_.push_back(static_cast<MemoryPayload*>(payload)); }
  /// Payloads that are out.
  std::size_t lent() const { return all_.size() - idle_.size(); }

 private:
  std::vector<std::unique_ptr<MemoryPayload>> all_;
  std::vector<MemoryPayload*> idle_;
};

}  // namespace reconverge
