#include "models/sm/lanes.hpp"

#include <algorithm>

#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

using kernel::OperationClass;

Lanes::Pipes::Pipes(const LanesParameters& parameters)
    : pipes{Pipe(parameters.alu_units, parameters.alu_interval),
            Pipe(std::max<std::uint64_t>(parameters.integer_units, 1), parameters.integer_interval),
            Pipe(parameters.multiply_units, parameters.multiply_interval),
            Pipe(parameters.special_units, parameters.special_interval),
            Pipe(parameters.fp64_units, parameters.fp64_interval)} {}

Lanes::Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers)
    : sc_module(name),
      issue("issue"),
      pipes_(parameters.sharing == LanesSharing::sm ? 1 : schedulers, Pipes(parameters)) {
  issue.bind(*this);
  using Entry = LanesBusyCycles;
  using Counter = LanesInstructions;
  Services& services = services_.front();
  const auto serve = [&services](OperationClass operation_class, Service service) {
    services[static_cast<std::size_t>(operation_class)] = service;
  };
  serve(OperationClass::alu, {Entry::alu, parameters.alu_latency, Counter::alu});
  serve(OperationClass::barrier, {Entry::alu, parameters.alu_latency, Counter::alu});
  serve(OperationClass::control, {Entry::alu, parameters.branch_latency, Counter::alu});
  serve(OperationClass::multiply, {Entry::multiply, parameters.multiply_latency, Counter::multiply});
  serve(OperationClass::warp, {Entry::multiply, parameters.multiply_latency, Counter::warp});
  serve(OperationClass::special, {Entry::special, parameters.special_latency, Counter::special});
  serve(OperationClass::fp64, {Entry::fp64, parameters.fp64_latency, Counter::fp64});
  services_.back() = services;
  if (parameters.integer_units != 0) {
    services_.back()[static_cast<std::size_t>(OperationClass::alu)] = {Entry::integer, parameters.integer_latency,
                                                                       Counter::integer};
  }
}

void Lanes::b_transport(IssueRequest& request, sc_core::sc_time& /*delay*/) {
  const DecodedInstruction& decoded = *request.decoded;
  const Service& service = services_[decoded.integer ? 1 : 0][static_cast<std::size_t>(decoded.operation_class)];
  Pipes& pipes = pipes_[pipes_.size() == 1 ? 0 : request.scheduler];
  Pipe& pipe = pipes.pipes[static_cast<std::size_t>(service.pipe)];
  if (request.queued) {
    request.start = pipe.next_free(request.now);
    pipe.take_lanes(request.start, count_lanes(request.lanes));
  } else {
    if (!request.collected && pipe.next_free(request.now) != request.now) {
      request.refusal = Refusal::pipe;
      request.retry = pipe.next_free(request.now);
      return;
    }
    request.start = pipe.take(request.operands);
    statistics_.busy_cycles[service.pipe] += pipe.interval();
  }
  ++statistics_.instructions[service.counter];
  if (request.lanes != 0 && decoded.operation != nullptr) {
    decoded.operation(*decoded.instruction, request.warp->context, request.lanes);
  }
  request.result = request.start + service.latency;
}

}  // namespace reconverge
