// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The SIMD lanes of an SM as pipes. Instructions execute at issue, and the answer contains the cycle in which the
/// result can be read. A pipe accepts instructions in issue order, each when its operands have been read.

#include <algorithm>
#include <array>
#include <systemc>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/pipe.hpp"
#include "models/sm/pipe_table.hpp"

namespace reconverge {

class Lanes final : public sc_core::sc_module, public ControlTarget<IssueRequest> {
 public:
  ControlTargetSocket<IssueRequest> issue;

  /// `schedulers`: number of schedulers that issue to these lanes.
  Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers);

  /// Executes the instruction, or refuses it.
  void serve(IssueRequest& request);

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

  void b_transport(IssueRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }

  std::vector<Pipes> pipes_;
  PipeTable table_;
  bool one_fp64_;  // all schedulers share the double-precision pipes
  bool branches_at_issue_;
  LanesStatistics statistics_;
};

inline void Lanes::serve(IssueRequest& request) {
  const DecodedInstruction& decoded = *request.decoded;
  const PipeService& service = table_.of(decoded);
  const bool of_sm = pipes_.size() == 1 || (one_fp64_ && service.pipe == LanesBusyCycles::fp64);
  Pipes& pipes = pipes_[of_sm ? 0 : request.scheduler];
  Pipe* pipe = &pipes.pipes[static_cast<std::size_t>(service.pipe)];
  LanesBusyCycles taken = service.pipe;
  if (service.either && (request.collected ? request.special : pipe->next_free(request.now) != request.now))
      [[unlikely]] {
    taken = LanesBusyCycles::special;
    pipe = &pipes.pipes[static_cast<std::size_t>(taken)];
  }
  if (request.queued) {
    request.start = pipe->next_free(request.now);
    pipe->take_lanes(request.start, count_lanes(request.lanes), service.interval);
  } else {
    if (!request.collected && pipe->next_free(request.now) != request.now) {
      request.refusal = Refusal::pipe;
      request.retry = pipe->next_free(request.now);
      return;
    }
    request.start = pipe->take(request.operands, service.interval);
    statistics_.busy_cycles[taken] += service.interval;
  }
  ++statistics_.instructions[service.counter];
  if (request.lanes != 0 && decoded.operation != nullptr) {
    decoded.operation(*decoded.instruction, request.warp->context, request.lanes);
  }
  request.result = request.start + service.latency;
  if (decoded.asynchronous && request.lanes != 0) [[unlikely]] {
    request.result = never;
    request.from_memory = true;
  }
  if (branches_at_issue_ && decoded.operation_class == kernel::OperationClass::control) [[unlikely]]
    request.result = request.now + service.latency;
}

}  // namespace reconverge
