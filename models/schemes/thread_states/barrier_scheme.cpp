// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_states/barrier_scheme.hpp"

#include <algorithm>
#include <utility>

#include "blocks/sm.hpp"
#include "models/execution/operations/members.hpp"
#include "models/schemes/thread_states/subwarp_instructions.hpp"

namespace reconverge {

using kernel::Pc;

BarrierScheme::BarrierScheme(sc_core::sc_module_name name, const SchemePlace& place, const Options& options,
                             Causes causes)
    : Scheme(name, place.parameters.scheduler.count),
      options_(options),
      causes_(causes),
      warps_(place.parameters.warp_slots) {}

void BarrierScheme::begin(const SchemeLaunch& launch) {
  next_event_ = never;
  if (prepared_ == kernel::key_of(*launch.launch.program)) return;
  prepared_ = kernel::key_of(*launch.launch.program);
  program_ = launch.launch.program;
  code_ = BarrierCode(*program_, options_.registers);
  first_ = first_by_hint(*program_);
}

std::vector<Path> BarrierScheme::places(std::uint32_t slot) const {
  return warps_[slot].threads.places(warps_[slot].path);
}

Cycle BarrierScheme::free_from(const SchemeRequest& request) {
  const bool control = request.event != SchemeEvent::ask && request.instruction != nullptr &&
                       request.instruction->operation_class == kernel::OperationClass::control;
  return std::max(request.now + 1, control ? request.result : 0);
}

void BarrierScheme::run_after_switch(SchemeRequest& request) const {
  if (options_.switch_latency == 0) {
    request.answer = SchemeAnswer::run;
    request.from = free_from(request);
    return;
  }
  request.answer = SchemeAnswer::wait;
  request.until = free_from(request) + options_.switch_latency;
  request.cause = causes_.switching;
}

void BarrierScheme::wait_for_latencies(SchemeRequest& request) {
  const std::uint64_t moved = counts_.spills + counts_.fills;
  const std::uint64_t completed = counts_.completed - std::exchange(completed_waited_, counts_.completed);
  const Cycle moving = (moved - std::exchange(moves_waited_, moved)) * options_.move_latency;
  const Cycle cycles = moving + completed * options_.reconvergence_latency + std::exchange(owed_, 0);
  if (cycles == 0 || request.path.lanes == 0) return;
  if (request.answer == SchemeAnswer::wait) {
    request.until += cycles;
    return;
  }
  request.answer = SchemeAnswer::wait;
  request.until = free_from(request) + cycles;
  request.cause = moving != 0 ? causes_.moving : causes_.switching;
}

unsigned BarrierScheme::next_ready(const WarpState& warp) const {
  const LaneMask ready = warp.threads.ready();
  const LaneMask later = ready & ~(lane_bit(warp.last) | (lane_bit(warp.last) - 1));
  return first_lane(later != 0 ? later : ready);
}

void BarrierScheme::activate(SchemeRequest& request, unsigned lane) {
  WarpState& warp = warp_of(request);
  warp.last = lane;
  ++warp.turns;
  if (!options_.holder_first) warp.rounds = 0;
  ++counts_.switches;
  if ((warp.in_table | warp.owes_round) != 0) {
    const LaneMask lanes = warp.threads.subwarp_of(lane);
    if ((warp.in_table & lanes) != 0) owed_ += options_.table_latency;
    warp.in_table &= ~lanes;
    warp.owes_round &= ~lanes;
  }
  warp.threads.activate(lane, request.path, counts_);
}

bool BarrierScheme::activate_next(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  const unsigned lane = next_ready(warp);
  const bool owes_round = warp.owes_round != 0 && (warp.threads.subwarp_of(lane) & warp.owes_round) != 0;
  activate(request, lane);
  if (owes_round && request.path.lanes != 0) begin_round(request);
  return request.path.lanes != 0;
}

void BarrierScheme::choose(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  for (;;) {
    if (warp.threads.ready() != 0) {
      if (activate_next(request)) return run_after_switch(request);
    } else if (!let_someone_go(request.slot)) {
      // At a block barrier, the warp is already held.
      request.answer = request.event == SchemeEvent::wait ? SchemeAnswer::keep : SchemeAnswer::wait;
      request.cause = causes_.elsewhere;
      return;
    }
  }
}

void BarrierScheme::answer(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  if (request.path.lanes != 0) {
    if (request.answer != SchemeAnswer::wait) request.answer = SchemeAnswer::run;
  } else if (warp.threads.live() == 0) {
    request.answer = SchemeAnswer::done;
  } else {
    choose(request);
  }
  wait_for_latencies(request);
  warp.path = request.path;
  settled(request);
}

void BarrierScheme::start(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  warp.passes_exchange = warp.in_table = warp.owes_round = 0;
  warp.last = warp_size - 1;
  warp.rounds = 0;
  request.path = warp.threads.start(code_, request.lanes, request.path.pc);
  answer(request);
}

std::size_t BarrierScheme::first_side(const SchemeRequest& request, std::span<const WarpThreads::Side> sides) {
  if (!options_.fewer_lanes_first) return 0;
  if (request.targets.common == kernel::no_pc) {
    const auto lowest = [](const WarpThreads::Side& side) { return first_lane(side.lanes); };
    return static_cast<std::size_t>(std::ranges::min_element(sides, {}, lowest) - sides.begin());
  }
  return count_lanes(sides.front().lanes) < count_lanes(sides.back().lanes) ? 0 : sides.size() - 1;
}

bool BarrierScheme::part(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  const WarpThreads::Sides sides = WarpThreads::sides_of(request.path, request.lanes, request.targets);
  const auto all = sides.all();
  std::size_t first = 0;
  if (all.size() > 1) {
    first = hinted_side(all);
    if (first == all.size()) first = first_side(request, all);
    if ((warp.threads.ready() | warp.threads.stalled()) != 0) owed_ += options_.nested_latency;
    if (options_.fewer_lanes_first) warp.last = first_lane(all[first].lanes);
  }
  warp.threads.part(request.path, all, first, counts_);
  return all.size() > 1;
}

std::size_t BarrierScheme::hinted_side(std::span<const WarpThreads::Side> sides) const {
  if (first_.empty()) return sides.size();
  const auto hinted = [&](const WarpThreads::Side& side) { return std::ranges::find(first_, side.pc) != first_.end(); };
  return static_cast<std::size_t>(std::ranges::find_if(sides, hinted) - sides.begin());
}

void BarrierScheme::branch(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  const LaneMask lanes = request.path.lanes;
  ++counts_.branches;
  if (part(request)) ++counts_.divergent_branches;
  const LaneMask others = lanes & warp.threads.ready();
  if (request.targets.common == kernel::no_pc) {
    owed_ += options_.table_latency;
    warp.in_table |= others;
  }
  if (code_.ends_waiting_round(request.pc)) {
    if (options_.holder_first) {
      for_each_lane(others, [&](unsigned lane) {
        if (warp.threads.pc(lane) <= request.pc) warp.owes_round |= lane_bit(lane);
      });
    }
    if (request.path.lanes != 0 && request.path.pc <= request.pc) begin_round(request);
  }
  answer(request);
}

LaneMask BarrierScheme::open_for_round(const SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  WarpThreads& threads = warp.threads;
  LaneMask among = (threads.ready() | threads.stalled()) == 0 ? all_lanes : 0;
  if (options_.holder_first) {
    if (const LaneMask waiting = threads.waiting_for(request.path.lanes); waiting != 0) among = waiting;
  }
  if (among == 0 || ++warp.rounds < options_.patience) return 0;
  warp.rounds = 0;
  const LaneMask ready = threads.ready();
  threads.open(counts_, among);
  return threads.ready() & ~ready;
}

void BarrierScheme::begin_round(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  WarpThreads& threads = warp.threads;
  if (threads.active() == threads.live()) return;
  end_exchanges(request.slot);
  const LaneMask opened = open_for_round(request);
  if (threads.ready() == 0) return;
  ++counts_.yields;
  if (opened == 0 || !options_.holder_first) return yield(request);
  // An additional turn: the order of the READY subwarps is unchanged, so each still gets its turn.
  const unsigned last = warp.last;
  threads.yield(request.path);
  activate(request, first_lane(opened));
  warp.last = last;
  if (request.path.lanes != 0) run_after_switch(request);
}

void BarrierScheme::yield(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  const unsigned next = next_ready(warp);
  warp.threads.yield(request.path);
  activate(request, next);
  if (request.path.lanes != 0) run_after_switch(request);
}

// subwarp_yield is the only extension instruction of schemes with barriers that is reported to them.
void BarrierScheme::issued(SchemeRequest& request) {
  if (request.lanes == 0 || !can_activate(request.slot)) return;
  if (++request.path.pc == request.path.stop) {
    warp_of(request).threads.arrive(request.path, counts_);
  } else {
    ++counts_.yields_by_instruction;
    yield(request);
  }
  answer(request);
}

void BarrierScheme::call(SchemeRequest& request) {
  // A call that no lane executes continues like a branch that no lane takes.
  if (request.lanes != 0) {
    WarpThreads& threads = warp_of(request).threads;
    if (options_.calls_apart && request.targets.common == kernel::no_pc) {
      const auto sides = WarpThreads::sides_of(request.path, request.lanes, request.targets);
      threads.call(request.path, request.lanes, counts_, sides.all());
    } else {
      threads.call(request.path, request.lanes, counts_);
    }
  }
  part(request);
  answer(request);
}

void BarrierScheme::leave(SchemeRequest& request) {
  warp_of(request).threads.leave(request.path, request.lanes, request.targets, counts_);
  answer(request);
}

void BarrierScheme::exit(SchemeRequest& request) {
  WarpThreads& threads = warp_of(request).threads;
  threads.exit(request.path, request.lanes, counts_);
  if (threads.at_exchanges() != 0) end_exchanges(request.slot);
  answer(request);
}

void BarrierScheme::stop(SchemeRequest& request) {
  warp_of(request).threads.arrive(request.path, counts_);
  answer(request);
}

void BarrierScheme::wait(SchemeRequest& request) {
  warp_of(request).threads.wait(request.path, request.lanes, counts_);
  answer(request);
}

void BarrierScheme::release(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  const bool stands = warp.threads.active() == 0;
  warp.threads.release(request.lanes);
  if (stands) {
    request.path.lanes = 0;
    answer(request);
  } else {
    settled(request);
  }
}

LaneMask BarrierScheme::complete(std::uint32_t slot, Pc pc, LaneMask lanes, LaneMask& passing) {
  const LaneMask live = warps_[slot].threads.live();
  ExchangeRequest request;
  request.slot = slot;
  request.pc = pc;
  request.lanes = lanes;
  send(exchanges, request);
  passing = request.passing;
  if (!names_members(program_->instructions[pc])) return lanes == live ? lanes : 0;
  LaneMask complete = 0;
  for_each_lane(passing, [&](unsigned lane) {
    // A lane that arrived with a different member mask, from another loop iteration, is at a different exchange.
    const LaneMask members = request.members[lane];
    LaneMask agreeing = lane_bit(lane);
    for_each_lane(passing & members, [&](unsigned other) {
      if (request.members[other] == members) agreeing |= lane_bit(other);
    });
    if ((members & live & ~agreeing) == 0) complete |= lane_bit(lane);
  });
  return complete;
}

void BarrierScheme::ask(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  WarpThreads& threads = warp.threads;
  const kernel::Instruction& instruction = *request.instruction;
  if (!is_for_whole_warp(instruction) && !names_members(instruction)) return;
  const LaneMask here = request.path.lanes;
  if (here == threads.live()) return;
  if ((here & warp.passes_exchange) != 0) {
    warp.passes_exchange &= ~here;
    return;
  }
  const LaneMask waiting = threads.at_exchange(request.pc);
  LaneMask passing = 0;
  LaneMask go = complete(request.slot, request.pc, here | waiting, passing);
  if (names_members(instruction)) go |= here & ~passing;
  if (go == here) return;
  threads.exchange(request.path, here & ~go, waiting & go);
  answer(request);
}

void BarrierScheme::end_exchanges(std::uint32_t slot) {
  WarpThreads& threads = warps_[slot].threads;
  for (LaneMask left = threads.at_exchanges(); left != 0;) {
    const Pc pc = threads.pc(first_lane(left));
    const LaneMask waiting = threads.at_exchange(pc);
    LaneMask passing = 0;
    threads.end_exchange(complete(slot, pc, waiting, passing));
    left &= ~waiting;
  }
}

Pc BarrierScheme::first_unnamed_exchange(const WarpThreads& threads) const {
  Pc first = kernel::no_pc;
  for_each_lane(threads.at_exchanges(), [&](unsigned lane) {
    if (is_for_whole_warp(program_->instructions[threads.pc(lane)])) first = std::min(first, threads.pc(lane));
  });
  return first;
}

bool BarrierScheme::let_someone_go(std::uint32_t slot) {
  WarpState& warp = warps_[slot];
  WarpThreads& threads = warp.threads;
  if (threads.at_exchanges() == 0) return threads.open(counts_);
  end_exchanges(slot);
  if (threads.ready() != 0) return true;
  // The first exchange in program order executes first: in structured control flow, it is the innermost.
  const Pc exchange = first_unnamed_exchange(threads);
  if (exchange == kernel::no_pc) return threads.open(counts_);
  if (const LaneMask before = threads.before_exchange(exchange); before != 0) return threads.open(counts_, before);
  const LaneMask there = threads.at_exchange(exchange);
  warp.passes_exchange |= there;
  threads.end_exchange(there);
  return true;
}

}  // namespace reconverge
