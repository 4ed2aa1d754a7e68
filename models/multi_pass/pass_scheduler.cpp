// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/pass_scheduler.hpp"

#include <algorithm>

namespace reconverge {

PassScheduler::PassScheduler(sc_core::sc_module_name name) : sc_module(name), requests("requests") {
  requests.bind(*this);
}

BoundKernel first_kernel(const kernel::Partition& partition) {
  return {0, partition.static_bindings ? partition.kernels.front().from : std::uint8_t{0}};
}

void PassScheduler::begin(const kernel::Partition& partition) {
  partition_ = &partition;
  worklist_.assign(1, first_kernel(partition));
}

void PassScheduler::b_transport(WorklistRequest& request, sc_core::sc_time& /*delay*/) {
  if (request.completed) add_successors(*request.completed);
  if (worklist_.empty()) return;
  const auto earliest = std::ranges::min_element(
      worklist_, {}, [&](const BoundKernel& bound) { return partition_->kernels[bound.kernel].order; });
  request.next = *earliest;
  worklist_.erase(earliest);
}

void PassScheduler::add_successors(const BoundKernel& completed) {
  for (const std::uint32_t successor : partition_->kernels[completed.kernel].successors) {
    const std::uint8_t from = partition_->static_bindings ? partition_->kernels[successor].from : completed.to();
    const BoundKernel bound{successor, from};
    if (std::ranges::find(worklist_, bound) == worklist_.end()) worklist_.push_back(bound);
  }
}

}  // namespace reconverge
