// What a scheduler does with the warp that it picked.

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "models/execution/block_barriers.hpp"
#include "models/execution/operations/members.hpp"
#include "models/sm/warp_scheduler.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Pc;

namespace {

/// All lanes of a path execute its branches: the guard says where each goes, not whether it takes part.
LaneMask executing_lanes(const IssueRequest& request) {
  return request.decoded->flow == Flow::branch ? request.warp->context.active : request.lanes;
}

}  // namespace

void WarpScheduler::send(IssueRequest& request) {
  Warp& warp = *request.warp;
  const DecodedInstruction& decoded = image_->decoded(warp.pc);
  request.decoded = &decoded;
  request.scheduler = number_;
  warp.context.active = warp.active;
  warp.context.clock = request.now;
  warp.context.live = warp.live;
  request.lanes = decoded.guard.pass(warp.context.predicates, warp.active);
  if (decoded.exchange) require_members(*decoded.instruction, warp.context, request.lanes);
  sc_core::sc_time delay;
  issue->b_transport(request, delay);
}

void WarpScheduler::tell_divergence(DivergenceEvent event, Warp& warp, LaneMask lanes_of_path,
                                    const IssueRequest& request) {
  DivergenceRequest message;
  message.event = event;
  message.warp = &warp;
  message.lanes = lanes_of_path;
  message.pc = warp.pc;
  message.instruction = request.decoded->instruction;
  message.now = request.now;
  message.result = request.result;
  message.from_memory = request.from_memory;
  sc_core::sc_time delay;
  divergence->b_transport(message, delay);
}

// All that happens at an issue, in one piece.
[[gnu::flatten]] bool WarpScheduler::issue_path(unsigned entry, Cycle now) {
  Warp& warp = *entries_[entry].warp;
  const DecodedInstruction& decoded = image_->decoded(warp.pc);
  if (decoded.asks && !may_issue(entry, decoded, now)) return false;
  IssueRequest request;
  request.warp = &warp;
  request.now = now;
  send(request);
  if (request.refusal != Refusal::none) {
    hold(entry, request.refusal == Refusal::pipe ? Cause::pipe : Cause::collector, request.retry);
    return false;
  }
  ++statistics_.active_lanes[count_lanes(executing_lanes(request))];
  const bool goes_on = follow(entry, request);
  if (watch_ != nullptr) watch_->look(warp);
  if (goes_on) look_ahead(entry, request);
  return true;
}

bool WarpScheduler::may_issue(unsigned entry, const DecodedInstruction& decoded, Cycle now) {
  if (decoded.flow == Flow::rays) return ask_for_rays(entry, decoded, now);
  Warp& warp = *entries_[entry].warp;
  IssueRequest nothing_issued;
  nothing_issued.decoded = &decoded;
  nothing_issued.now = now;
  tell_divergence(DivergenceEvent::whole_warp, warp, warp.active, nothing_issued);
  if (!warp.at_meeting) return true;
  nothing_issued.decoded = nullptr;
  nothing_issued.result = now;
  look_ahead(entry, nothing_issued);
  return false;
}

bool WarpScheduler::ask_for_rays(unsigned entry, const DecodedInstruction& decoded, Cycle now) {
  Entry& one = entries_[entry];
  if (one.has_control) return true;
  const bool control = kernel::reads_control(*decoded.instruction);
  RayRequest request;
  request.warp = one.warp;
  request.report = !control;
  request.only_ask = !control;
  request.now = now;
  sc_core::sc_time delay;
  rays->b_transport(request, delay);
  if (request.refused) {
    hold(entry, Cause::shuffling, request.retry);
    return false;
  }
  one.has_control = control;
  return true;
}

void WarpScheduler::report_rays(Warp& warp, const IssueRequest& request) {
  RayRequest report;
  report.warp = &warp;
  report.report = true;
  report.lanes = request.lanes;
  report.now = request.now;
  sc_core::sc_time delay;
  rays->b_transport(report, delay);
}

/// Moves the warp to what it executes next.
bool WarpScheduler::follow(unsigned entry, const IssueRequest& request) {
  Warp& warp = *request.warp;
  switch (request.decoded->flow) {
    case Flow::branch:
    case Flow::indirect:
      tell_divergence(DivergenceEvent::branch, warp, request.lanes, request);
      return true;
    case Flow::call:
      tell_divergence(DivergenceEvent::call, warp, request.lanes, request);
      return true;
    case Flow::leave:
      tell_divergence(DivergenceEvent::leave, warp, request.lanes, request);
      return true;
    case Flow::exit: {
      tell_divergence(DivergenceEvent::exit, warp, request.lanes, request);
      const bool ended = warp.active == 0 && !warp.at_meeting;
      if (ended) {
        hold(entry, Cause::empty, never);
        entries_[entry].group = kernel::no_pc;
      }
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes, request.now);
      return !ended;
    }
    case Flow::rays:
      entries_[entry].has_control = false;
      if (!kernel::reads_control(*request.decoded->instruction)) report_rays(warp, request);
      break;
    case Flow::on:
    case Flow::barrier:
      break;
  }
  if (++warp.pc == warp.reconvergence) tell_divergence(DivergenceEvent::reconverge, warp, warp.active, request);
  if (request.decoded->flow == Flow::barrier && request.lanes != 0) {
    const kernel::Instruction& barrier = *request.decoded->instruction;
    if (BlockBarriers::waits(barrier)) {
      require_whole_warp(warp, barrier, request.lanes);
      // The SM may release the barrier within this call, and then says when the warp goes on.
      hold(entry, Cause::barrier, never);
      warp.at_barrier = true;
    }
    sm->barrier_reached(warp, barrier, request.lanes, request.now);
    if (warp.at_barrier) tell_divergence(DivergenceEvent::wait, warp, request.lanes, request);
  }
  return !warp.at_barrier;
}

/// Asks the scoreboard when the warp can issue again.
void WarpScheduler::look_ahead(unsigned entry, const IssueRequest& request) {
  Entry& one = entries_[entry];
  const std::uint64_t bit = std::uint64_t{1} << entry;
  const Pc next = one.warp->pc;
  ScoreboardRequest query;
  query.slot = one.warp->slot;
  query.issued = request.decoded;
  query.next = &image_->decoded(next);
  query.result = request.result;
  query.from_memory = request.from_memory;
  query.all = one.warp->at_meeting;
  meeting_ = query.all ? meeting_ | bit : meeting_ & ~bit;
  sc_core::sc_time delay;
  scoreboard->b_transport(query, delay);
  one.registers = query.ready;
  one.registers_from_memory = query.waits_for_memory;
  // The next instruction of a branch is known only when the branch is done.
  const bool in_order = request.decoded == nullptr || request.decoded->operation_class == OperationClass::control;
  one.earliest = in_order ? request.result : 0;
  if (query.all) {
    one.earliest = std::max(one.earliest, request.now + 1);
    hold_until_ready(entry);
    return;
  }
  if (fetch_group_ != 0 && (one.group == kernel::no_pc || next - one.group >= fetch_group_)) {
    FetchRequest fetching;
    fetching.slot = query.slot;
    fetching.group = next / fetch_group_;
    fetching.now = request.now;
    fetching.earliest = std::max(one.earliest, request.now);
    fetching.begins = one.group == kernel::no_pc;
    fetch->b_transport(fetching, delay);
    one.group = fetching.group * fetch_group_;
    one.fetched = fetching.ready;
  }
  const bool at_once = std::max({one.registers, one.earliest, one.fetched}) <= request.now;
  if (at_once && request.decoded != nullptr) return;  // the next dispatch unit may take it
  hold_until_ready(entry);
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
    // Each lane takes the oldest thread of its own that can issue, of whatever warp.
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
  DivergenceRequest choice;
  sc_core::sc_time delay;
  for (;;) {
    choice.event = DivergenceEvent::select;
    choice.warp = &warp;
    choice.lanes = free;
    choice.now = now;
    divergence->b_transport(choice, delay);
    if (warp.active == 0) break;
    free &= ~warp.active;
    IssueRequest request;
    request.warp = &warp;
    request.now = now;
    request.queued = true;
    send(request);
    executed += count_lanes(executing_lanes(request));
    switch (request.decoded->flow) {
      case Flow::branch:
      case Flow::indirect:
      case Flow::call:
      case Flow::leave:
        tell_divergence(DivergenceEvent::branch, warp, request.lanes, request);
        break;
      case Flow::exit:
        tell_divergence(DivergenceEvent::exit, warp, request.lanes, request);
        if (request.lanes != 0) sm->threads_ended(warp, request.lanes, now);
        break;
      case Flow::barrier: {
        const kernel::Instruction& barrier = *request.decoded->instruction;
        const LaneMask waiting = BlockBarriers::waits(barrier) ? request.lanes : 0;
        tell_divergence(DivergenceEvent::advance, warp, warp.active & ~waiting, request);
        tell_divergence(DivergenceEvent::wait, warp, waiting, request);
        if (request.lanes != 0) sm->barrier_reached(warp, barrier, request.lanes, now);
        break;
      }
      case Flow::rays:
      case Flow::on:
        tell_divergence(DivergenceEvent::advance, warp, warp.active, request);
        break;
    }
    if (watch_ != nullptr) watch_->look(warp);
  }
  Cause cause = choice.waits_for_memory ? Cause::memory : Cause::dependency;
  if (choice.ready >= never && !choice.waits_for_memory) cause = warp.live != 0 ? Cause::barrier : Cause::empty;
  hold(entry, cause, std::max(choice.ready, now + 1));
  return executed;
}

}  // namespace reconverge
