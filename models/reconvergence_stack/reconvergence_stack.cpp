#include "models/reconvergence_stack/reconvergence_stack.hpp"

#include <algorithm>

namespace reconverge {

ReconvergenceStack::ReconvergenceStack(sc_core::sc_module_name name, std::size_t warp_slots)
    : sc_module(name), events("events"), stacks_(warp_slots) {
  events.bind(*this);
}

void ReconvergenceStack::b_transport(DivergenceRequest& request, sc_core::sc_time& /*delay*/) {
  Warp& warp = *request.warp;
  PathStack& stack = stacks_[warp.slot];
  switch (request.event) {
    case DivergenceEvent::start:
      stack.start(warp, request.lanes, request.pc);
      break;
    case DivergenceEvent::branch:
      ++statistics_.branches;
      if (stack.branch(warp, *request.instruction, request.lanes)) {
        ++statistics_.divergent_branches;
        ++statistics_.depth[std::min(stack.depth(), statistics_.depth.size() - 1)];
      }
      break;
    case DivergenceEvent::call:
      if (stack.call(warp, *request.instruction, request.lanes)) {
        ++statistics_.divergent_branches;
        ++statistics_.depth[std::min(stack.depth(), statistics_.depth.size() - 1)];
      }
      break;
    case DivergenceEvent::leave:
      stack.leave(warp, request.lanes);
      break;
    case DivergenceEvent::reconverge:
      ++statistics_.reconvergences;
      stack.reconverge(warp);
      break;
    case DivergenceEvent::exit:
      stack.exit(warp, request.lanes);
      break;
    case DivergenceEvent::whole_warp:
    case DivergenceEvent::arrive:
    case DivergenceEvent::select:
    case DivergenceEvent::advance:
    case DivergenceEvent::wait:
    case DivergenceEvent::release:
    case DivergenceEvent::answer:
      break;  // the lanes of a path move together: the scheduler does these by itself
  }
}

}  // namespace reconverge
