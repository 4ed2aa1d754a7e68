#include "models/sm/lanes.hpp"

#include <algorithm>

#include "models/sm/warp.hpp"

namespace reconverge {

using kernel::DataType;
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
      separate_integers_(parameters.integer_units != 0),
      pipes_(parameters.sharing == LanesSharing::sm ? 1 : schedulers, Pipes(parameters)),
      integer_{LanesBusyCycles::integer, parameters.integer_latency, LanesInstructions::integer} {
  issue.register_b_transport(this, &Lanes::handle);
  const auto serve = [this](OperationClass operation_class, Service service) {
    services_[static_cast<std::size_t>(operation_class)] = service;
  };
  using Entry = LanesBusyCycles;
  using Counter = LanesInstructions;
  serve(OperationClass::alu, {Entry::alu, parameters.alu_latency, Counter::alu});
  serve(OperationClass::barrier, {Entry::alu, parameters.alu_latency, Counter::alu});
  serve(OperationClass::control, {Entry::alu, parameters.branch_latency, Counter::alu});
  serve(OperationClass::multiply, {Entry::multiply, parameters.multiply_latency, Counter::multiply});
  serve(OperationClass::warp, {Entry::multiply, parameters.multiply_latency, Counter::warp});
  serve(OperationClass::special, {Entry::special, parameters.special_latency, Counter::special});
  serve(OperationClass::fp64, {Entry::fp64, parameters.fp64_latency, Counter::fp64});
}

const Lanes::Service& Lanes::service_of(const kernel::Instruction& instruction) const {
  if (separate_integers_ && instruction.operation_class == OperationClass::alu && !is_float(instruction.type)) {
    return integer_;
  }
  return services_[static_cast<std::size_t>(instruction.operation_class)];
}

void Lanes::handle(int scheduler, IssueRequest& request, sc_core::sc_time& /*delay*/) {
  const Service& service = service_of(*request.instruction);
  Pipes& pipes = pipes_[pipes_.size() == 1 ? 0 : static_cast<std::size_t>(scheduler)];
  Pipe& pipe = pipes.pipes[static_cast<std::size_t>(service.pipe)];
  if (request.queued) {
    request.start = pipe.next_free(request.now);
    pipe.take_lanes(request.start, count_lanes(request.lanes));
  } else {
    if (!request.collected && pipe.next_free(request.now) != request.now) {
      request.accepted = false;
      request.retry = pipe.next_free(request.now);
      return;
    }
    request.start = pipe.take(request.operands);
    statistics_.busy_cycles[service.pipe] += pipe.interval();
  }
  request.accepted = true;
  ++statistics_.instructions[service.counter];
  if (request.lanes != 0 && request.operation != nullptr) {
    request.operation(*request.instruction, request.warp->context, request.lanes);
  }
  request.result = request.start + service.latency;
  request.from_memory = false;
}

}  // namespace reconverge
