// SPDX-License-Identifier: Apache-2.0
// The issue of an instruction of the selected warp, and the notifications of schemes.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <stdexcept>

#include "models/execution/block_barriers.hpp"
#include "models/execution/operations/members.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/sm/warp_scheduler.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Pc;

namespace {

constexpr std::uint64_t bit_of(unsigned entry) { return std::uint64_t{1} << entry; }

/// All lanes of a path execute its branches: the guard selects each lane's target, not whether the lane executes.
LaneMask executing_lanes(const IssueRequest& request) {
  return request.decoded->flow == Flow::branch ? request.warp->context.active : request.lanes;
}

/// Fetches the rows of the usual number of operands into the host's first-level cache, which does not hold the register
/// file, long before the lanes read them.
void prefetch_operands(const Warp& warp, const DecodedInstruction& decoded) {
  const std::uint16_t* const rows = decoded.rows.read.begin();
  for (unsigned i = 0; i < 3; ++i) {
    const std::byte* const row = warp.context.bank[0] + std::size_t{rows[i]} * row_bytes;
    __builtin_prefetch(row);
    __builtin_prefetch(row + 64);
  }
}

}  // namespace

void WarpScheduler::send(IssueRequest& request) {
  Warp& warp = *request.warp;
  const DecodedInstruction& decoded = *request.decoded;
  request.scheduler = number_;
  warp.context.active = warp.path.lanes;
  warp.context.clock = request.now;
  warp.context.live = warp.live;
  request.lanes = decoded.guard.pass(warp.context.predicates, warp.path.lanes);
  if (decoded.exchange) require_members(*decoded.instruction, warp.context, request.lanes);
  issue.send(request);
}

SchemeRequest WarpScheduler::message_of(SchemeEvent event, const Warp& warp, LaneMask lanes,
                                        const IssueRequest& request) {
  SchemeRequest message;
  message.event = event;
  message.slot = warp.slot;
  message.lanes = lanes;
  message.path = warp.path;
  message.pc = warp.path.pc;
  message.live = warp.live;
  message.position = warp.context.position;
  message.now = request.now;
  message.result = request.result;
  message.from_memory = request.from_memory;
  if (request.decoded != nullptr) message.instruction = request.decoded->instruction;
  return message;
}

void WarpScheduler::tell(SchemeRequest& message, std::size_t number, Warp& warp) {
  sc_core::sc_time delay;
  (*schemes[number])->b_transport(message, delay);
  if (message.answer == SchemeAnswer::keep) return;
  if (message.event == SchemeEvent::result && !message.stands) {
    throw std::logic_error("a scheme answered a result with a path, but the warp is not stalled");
  }
  warp.path = message.path;
}

bool WarpScheduler::obey(unsigned entry, std::size_t number, const SchemeRequest& answered) {
  switch (answered.answer) {
    case SchemeAnswer::keep:
    case SchemeAnswer::run:
      return true;
    case SchemeAnswer::wait:
      entries_[entry].warp->held_by_scheme = number == 0;
      held_before_ = (held_before_ & ~bit_of(entry)) | (answered.event == SchemeEvent::ask ? bit_of(entry) : 0);
      hold(entry, cause_of(number, answered.cause), answered.until);
      // Unless an additional scheme answered `ask`, the warp must look ahead again after the wait.
      if (number == 0 || answered.event != SchemeEvent::ask) told_to_wait_ |= bit_of(entry);
      return false;
    case SchemeAnswer::done:
      hold(entry, Cause::empty, never);
      entries_[entry].forget_buffer();
      return false;
  }
  return true;
}

bool WarpScheduler::turn(unsigned entry, SchemeEvent event, LaneMask lanes, IssueRequest request) {
  Warp& warp = *request.warp;
  SchemeRequest message = message_of(event, warp, lanes, request);
  const bool returns = event == SchemeEvent::leave && traits_.independent;
  if (event == SchemeEvent::branch || event == SchemeEvent::call || returns) {
    message.targets.set(*message.instruction, warp.context.targets);
    if (observer_ != nullptr && !returns) note_branch(message, false);
  }
  tell(message, 0, warp);
  if (obey(entry, 0, message)) return true;
  if (message.answer == SchemeAnswer::wait) note_results(request);
  return false;
}

// The usual issue of an instruction, inlined; what few instructions need has separate functions.
[[gnu::flatten]] bool WarpScheduler::issue_path(unsigned entry, Cycle now) {
  Warp& warp = *entries_[entry].warp;
  const DecodedInstruction& decoded = *entries_[entry].next;
  assert(&decoded == &image_->decoded(warp.path.pc));
  if (decoded.asks && !may_issue(entry, decoded, now)) return false;
  prefetch_operands(warp, decoded);
  IssueRequest request;
  request.warp = &warp;
  request.decoded = &decoded;
  request.now = now;
  send(request);
  if (request.refusal != Refusal::none) {
    refuse(entry, request);
    return false;
  }
  if (request.closed != 0) refused_until_ = request.closed;
  if (observer_ != nullptr) [[unlikely]]
    note_issue(request, executing_lanes(request), false);
  ++statistics_.active_lanes[count_lanes(executing_lanes(request))];
  if (buffer_ == InstructionBuffer::drained) entries_[entry].first = warp.path.pc + 1;
  const bool goes_on = follow(entry, request);
  if (watch_ != nullptr) watch_->look(warp);
  if (goes_on) look_ahead(entry, request);
  return true;
}

void WarpScheduler::refuse(unsigned entry, IssueRequest request) {
  if (request.refused == Refused::all) {
    refused_until_ = request.retry;
    return;
  }
  if (request.refused == Refused::memory) return close_load_store(entry, request.retry);
  hold(entry, request.refusal == Refusal::pipe ? Cause::pipe : Cause::collector, request.retry);
}

void WarpScheduler::close_load_store(unsigned entry, Cycle until) {
  const std::uint64_t entries = bit_of(entry) | (choosable() & for_load_store_);
  const std::uint64_t ranks = bit_of(entries_[entry].rank) | (ready_ranks_ & for_load_store_ranks_);
  if (closed_ != 0 && closed_until_ != until) {
    for (std::uint64_t left = entries; left != 0; left &= left - 1) {
      hold(static_cast<unsigned>(std::countr_zero(left)), Cause::pipe, until);
    }
    return;
  }
  ready_ &= ~entries;
  closed_ranks_ |= ranks;
  ready_ranks_ &= ~ranks;
  held_[Cause::pipe] |= entries;
  closed_ |= entries;
  closed_until_ = until;
}

void WarpScheduler::try_load_store(Cycle now) {
  // With others ready, or instructions that a scheme decides on, the attempt decides what the cycle is charged to.
  if (ready_ == 0 && refused_until_ <= now && (closed_ & ~for_load_store_) == 0) {
    closed_until_ = sm->load_store_room(number_, now);
    if (closed_until_ > now) return;
  }
  held_[Cause::pipe] &= ~closed_;
  ready_ |= closed_;
  ready_ranks_ |= closed_ranks_;
  closed_ = closed_ranks_ = 0;
  closed_until_ = never;
}

void WarpScheduler::leave_closed(unsigned entry) {
  closed_ &= ~bit_of(entry);
  closed_ranks_ &= ~bit_of(entries_[entry].rank);
  held_[Cause::pipe] &= ~bit_of(entry);
  if (closed_ == 0) closed_until_ = never;
}

bool WarpScheduler::may_issue(unsigned entry, const DecodedInstruction& decoded, Cycle now) {
  const bool own = decoded.flow == Flow::extension;
  const std::size_t owner = own ? owner_of_extension_[decoded.instruction->extension] : 0;
  if (!own && !traits_.asks) return true;
  Warp& warp = *entries_[entry].warp;
  IssueRequest nothing_issued;
  nothing_issued.decoded = &decoded;
  nothing_issued.now = now;
  // For an extension instruction, only the lanes that will execute it.
  const LaneMask lanes = own ? decoded.guard.pass(warp.context.predicates, warp.path.lanes) : warp.path.lanes;
  SchemeRequest message = message_of(SchemeEvent::ask, warp, lanes, nothing_issued);
  const Path before = warp.path;
  tell(message, owner, warp);
  if (!obey(entry, owner, message)) return false;
  if (warp.path == before) return true;
  run_another(entry, std::max(message.from, now + 1), now);
  return false;
}

void WarpScheduler::end_waits(std::uint64_t entries, Cycle now) {
  told_to_wait_ &= ~entries;
  for (std::uint64_t left = entries; left != 0; left &= left - 1) {
    const auto entry = static_cast<unsigned>(std::countr_zero(left));
    Entry& one = entries_[entry];
    one.warp->held_by_scheme = false;
    run_another(entry, now, now);
    if (std::max(std::max(one.registers, one.earliest), one.fetched) > now) continue;
    ring_.set(entry, never);
    held_[one.cause] &= ~bit_of(entry);
    ready_ |= bit_of(entry);
    ready_ranks_ |= bit_of(one.rank);
  }
}

void WarpScheduler::run_another(unsigned entry, Cycle from, Cycle now) {
  IssueRequest nothing_issued;
  nothing_issued.warp = entries_[entry].warp;
  nothing_issued.now = now;
  nothing_issued.result = from;
  look_ahead(entry, nothing_issued);
}

/// Moves the warp to its next instruction or path.
bool WarpScheduler::follow(unsigned entry, const IssueRequest& request) {
  if (request.decoded->flow == Flow::on) [[likely]]
    return advance(entry, request);
  Warp& warp = *request.warp;
  switch (request.decoded->flow) {
    case Flow::branch:
    case Flow::indirect:
      return turn(entry, SchemeEvent::branch, request.lanes, request);
    case Flow::call:
      return turn(entry, SchemeEvent::call, request.lanes, request);
    case Flow::leave:
      return turn(entry, SchemeEvent::leave, request.lanes, request);
    case Flow::exit: {
      const bool goes_on = turn(entry, SchemeEvent::exit, request.lanes, request);
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes, request.now);
      return goes_on;
    }
    case Flow::barrier:
      return follow_barrier(entry, request);
    case Flow::extension:
      return follow_extension(entry, request);
    case Flow::on:
      return advance(entry, request);
  }
  return true;
}

bool WarpScheduler::follow_extension(unsigned entry, IssueRequest request) {
  Warp& warp = *request.warp;
  const std::size_t owner = owner_of_extension_[request.decoded->instruction->extension];
  SchemeRequest message = message_of(SchemeEvent::issued, warp, request.lanes, request);
  if (warp.homes.moved) message.homes = &warp.homes;
  if (request.decoded->asynchronous) message.result = request.start;
  tell(message, owner, warp);
  if (message.answer == SchemeAnswer::keep) return advance(entry, request);
  if (message.answer == SchemeAnswer::wait) note_results(request);
  return obey(entry, owner, message);
}

bool WarpScheduler::follow_barrier(unsigned entry, IssueRequest request) {
  Warp& warp = *request.warp;
  const kernel::Instruction& barrier = *request.decoded->instruction;
  ++warp.path.pc;
  const bool waits = request.lanes != 0 && BlockBarriers::waits(barrier);
  if (waits && traits_.independent) return follow_partial_barrier(entry, request);
  if (waits) {
    require_whole_warp(warp, barrier, request.lanes);
    // The SM may release the barrier within this call; it then sets when the warp continues.
    hold(entry, Cause::barrier, never);
    warp.at_barrier = true;
  }
  if (request.lanes != 0) sm->barrier_reached(warp, barrier, request.lanes, request.now);
  if (!waits) return warp.path.pc != warp.path.stop || turn(entry, SchemeEvent::stop, warp.path.lanes, request);
  // If the path stops right after the barrier, the scheme is notified when the path leaves the barrier.
  if (!warp.at_barrier) return !warp.held_by_scheme;
  turn(entry, SchemeEvent::wait, request.lanes, request);
  return false;
}

/// Lanes of the path wait at the barrier. The warp runs another path, if one can run.
bool WarpScheduler::follow_partial_barrier(unsigned entry, const IssueRequest& request) {
  Warp& warp = *request.warp;
  SchemeRequest message = message_of(SchemeEvent::wait, warp, request.lanes, request);
  tell(message, 0, warp);
  bool goes_on = false;
  if (message.answer == SchemeAnswer::keep) {
    hold(entry, Cause::barrier, never);
    warp.at_barrier = true;
  } else {
    goes_on = obey(entry, 0, message);
  }
  if (!goes_on) note_results(request);
  // The SM may release the barrier within this call; it then sets when a stopped warp continues.
  sm->barrier_reached(warp, *request.decoded->instruction, request.lanes, request.now);
  return goes_on;
}

void WarpScheduler::note_results(const IssueRequest& request) {
  if (request.decoded == nullptr || request.decoded->dependencies.destinations().empty()) return;
  ScoreboardRequest written;
  written.slot = request.warp->slot;
  written.homes = &request.warp->homes;
  written.lanes = request.warp->context.active;
  written.issued = request.decoded;
  written.result = request.result;
  written.from_memory = request.from_memory;
  scoreboard.send(written);
  tell_load(request, false);
  announce_results(request);
}

bool WarpScheduler::tell_load(const IssueRequest& request, bool stands) {
  if (!traits_.loads || request.decoded == nullptr) return true;
  const kernel::Instruction& instruction = *request.decoded->instruction;
  if (!kernel::has_variable_latency(instruction)) return true;
  Warp& warp = *request.warp;
  SchemeRequest message = message_of(SchemeEvent::load, warp, warp.context.active, request);
  message.pc = static_cast<Pc>(&instruction - &image_->instruction(0));
  message.stands = stands;
  tell(message, 0, warp);
  if (message.answer == SchemeAnswer::keep) return true;
  const unsigned entry = entry_of(warp);
  if (obey(entry, 0, message)) run_another(entry, std::max(message.from, request.now + 1), request.now);
  return false;
}

bool WarpScheduler::report(unsigned entry, IssueRequest request) {
  const bool same_path = tell_load(request, true);
  announce_results(request);
  if (same_path && traits_.stalls) tell_stall(entry, request);
  return same_path;
}

void WarpScheduler::announce_results(const IssueRequest& request) {
  const SchemeTraits& traits = traits_;
  if (!(traits.results || traits.loads) || request.result >= never) return;
  if (request.decoded == nullptr || request.decoded->dependencies.destinations().empty()) return;
  if (!traits.results && !kernel::has_variable_latency(*request.decoded->instruction)) return;
  SchemeRequest message = message_of(SchemeEvent::result, *request.warp, request.warp->context.active, request);
  message.pc = static_cast<Pc>(request.decoded->instruction - &image_->instruction(0));
  tell(message, 0, *request.warp);
}

void WarpScheduler::ask_scoreboard(unsigned entry, const IssueRequest& request) {
  Entry& one = entries_[entry];
  const Warp& warp = *one.warp;
  ScoreboardRequest query;
  query.slot = warp.slot;
  query.homes = &warp.homes;
  query.lanes = warp.context.active;
  query.next_lanes = warp.path.lanes;
  query.issued = request.decoded;
  query.next = &image_->decoded(warp.path.pc);
  query.result = request.result;
  query.from_memory = request.from_memory;
  scoreboard.send(query);
  one.next = query.next;
  one.registers = query.ready;
  one.registers_from_memory = query.waits_for_memory;
  if (query.waits_for_unit || waits_for_units_ != 0) [[unlikely]]
    note_unit(entry, query.waits_for_unit);
  // A scheme receives `ask` at every attempt to issue an instruction that it decides on.
  const bool for_load_store = query.next->memory && !query.next->asks;
  for_load_store_ = (for_load_store_ & ~bit_of(entry)) | std::uint64_t{for_load_store} << entry;
  for_load_store_ranks_ = (for_load_store_ranks_ & ~bit_of(one.rank)) | std::uint64_t{for_load_store} << one.rank;
}

/// Requests from the scoreboard when the warp can issue again.
void WarpScheduler::look_ahead(unsigned entry, const IssueRequest& request) {
  Entry& one = entries_[entry];
  ask_scoreboard(entry, request);
  // The instruction after a branch is known only after the branch.
  const bool in_order = request.decoded == nullptr || request.decoded->operation_class == OperationClass::control;
  one.earliest = in_order ? request.result : 0;
  if (reports_ && !report(entry, request)) return;
  if (buffer_ != InstructionBuffer::ideal && !in_buffer(one, one.warp->path.pc)) ask_fetch(entry, request.now);
  const bool at_once = std::max(std::max(one.registers, one.earliest), one.fetched) <= request.now;
  if (at_once && request.decoded != nullptr) return;  // the next dispatch unit may take it
  hold_until_ready(entry);
}

void WarpScheduler::ask_fetch(unsigned entry, Cycle now) {
  Entry& one = entries_[entry];
  FetchRequest request;
  request.slot = one.warp->slot;
  request.pc = request.first = one.warp->path.pc;
  request.now = now;
  request.earliest = std::max(one.earliest, now);
  request.begins = one.first == kernel::no_pc;
  const bool ran_empty = buffer_ == InstructionBuffer::drained && !request.begins && one.first == one.end;
  if (ran_empty && request.pc != one.first) request.past = one.first;
  fetch.send(request);
  one.first = request.first;
  one.end = one.first + fetch_group_;
  one.fetched = request.ready;
}

void WarpScheduler::tell_stall(unsigned entry, const IssueRequest& request) {
  Entry& one = entries_[entry];
  const Cycle ready = std::max(one.registers, one.earliest);
  if (ready <= request.now + 1) return;
  SchemeRequest message = message_of(SchemeEvent::stall, *one.warp, one.warp->path.lanes, request);
  message.ready = ready;
  message.from_memory = one.registers_from_memory;
  const std::uint64_t resident = ~held_[Cause::empty] & all_entries();
  message.resident = static_cast<std::uint32_t>(std::popcount(resident));
  message.stalled = static_cast<std::uint32_t>(std::popcount(resident & ~(ready_ & ~bit_of(entry))));
  tell(message, 0, *one.warp);
  if (message.answer != SchemeAnswer::run) return;
  IssueRequest nothing_issued;
  nothing_issued.warp = one.warp;
  nothing_issued.now = request.now;
  nothing_issued.result = std::max(message.from, request.now + 1);
  ask_scoreboard(entry, nothing_issued);
  one.earliest = nothing_issued.result;
}

std::uint64_t WarpScheduler::issue_threads(Cycle now) {
  std::array<unsigned, WakeRing::capacity> order;
  std::size_t count = 0;
  for (std::uint64_t left = ready_; left != 0; left &= left - 1) {
    order[count++] = static_cast<unsigned>(std::countr_zero(left));
  }
  const std::span<unsigned> oldest_first(order.data(), count);
  std::sort(oldest_first.begin(), oldest_first.end(),
            [this](unsigned a, unsigned b) { return entries_[a].warp->age < entries_[b].warp->age; });
  std::uint64_t issued = 0;
  for (; issued < parameters_.dispatch; ++issued) {
    // Each lane issues for its oldest thread that can issue, of any warp.
    LaneMask free = all_lanes;
    unsigned executed = 0;
    for (const unsigned entry : oldest_first) executed += issue_lanes(entry, now, free);
    if (free == all_lanes) break;
    ++statistics_.active_lanes[executed];
  }
  return issued;
}

unsigned WarpScheduler::issue_lanes(unsigned entry, Cycle now, LaneMask& free) {
  Warp& warp = *entries_[entry].warp;
  unsigned executed = 0;
  IssueRequest nothing_issued;
  nothing_issued.now = now;
  for (;;) {
    SchemeRequest choice = message_of(SchemeEvent::select, warp, free, nothing_issued);
    tell(choice, 0, warp);
    if (choice.answer != SchemeAnswer::run) {
      Cause cause = choice.from_memory ? Cause::memory : Cause::dependency;
      if (choice.until >= never && !choice.from_memory) cause = warp.live != 0 ? Cause::barrier : Cause::empty;
      hold(entry, cause, std::max(choice.until, now + 1));
      return executed;
    }
    free &= ~warp.path.lanes;
    IssueRequest request;
    request.warp = &warp;
    request.decoded = &image_->decoded(warp.path.pc);
    request.now = now;
    request.queued = true;
    send(request);
    executed += count_lanes(executing_lanes(request));
    if (observer_ != nullptr) note_issue(request, executing_lanes(request), true);
    follow_lanes(request);
    if (watch_ != nullptr) watch_->look(warp);
  }
}

void WarpScheduler::follow_lanes(const IssueRequest& request) {
  Warp& warp = *request.warp;
  const auto say = [&](SchemeEvent event, LaneMask lanes) {
    SchemeRequest message = message_of(event, warp, lanes, request);
    if (event == SchemeEvent::branch) {
      message.targets.set(*message.instruction, warp.context.targets);
      if (observer_ != nullptr && request.decoded->flow != Flow::leave) note_branch(message, true);
    }
    tell(message, 0, warp);
  };
  note_results(request);
  switch (request.decoded->flow) {
    case Flow::branch:
    case Flow::indirect:
    case Flow::call:
    case Flow::leave:
      return say(SchemeEvent::branch, request.lanes);
    case Flow::exit:
      say(SchemeEvent::exit, request.lanes);
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes, request.now);
      return;
    case Flow::barrier: {
      const kernel::Instruction& barrier = *request.decoded->instruction;
      const LaneMask waiting = BlockBarriers::waits(barrier) ? request.lanes : 0;
      say(SchemeEvent::advance, warp.path.lanes & ~waiting);
      say(SchemeEvent::wait, waiting);
      if (request.lanes != 0) sm->barrier_reached(warp, barrier, request.lanes, request.now);
      return;
    }
    case Flow::extension:
    case Flow::on:
      return say(SchemeEvent::advance, warp.path.lanes);
  }
}

}  // namespace reconverge
