// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "blocks/sm.hpp"
#include "models/core/error.hpp"
#include "models/schemes/subwarp_interleaving/twin.hpp"
#include "models/schemes/thread_states/subwarp_instructions.hpp"

namespace reconverge {

using kernel::Pc;

namespace {

BarrierScheme::Options options_of(const SubwarpInterleavingParameters& parameters) {
  return {.registers = static_cast<unsigned>(parameters.registers),
          .switch_latency = parameters.switch_latency,
          .patience = parameters.patience,
          .move_latency = parameters.move_latency,
          .reconvergence_latency = parameters.reconvergence_latency,
          .nested_latency = parameters.nested_latency,
          .table_latency = parameters.table_latency,
          .fewer_lanes_first = parameters.order == SubwarpInterleavingOrder::fewer_lanes,
          .holder_first = parameters.spin == SubwarpInterleavingSpin::holder,
          .calls_apart = parameters.pointer_calls == SubwarpInterleavingPointerCalls::apart};
}

constexpr std::uint8_t number_of(SubwarpInterleavingCause cause) { return static_cast<std::uint8_t>(cause); }

constexpr BarrierScheme::Causes causes{number_of(SubwarpInterleavingCause::subwarp_switch),
                                       number_of(SubwarpInterleavingCause::subwarp_move),
                                       number_of(SubwarpInterleavingCause::subwarps_blocked)};

SelectTrigger trigger_of(SubwarpInterleavingTrigger trigger) {
  switch (trigger) {
    case SubwarpInterleavingTrigger::any:
      return SelectTrigger::any;
    case SubwarpInterleavingTrigger::half:
      return SelectTrigger::half;
    case SubwarpInterleavingTrigger::all:
      break;
  }
  return SelectTrigger::all;
}

SubwarpImplementation implementation_of(SubwarpInterleavingImplementation implementation) {
  switch (implementation) {
    case SubwarpInterleavingImplementation::model:
      return SubwarpImplementation::model;
    case SubwarpInterleavingImplementation::rtl:
      return SubwarpImplementation::rtl;
    case SubwarpInterleavingImplementation::lockstep:
      break;
  }
  return SubwarpImplementation::lockstep;
}

/// The sizes that the paper compares (Fig. 15).
void check_entries(const SmParameters& sm) {
  const std::uint64_t entries = sm.schemes.of<SubwarpInterleavingParameters>().entries;
  if (entries == 2 || entries == 4 || entries == 6 || entries == most_entries) return;
  throw ParameterError("gpu.sm.subwarp_interleaving.entries",
                       fmt::format("a thread status table of {} entries", entries),
                       "2, 4 and 6 entries for subwarps are possible, or 32 for threads");
}

}  // namespace

SubwarpInterleaving::SubwarpInterleaving(sc_core::sc_module_name name, const SchemePlace& place,
                                         const SubwarpInterleavingParameters& parameters)
    : BarrierScheme(name, place, options_of(parameters), causes),
      parameters_(parameters),
      own_(place.parameters.warp_slots, Own(static_cast<unsigned>(parameters.entries))),
      random_(parameters.seed + place.sm) {
  one_thread_ = parameters.implementation != SubwarpInterleavingImplementation::model;
  const std::uint64_t schedulers = place.parameters.scheduler.count;
  const std::uint64_t warps = (place.parameters.warp_slots + schedulers - 1) / schedulers;
  for (std::uint64_t i = 0; i < schedulers; ++i) {
    blocks_.emplace_back().unit = make_subwarp_unit(
        fmt::format("unit_{}", i).c_str(), static_cast<std::uint32_t>(warps), static_cast<unsigned>(parameters.entries),
        trigger_of(parameters.trigger), implementation_of(parameters.implementation));
  }
}

void SubwarpInterleaving::begin(const SchemeLaunch& launch) {
  BarrierScheme::begin(launch);
  if (prepared_ != kernel::key_of(program())) {
    prepared_ = kernel::key_of(program());
    uses_ = kernel::allocate_scoreboards(program(), ThreadCounters::scoreboards);
    estimate_ = StallEstimate(program());
  }
  for (Block& block : blocks_) {
    block.unit->begin();
    block.results = {};
    block.broadcasts = {};
    block.waiting = block.woken = block.stalled = 0;
    block.said = false;
  }
  own_.assign(own_.size(), Own(static_cast<unsigned>(parameters_.entries)));
}

void SubwarpInterleaving::start(SchemeRequest& request) {
  Own& own = own_[request.slot];
  own.entries_map.begin();
  own.real.clear();
  own.announced.clear();
  own.stalled.clear();
  own.current_stalled = false;
  own.turn = own.loads = 0;
  stop_waiting(request.slot);
  BarrierScheme::start(request);
}

std::size_t SubwarpInterleaving::first_side(const SchemeRequest& request, std::span<const WarpThreads::Side> sides) {
  switch (parameters_.order) {
    case SubwarpInterleavingOrder::taken_first:
      break;
    case SubwarpInterleavingOrder::loads_first: {
      std::size_t first = 0;
      std::uint64_t most = 0;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::uint64_t stalls = estimate_.stalls(request.pc, sides[i].pc);
        if (stalls <= most) continue;
        most = stalls;
        first = i;
      }
      return first;
    }
    case SubwarpInterleavingOrder::random:
      return random_() % sides.size();
    case SubwarpInterleavingOrder::fewer_lanes:
      return BarrierScheme::first_side(request, sides);
  }
  return 0;
}

bool SubwarpInterleaving::has_others(std::uint32_t slot) const {
  const WarpThreads& threads = warps_[slot].threads;
  return (threads.ready() | threads.stalled()) != 0;
}

bool SubwarpInterleaving::can_activate(std::uint32_t slot) const {
  const WarpThreads& threads = warps_[slot].threads;
  return threads.ready() != 0 && own_[slot].entries_map.has_room(threads);
}

void SubwarpInterleaving::choose(SchemeRequest& request) {
  WarpState& warp = warp_of(request);
  for (;;) {
    if (can_activate(request.slot)) {
      if (activate_next(request)) return run_after_switch(request);
    } else if (warp.threads.stalled() != 0) {
      request.answer = SchemeAnswer::wait;
      request.cause = number_of(SubwarpInterleavingCause::subwarps_stalled);
      return;
    } else {
      return BarrierScheme::choose(request);
    }
  }
}

void SubwarpInterleaving::settled(const SchemeRequest& request) {
  // Unless lanes leave a barrier, the current subwarp has issued or another subwarp has replaced it.
  if (request.event != SchemeEvent::release) goes_on(request.slot);
  tell_states(request.slot);
  const Block& block = block_of(request.slot);
  if (block.said || block.waiting != 0) tick_at(request.now);
}

void SubwarpInterleaving::goes_on(std::uint32_t slot) {
  Own& own = own_[slot];
  if (own.current_stalled) {
    // The unit has not received all of its results yet: they are broadcast one after another.
    const LaneMask waited = own.entries_map.lanes_of(own.told.stalled) & ~warps_[slot].threads.stalled();
    std::erase_if(own.stalled, [&](const StalledSubwarp& one) { return (one.lanes & waited) != 0; });
    own.current_stalled = false;
  }
  stop_waiting(slot);
}

void SubwarpInterleaving::stop_waiting(std::uint32_t slot) {
  own_[slot].stalled_at = kernel::no_pc;
  block_of(slot).waiting &= ~bit_of(slot);
  set_waits(slot, false);
}

void SubwarpInterleaving::set_waits(std::uint32_t slot, bool waits) {
  Own& own = own_[slot];
  if (own.waits == waits) return;
  own.waits = waits;
  block_of(slot).unit->waits(index_of(slot), waits);
  block_of(slot).said = true;
}

void SubwarpInterleaving::set(std::uint32_t slot, EntryMask entries, ThreadState state) {
  if (entries == 0) return;
  block_of(slot).unit->set(index_of(slot), entries, state);
  block_of(slot).said = true;
}

void SubwarpInterleaving::tell_states(std::uint32_t slot) {
  Own& own = own_[slot];
  const WarpThreads& threads = warps_[slot].threads;
  own.entries_map.update(threads);
  const auto entries = [&](LaneMask lanes) { return own.entries_map.entries_of(lanes); };
  Told want;
  want.stalled = entries(threads.stalled() | (own.current_stalled ? threads.active() : 0));
  want.active = own.current_stalled ? 0 : entries(threads.active());
  want.ready = entries(threads.ready());
  want.blocked = entries(threads.blocked());
  // In Fig. 7, some states can only be left through ACTIVE: the subwarp was active for less than a cycle.
  const Told& told = own.told;
  const EntryMask known = told.active | told.ready | told.blocked | told.stalled;
  const EntryMask wanted = want.active | want.ready | want.blocked | want.stalled;
  const EntryMask by_active =
      (want.ready & ~known) | (want.blocked & ~told.blocked & ~told.active) | (known & ~wanted & ~told.active);
  set(slot, (want.active & ~told.active) | by_active, ThreadState::active);
  set(slot, want.ready & ~told.ready, ThreadState::ready);
  set(slot, want.blocked & ~told.blocked, ThreadState::blocked);
  set(slot, known & ~wanted, ThreadState::inactive);
  own.told = want;
}

void SubwarpInterleaving::stall(SchemeRequest& request) {
  Own& own = own_[request.slot];
  if (!request.from_memory || warps_[request.slot].threads.active() != request.path.lanes) return;
  warps_[request.slot].path = request.path;
  block_of(request.slot).waiting |= bit_of(request.slot);
  own.stalled_at = request.path.pc;
  own.stalls_from = request.now + 1;
  tick_at(request.now + 1);
}

void SubwarpInterleaving::load(SchemeRequest& request) {
  Own& own = own_[request.slot];
  if (const auto scoreboard = uses_[request.pc].reports_to) {
    own.real.issue(*scoreboard, request.lanes);
    own.announced.issue(*scoreboard, request.lanes);
  }
  WarpState& warp = warp_of(request);
  if (own.stalled_at != kernel::no_pc && warp.threads.active() == request.path.lanes) {
    goes_on(request.slot);
    tell_states(request.slot);
    tick_at(request.now);
  }
  if (parameters_.yield_after == 0 || !request.stands) return;
  if (own.turn != warp.turns) own.loads = 0;
  own.turn = warp.turns;
  if (++own.loads < parameters_.yield_after || !can_activate(request.slot)) return;
  if (warp.threads.active() != request.path.lanes) return;
  ++statistics_.yields[SubwarpInterleavingYields::load];
  yield(request);
  answer(request);
}

void SubwarpInterleaving::result(SchemeRequest& request) {
  const auto scoreboard = uses_[request.pc].reports_to;
  if (!scoreboard) return;
  // A result is written in the cycle before it can be read; that cycle has not ended.
  const Cycle written = std::max(request.result - 1, request.now);
  block_of(request.slot).results.push({written, results_++, request.slot, *scoreboard, request.lanes});
  tick_at(written);
}

ThreadState SubwarpInterleaving::state_of(std::uint32_t slot, unsigned lane) const {
  const Block& block = blocks_[slot % blocks_.size()];
  const EntryMask entry = own_[slot].entries_map.entries_of(lane_bit(lane));
  for (const ThreadState state :
       {ThreadState::active, ThreadState::ready, ThreadState::blocked, ThreadState::stalled}) {
    if ((block.unit->entries_in(index_of(slot), state) & entry) != 0) return state;
  }
  return ThreadState::inactive;
}

void SubwarpInterleaving::add_statistics(Statistics& totals) const {
  SubwarpInterleavingStatistics own = statistics_;
  own.branches = counts_.branches;
  own.divergent_branches = counts_.divergent_branches;
  own.operations[SubwarpInterleavingOperations::join] = counts_.joins;
  own.operations[SubwarpInterleavingOperations::wait] = counts_.waits;
  own.operations[SubwarpInterleavingOperations::leave] = counts_.leaves;
  own.operations[SubwarpInterleavingOperations::spill] = counts_.spills;
  own.operations[SubwarpInterleavingOperations::fill] = counts_.fills;
  own.reconvergences = counts_.reconvergences;
  own.switches = counts_.switches;
  own.yields[SubwarpInterleavingYields::waiting_round] = counts_.yields;
  own.yields[SubwarpInterleavingYields::instruction] = counts_.yields_by_instruction;
  own.opened = counts_.opened;
  totals.of<SubwarpInterleavingStatistics>() += own;
}

const SchemeKind& subwarp_interleaving_scheme() {
  static const SchemeKind kind{.part = scheme_part<SubwarpInterleavingParameters>(),
                               .traits = {.tracking = DependencyTracking::counted,
                                          .scoreboards = ThreadCounters::scoreboards,
                                          .independent = true,
                                          .stalls = true,
                                          .loads = true,
                                          .asks = true,
                                          .load_causes = 1U << number_of(SubwarpInterleavingCause::subwarps_stalled)},
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<SubwarpInterleaving>(
                                     name, place, place.parameters.schemes.of<SubwarpInterleavingParameters>());
                               },
                               .extensions = subwarp_instructions,
                               .check_parameters = check_entries,
                               // Model and RTL report the same errors, so a rehearsal does not need the RTL of the
                               // launch.
                               .prepare_rehearsal =
                                   [](SmParameters& sm) {
                                     sm.schemes.of<SubwarpInterleavingParameters>().implementation =
                                         SubwarpInterleavingImplementation::model;
                                   }};
  return kind;
}

}  // namespace reconverge
