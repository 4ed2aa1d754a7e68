#include "models/sm/lanes.hpp"

#include "models/sm/warp.hpp"

namespace reconverge {

using kernel::OperationClass;

Lanes::Lanes(sc_core::sc_module_name name, const LanesParameters& parameters)
    : sc_module(name),
      issue("issue"),
      alu_(parameters.alu_units, 1),
      multiply_(parameters.multiply_units, 1),
      special_(parameters.special_units, 1),
      fp64_(parameters.fp64_units, parameters.fp64_interval) {
  issue.register_b_transport(this, &Lanes::handle);
  const auto serve = [this](OperationClass operation_class, Pipe& pipe, Cycle latency, LanesInstructions counter) {
    services_[static_cast<std::size_t>(operation_class)] = {&pipe, latency, counter};
  };
  serve(OperationClass::alu, alu_, parameters.alu_latency, LanesInstructions::alu);
  serve(OperationClass::barrier, alu_, parameters.alu_latency, LanesInstructions::alu);
  serve(OperationClass::control, alu_, parameters.branch_latency, LanesInstructions::alu);
  serve(OperationClass::multiply, multiply_, parameters.multiply_latency, LanesInstructions::multiply);
  serve(OperationClass::warp, multiply_, parameters.multiply_latency, LanesInstructions::warp);
  serve(OperationClass::special, special_, parameters.special_latency, LanesInstructions::special);
  serve(OperationClass::fp64, fp64_, parameters.fp64_latency, LanesInstructions::fp64);
}

void Lanes::handle(int /*initiator*/, IssueRequest& request, sc_core::sc_time& /*delay*/) {
  const Service& service = services_[static_cast<std::size_t>(request.instruction->operation_class)];
  const Cycle start = service.pipe->next_free(request.now);
  request.accepted = start == request.now || request.queued;
  if (!request.accepted) {
    request.retry = start;
    return;
  }
  if (request.queued) {
    service.pipe->take_lanes(start, count_lanes(request.lanes));
  } else {
    service.pipe->take(start);
  }
  ++statistics_.instructions[service.counter];
  if (request.lanes != 0 && request.operation != nullptr) {
    request.operation(*request.instruction, request.warp->context, request.lanes);
  }
  request.result = start + service.latency;
  request.from_memory = false;
}

}  // namespace reconverge
