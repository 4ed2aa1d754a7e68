#pragma once
/// The load/store unit of an SM.

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "blocks/load_store.hpp"
#include "models/memory/coalescer.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/memory.hpp"
#include "models/sm/pipe.hpp"

namespace reconverge {

class LoadStore : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<LoadStore, 32, ControlProtocol<IssueRequest>> issue;
  tlm_utils::simple_initiator_socket<LoadStore> cache;

  /// `line_bytes` is the line length of the cache that the unit is bound to.
  LoadStore(sc_core::sc_module_name name, const LoadStoreParameters& parameters, unsigned line_bytes, Clock clock);

  const LoadStoreStatistics& statistics() const { return statistics_; }

 private:
  void handle(int initiator, IssueRequest& request, sc_core::sc_time& delay);
  /// Times what the lanes just accessed, from `start` on: moves the request's result and returns how long the unit is
  /// busy.
  Cycle time_access(IssueRequest& request, Cycle start);
  Cycle send_lines(const MemoryAccess& access, IssueRequest& request, Cycle start);

  LoadStoreParameters parameters_;
  unsigned line_bytes_;
  Clock clock_;
  Pipe pipe_;
  LineList lines_;
  PayloadPool payloads_;
  LoadStoreStatistics statistics_;
};

}  // namespace reconverge
