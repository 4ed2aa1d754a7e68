#pragma once
/// Memory traffic: tlm_generic_payload over ordinary sockets, from a pool so that nothing is allocated for each
/// request.
///
/// Requests go by nb_transport_fw with BEGIN_REQ. A target that knows when it will answer returns TLM_COMPLETED with
/// the delay annotated (early completion): no event is spent. The delay of a call counts from the current time; on the
/// way in it says when the request arrives, on the way out when the answer is there. Payloads carry no data: functional
/// memory is read and written at issue (see models/memory/device_memory.hpp).

#include <memory>
#include <stdexcept>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/device_memory.hpp"

namespace reconverge {

/// What kind of access a payload is beyond read or write.
struct MemoryExtension : tlm::tlm_extension<MemoryExtension> {
  bool local = false;   ///< local memory of a thread: private to the SM
  bool atomic = false;  ///< read and modified where the memory is coherent, at the second-level cache
  Cycle accepted =
      0;  ///< filled by the first-level cache: when it could take the request; until then its port is blocked

  tlm_extension_base* clone() const override;
  void copy_from(const tlm_extension_base& other) override;
};

/// Owns payloads and lends them; a payload comes back when its last reference is released.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  /// A payload with one reference, a MemoryExtension and no data.
  tlm::tlm_generic_payload& acquire(tlm::tlm_command command, DeviceAddress address, unsigned bytes);
  void free(tlm::tlm_generic_payload* payload) override { idle_.push_back(payload); }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> idle_;
};

/// Sends one request that the target completes early, arriving at `arrival`; returns the cycle of the answer.
template <typename Socket>
Cycle send_early_completed(Socket& socket, tlm::tlm_generic_payload& payload, const Clock& clock, Cycle now,
                           Cycle arrival) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock.time(arrival - now);
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
  if (status != tlm::TLM_COMPLETED) throw std::logic_error("memory target did not complete early");
  return now + clock.cycles(delay);
}

}  // namespace reconverge
