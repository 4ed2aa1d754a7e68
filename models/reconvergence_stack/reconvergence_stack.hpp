#pragma once
/// Divergence unit with a reconvergence stack for each warp slot.

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <vector>

#include "blocks/reconvergence_stack.hpp"
#include "models/protocols/issue.hpp"
#include "models/reconvergence_stack/path_stack.hpp"

namespace reconverge {

class ReconvergenceStack : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<ReconvergenceStack, 32, ControlProtocol<DivergenceRequest>> events;

  ReconvergenceStack(sc_core::sc_module_name name, std::size_t warp_slots);

  const ReconvergenceStackStatistics& statistics() const { return statistics_; }

 private:
  void handle(int initiator, DivergenceRequest& request, sc_core::sc_time& delay);

  std::vector<PathStack> stacks_;
  ReconvergenceStackStatistics statistics_;
};

}  // namespace reconverge
