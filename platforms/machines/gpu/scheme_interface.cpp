// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/scheme_interface.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/execution/operations/members.hpp"
#include "models/execution/thread_moves.hpp"

namespace reconverge {

SchemeInterface::SchemeInterface(sc_core::sc_module_name name, std::size_t number, std::vector<Warp>& warps,
                                 Schedulers& schedulers, SmTime time)
    : sc_module(name),
      resumed_("resumed"),
      retries_("retries"),
      ticks_("ticks"),
      moves_("moves"),
      rows_("rows"),
      exchanges_("exchanges"),
      number_(number),
      warps_(warps),
      schedulers_(schedulers),
      time_(std::move(time)) {
  resumed_.bind(static_cast<ControlTarget<ResumeRequest>&>(*this));
  retries_.bind(static_cast<ControlTarget<RetryRequest>&>(*this));
  ticks_.bind(static_cast<ControlTarget<TickRequest>&>(*this));
  moves_.bind(static_cast<ControlTarget<MoveRequest>&>(*this));
  rows_.bind(static_cast<ControlTarget<RowRequest>&>(*this));
  exchanges_.bind(static_cast<ControlTarget<ExchangeRequest>&>(*this));
}

void SchemeInterface::bind(Scheme& scheme) {
  scheme.resumed.bind(resumed_);
  scheme.retries.bind(retries_);
  scheme.ticks.bind(ticks_);
  scheme.moves.bind(moves_);
  scheme.register_rows.bind(rows_);
  scheme.exchanges.bind(exchanges_);
}

void SchemeInterface::b_transport(ResumeRequest& request, sc_core::sc_time& /*delay*/) {
  Warp& warp = warps_[request.slot];
  // Callers such as memory do not know which cycles the SM has already run.
  request.now = std::max(request.now, time_.earliest());
  if (request.cycle < never) request.cycle = std::max(request.cycle, request.now);
  warp.path = request.path;
  warp.held_by_scheme = request.cycle >= never && request.until < never;
  if (request.cycle < never) {
    scheduler_of(request.slot).resume(warp, request.now, request.cycle);
  } else {
    if (request.until < never) request.until = std::max(request.until, request.now);
    scheduler_of(request.slot).stand(warp, request.now, number_, request.cause, request.until);
  }
  if (const Cycle next = std::min(request.cycle, request.until); next < never) time_.wake(next);
}

void SchemeInterface::b_transport(RetryRequest& request, sc_core::sc_time& /*delay*/) {
  for (auto& scheduler : schedulers_) scheduler->retry_scheme(number_, request.cause, request.cycle);
  time_.wake(request.cycle);
}

void SchemeInterface::b_transport(TickRequest& request, sc_core::sc_time& /*delay*/) { time_.wake(request.cycle); }

void SchemeInterface::b_transport(MoveRequest& request, sc_core::sc_time& /*delay*/) {
  moved_.clear();
  for (const std::uint32_t slot : request.slots) moved_.push_back(&warps_[slot]);
  move_threads(moved_, request.lanes);
}

void SchemeInterface::b_transport(RowRequest& request, sc_core::sc_time& /*delay*/) {
  std::byte* const bank = warps_[request.slot].context.bank[static_cast<std::size_t>(request.bank)];
  auto* const words = reinterpret_cast<std::uint32_t*>(bank + request.row * row_bytes);
  if (request.write == 0) {
    std::memcpy(request.words.data(), words, row_bytes);
  } else if (request.write == all_lanes) {
    std::memcpy(words, request.words.data(), row_bytes);
  } else {
    for_each_lane(request.write, [&](unsigned lane) { words[lane] = request.words[lane]; });
  }
}

void SchemeInterface::b_transport(ExchangeRequest& request, sc_core::sc_time& /*delay*/) {
  const ExecutionContext& context = warps_[request.slot].context;
  const kernel::Instruction& instruction = program_->instructions[request.pc];
  request.passing = guarded_lanes(instruction, context, request.lanes);
  for_each_lane(request.passing,
                [&](unsigned lane) { request.members[lane] = members_of(instruction, context, lane); });
}

}  // namespace reconverge
