#pragma once
/// The cache that all SMs share.

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <vector>

#include "blocks/l2_cache.hpp"
#include "models/memory/tag_array.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge {

class L2Cache : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<L2Cache> requests;  ///< one binding an SM; completed early
  tlm_utils::simple_initiator_socket<L2Cache> memory;

  L2Cache(sc_core::sc_module_name name, const L2CacheParameters& parameters, Clock clock);

  const L2CacheStatistics& statistics() const { return statistics_; }

 private:
  tlm::tlm_sync_enum transport(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
  /// The cycle from which the line's data is in the cache; fetches it when it is absent and `fetch` says so.
  Cycle access(DeviceAddress line, Cycle now, Cycle start, bool write, bool fetch);

  L2CacheParameters parameters_;
  Clock clock_;
  TagArray tags_;
  std::vector<Cycle> slice_free_;
  PayloadPool payloads_;
  L2CacheStatistics statistics_;
};

}  // namespace reconverge
