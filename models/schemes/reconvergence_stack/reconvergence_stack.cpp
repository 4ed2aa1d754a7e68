// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/reconvergence_stack/reconvergence_stack.hpp"

#include <algorithm>

#include "blocks/sm.hpp"

namespace reconverge {

ReconvergenceStack::ReconvergenceStack(sc_core::sc_module_name name, std::size_t warp_slots, std::size_t schedulers)
    : Scheme(name, schedulers), stacks_(warp_slots) {}

void ReconvergenceStack::run(SchemeRequest& request) {
  request.answer = request.path.lanes != 0 ? SchemeAnswer::run : SchemeAnswer::done;
}

void ReconvergenceStack::count_split(const PathStack& stack) {
  ++statistics_.divergent_branches;
  ++statistics_.depth[std::min(stack.depth(), statistics_.depth.size() - 1)];
}

void ReconvergenceStack::start(SchemeRequest& request) {
  request.path = stacks_[request.slot].start(request.lanes, request.path.pc);
  run(request);
}

void ReconvergenceStack::branch(SchemeRequest& request) {
  PathStack& stack = stacks_[request.slot];
  ++statistics_.branches;
  if (stack.branch(request.path, *request.instruction, request.lanes, request.targets)) count_split(stack);
  run(request);
}

void ReconvergenceStack::call(SchemeRequest& request) {
  PathStack& stack = stacks_[request.slot];
  if (stack.call(request.path, request.lanes, request.targets)) count_split(stack);
  run(request);
}

void ReconvergenceStack::leave(SchemeRequest& request) {
  stacks_[request.slot].leave(request.path, request.lanes);
  run(request);
}

void ReconvergenceStack::exit(SchemeRequest& request) {
  stacks_[request.slot].exit(request.path, request.lanes);
  run(request);
}

void ReconvergenceStack::stop(SchemeRequest& request) {
  ++statistics_.reconvergences;
  stacks_[request.slot].reconverge(request.path);
  run(request);
}

const SchemeKind& reconvergence_stack_scheme() {
  static const SchemeKind kind{.part = scheme_part<ReconvergenceStackParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 const SmParameters& sm = place.parameters;
                                 return std::make_unique<ReconvergenceStack>(name, sm.warp_slots, sm.scheduler.count);
                               }};
  return kind;
}

}  // namespace reconverge
