#pragma once
/// Divergence unit with a reconvergence stack for each warp slot.

#include <systemc>
#include <vector>

#include "blocks/reconvergence_stack.hpp"
#include "models/protocols/issue.hpp"
#include "models/reconvergence_stack/path_stack.hpp"

namespace reconverge {

class ReconvergenceStack : public sc_core::sc_module, private ControlTarget<DivergenceRequest> {
 public:
  ControlTargetSocket<DivergenceRequest> events;

  ReconvergenceStack(sc_core::sc_module_name name, std::size_t warp_slots);

  const ReconvergenceStackStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(DivergenceRequest& request, sc_core::sc_time& delay) override;

  std::vector<PathStack> stacks_;
  ReconvergenceStackStatistics statistics_;
};

}  // namespace reconverge
