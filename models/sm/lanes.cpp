// SPDX-License-Identifier: Apache-2.0
#include "models/sm/lanes.hpp"

#include <algorithm>

#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

using kernel::OperationClass;

Lanes::Pipes::Pipes(const LanesParameters& parameters)
    : pipes{Pipe(parameters.alu_units),      Pipe(std::max<std::uint64_t>(parameters.integer_units, 1)),
            Pipe(parameters.multiply_units), Pipe(parameters.special_units),
            Pipe(parameters.fp64_units),     Pipe(parameters.matrix_units)} {}

Lanes::Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers)
    : sc_module(name),
      issue("issue"),
      pipes_(parameters.sharing == LanesSharing::sm ? 1 : schedulers, Pipes(parameters)),
      table_(parameters),
      one_fp64_(parameters.fp64_sharing == LanesFp64Sharing::sm),
      branches_at_issue_(parameters.branch_decided == LanesBranchDecided::issue) {
  issue.bind(*this);
}

void Lanes::b_transport(IssueRequest& request, sc_core::sc_time& /*delay*/) {
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
  if (branches_at_issue_ && decoded.operation_class == OperationClass::control) [[unlikely]]
    request.result = request.now + service.latency;
}

}  // namespace reconverge
