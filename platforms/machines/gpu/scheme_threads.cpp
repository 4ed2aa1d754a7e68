// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/scheme_threads.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

SchemeThreads::SchemeThreads(const char* name, Scheme& scheme, WarpSlots& slots, const GridThreads& grid,
                             sc_core::sc_port<BlockSource>& blocks)
    : starts_(name), scheme_(scheme), slots_(slots), grid_(grid), blocks_(blocks) {
  starts_.bind(scheme.starts);
}

void SchemeThreads::begin(const Launch& launch, Cycle turns_end) {
  launch_ = &launch;
  turns_end_ = turns_end;
  running_ = 0;
}

void SchemeThreads::start(Cycle now) {
  if (now < turns_end_) return;
  for (Warp& warp : slots_.slots()) {
    if (!scheme_.has_threads()) return;
    if (warp.live != 0) continue;
    StartRequest request;
    request.slot = warp.slot;
    request.now = now;
    request.others_wait = grid_.left();
    sc_core::sc_time delay;
    starts_->b_transport(request, delay);
    if (request.path.lanes == 0) return;
    warp.block_slot = 0;
    slots_.setup().attach(warp);
    warp.block_slot = Warp::no_block;
    warp.context.shared_bytes = warp.context.shared_begin = 0;  // a block's memory is not theirs
    slots_.setup().set_own_threads(warp, request.path.pc, request.identity);
    running_ += count_lanes(request.path.lanes);
    slots_.begin_warp(*this, warp, request.path.lanes, request.path.pc, now);
  }
}

void SchemeThreads::ended(Warp& /*warp*/, LaneMask lanes, Cycle now) {
  running_ -= count_lanes(lanes);
  blocks_->threads_ended(grid_.sm(), now);
}

void SchemeThreads::barrier_reached(Warp& /*warp*/, const kernel::Instruction& barrier, LaneMask /*lanes*/,
                                    Cycle /*now*/) {
  throw ExecutionError(fmt::format("{}: a barrier of a block, executed by threads that belong to none",
                                   kernel::place_of(*launch_->program, barrier)));
}

}  // namespace reconverge
