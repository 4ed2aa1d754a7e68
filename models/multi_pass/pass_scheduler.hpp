// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Selects the kernel that runs next: the worklist of the host (Lashari 2008, section 3.3).
///
///     requests <- a kernel that ran for some threads; answers which one runs next

#include <vector>

#include "models/kernel/partition/partition.hpp"
#include "models/multi_pass/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class PassScheduler final : public sc_core::sc_module, private ControlTarget<WorklistRequest> {
 public:
  explicit PassScheduler(sc_core::sc_module_name name);

  ControlTargetSocket<WorklistRequest> requests;

  /// Begins a launch with the first kernel in the worklist. `partition` must outlive the launch.
  void begin(const kernel::Partition& partition);

 private:
  void b_transport(WorklistRequest& request, sc_core::sc_time& delay) override;
  void add_successors(const BoundKernel& completed);

  const kernel::Partition* partition_ = nullptr;
  std::vector<BoundKernel> worklist_;  // the oldest first, each once
};

/// The first kernel and its binding.
BoundKernel first_kernel(const kernel::Partition& partition);

}  // namespace reconverge
