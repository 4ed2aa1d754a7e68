// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Divergence scheme with a reconvergence stack for each warp slot.

#include <vector>

#include "blocks/reconvergence_stack.hpp"
#include "models/execution/path_stack.hpp"
#include "models/protocols/scheme_kind.hpp"

namespace reconverge {

class ReconvergenceStack final : public Scheme {
 public:
  ReconvergenceStack(sc_core::sc_module_name name, std::size_t warp_slots, std::size_t schedulers);

  void add_statistics(Statistics& totals) const override { totals.of<ReconvergenceStackStatistics>() += statistics_; }
  const ReconvergenceStackStatistics& statistics() const { return statistics_; }

 private:
  void start(SchemeRequest& request) override;
  void branch(SchemeRequest& request) override;
  void call(SchemeRequest& request) override;
  void leave(SchemeRequest& request) override;
  void exit(SchemeRequest& request) override;
  void stop(SchemeRequest& request) override;
  /// The warp runs the path on top of its stack.
  static void run(SchemeRequest& request);
  void count_split(const PathStack& stack);

  std::vector<PathStack> stacks_;  // by warp slot
  ReconvergenceStackStatistics statistics_;
};

const SchemeKind& reconvergence_stack_scheme();

}  // namespace reconverge
