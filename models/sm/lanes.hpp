// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The SIMD lanes of an SM as pipes. Instructions execute at issue, and the answer contains the cycle in which the
/// result can be read. A pipe accepts instructions in issue order, each when its operands have been read.

#include <array>
#include <systemc>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/pipe.hpp"
#include "models/sm/pipe_table.hpp"

namespace reconverge {

class Lanes : public sc_core::sc_module, private ControlTarget<IssueRequest> {
 public:
  ControlTargetSocket<IssueRequest> issue;

  /// `schedulers`: number of schedulers that issue to these lanes.
  Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers);

  const LanesStatistics& statistics() const { return statistics_; }
  void archive(StateArchive& state) { state(pipes_); }

 private:
  /// The pipes of one scheduler, or of all schedulers.
  struct Pipes {
    explicit Pipes(const LanesParameters& parameters);
    void archive(StateArchive& state) {
      for (Pipe& pipe : pipes) state(pipe);
    }
    std::array<Pipe, 6> pipes;  // by LanesBusyCycles
  };

  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override;

  std::vector<Pipes> pipes_;
  PipeTable table_;
  bool one_fp64_;  // all schedulers share the double-precision pipes
  bool branches_at_issue_;
  LanesStatistics statistics_;
};

}  // namespace reconverge
