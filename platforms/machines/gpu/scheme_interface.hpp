// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The SM's interface for a scheme: the targets of the sockets through which the scheme calls the SM.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/execution/warp.hpp"
#include "models/protocols/scheme.hpp"
#include "models/sm/warp_scheduler.hpp"

namespace reconverge {

class SchemeInterface : public sc_core::sc_module,
                        private ControlTarget<ResumeRequest>,
                        private ControlTarget<RetryRequest>,
                        private ControlTarget<TickRequest>,
                        private ControlTarget<MoveRequest>,
                        private ControlTarget<RowRequest>,
                        private ControlTarget<ExchangeRequest> {
 public:
  using Schedulers = std::vector<std::unique_ptr<WarpScheduler>>;

  /// A scheme's access to the time of the SM, which may sleep or have run ahead.
  struct SmTime {
    std::function<Cycle()> earliest;  ///< the first cycle that can still be affected
    std::function<void(Cycle)> wake;  ///< wakes the SM in a cycle
  };
  /// `number`: of the scheme in its SM, as counted by the schedulers. Warps and schedulers must outlive it.
  SchemeInterface(sc_core::sc_module_name name, std::size_t number, std::vector<Warp>& warps, Schedulers& schedulers,
                  SmTime time);

  /// Binds the scheme's sockets that call the SM.
  void bind(Scheme& scheme);
  void begin(const kernel::Program& program) { program_ = &program; }

 private:
  void b_transport(ResumeRequest& request, sc_core::sc_time& delay) override;
  void b_transport(RetryRequest& request, sc_core::sc_time& delay) override;
  void b_transport(TickRequest& request, sc_core::sc_time& delay) override;
  void b_transport(MoveRequest& request, sc_core::sc_time& delay) override;
  void b_transport(RowRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ExchangeRequest& request, sc_core::sc_time& delay) override;
  WarpScheduler& scheduler_of(std::uint32_t slot) { return *schedulers_[slot % schedulers_.size()]; }

  ControlTargetSocket<ResumeRequest> resumed_;
  ControlTargetSocket<RetryRequest> retries_;
  ControlTargetSocket<TickRequest> ticks_;
  ControlTargetSocket<MoveRequest> moves_;
  ControlTargetSocket<RowRequest> rows_;
  ControlTargetSocket<ExchangeRequest> exchanges_;
  std::size_t number_;
  std::vector<Warp>& warps_;
  Schedulers& schedulers_;
  SmTime time_;
  const kernel::Program* program_ = nullptr;
  std::vector<Warp*> moved_;
};

}  // namespace reconverge
