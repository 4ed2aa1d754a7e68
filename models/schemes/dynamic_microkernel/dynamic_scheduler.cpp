// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/dynamic_scheduler.hpp"

#include "models/protocols/ask.hpp"

namespace reconverge {

DynamicScheduler::DynamicScheduler(sc_core::sc_module_name name)
    : sc_module(name), choices("choices"), full_warps("full_warps"), partial_warps("partial_warps") {
  choices.bind(static_cast<ControlTarget<WarpChoice>&>(*this));
}

void DynamicScheduler::b_transport(WarpChoice& choice, sc_core::sc_time& /*delay*/) {
  choice.warp = ask(full_warps, WarpPop{}).warp;
  if (choice.warp || (choice.launch_left && launch_goes_on(choice.launch_room)) || !may_force()) return;
  choice.warp = ask(partial_warps, PartialWarp{}).warp;
  choice.forced = choice.warp.has_value();
}

}  // namespace reconverge
