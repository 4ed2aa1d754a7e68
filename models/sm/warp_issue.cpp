// What a scheduler does with the warp that it picked.

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "models/sm/block_barriers.hpp"
#include "models/sm/lanes/members.hpp"
#include "models/sm/warp_scheduler.hpp"

namespace reconverge {

using kernel::Opcode;
using kernel::OperationClass;
using kernel::Pc;

namespace {

bool is_memory(OperationClass operation_class) {
  return operation_class == OperationClass::load || operation_class == OperationClass::store ||
         operation_class == OperationClass::atomic;
}

/// All lanes of a path execute its branches: the guard says where each goes, not whether it takes part.
LaneMask executing_lanes(const IssueRequest& request) {
  return request.instruction->opcode == Opcode::bra ? request.warp->context.active : request.lanes;
}

}  // namespace

bool WarpScheduler::send_to_pipe(IssueRequest& request) {
  const Warp& warp = *request.warp;
  request.instruction = &image_->instruction(warp.pc);
  request.operation = image_->operation(warp.pc);
  request.warp->context.active = warp.active;
  request.warp->context.clock = request.now;
  request.warp->context.live = warp.live;
  request.lanes = guarded_lanes(*request.instruction, warp.context, warp.active);
  if (is_exchange(*request.instruction)) require_members(*request.instruction, warp.context, request.lanes);
  auto& pipe = is_memory(request.instruction->operation_class) ? load_store : lanes;
  auto delay = sc_core::SC_ZERO_TIME;
  pipe->b_transport(request, delay);
  return request.accepted;
}

bool WarpScheduler::memory_has_room(IssueRequest& request) {
  request.only_ask = true;
  auto delay = sc_core::SC_ZERO_TIME;
  load_store->b_transport(request, delay);
  request.only_ask = false;
  return request.accepted;
}

void WarpScheduler::tell_divergence(DivergenceEvent event, Warp& warp, LaneMask lanes_of_path,
                                    const IssueRequest& request) {
  DivergenceRequest message;
  message.event = event;
  message.warp = &warp;
  message.lanes = lanes_of_path;
  message.pc = warp.pc;
  message.instruction = request.instruction;
  message.now = request.now;
  message.result = request.result;
  message.from_memory = request.from_memory;
  auto delay = sc_core::SC_ZERO_TIME;
  divergence->b_transport(message, delay);
}

bool WarpScheduler::issue_path(unsigned entry, Cycle now) {
  Warp& warp = *entries_[entry].warp;
  const Pc pc = warp.pc;
  IssueRequest request;
  request.warp = &warp;
  request.instruction = &image_->instruction(pc);
  request.now = now;
  request.operands = now;
  request.collected = collects_;
  OperandRequest rows;
  rows.slot = warp.slot;
  rows.rows = &image_->rows(pc);
  rows.now = now;
  auto delay = sc_core::SC_ZERO_TIME;
  if (collects_) {
    if (is_memory(request.instruction->operation_class) && !memory_has_room(request)) {
      hold(entry, Cause::pipe, request.retry);
      return false;
    }
    operands->b_transport(rows, delay);
    if (!rows.accepted) {
      hold(entry, Cause::collector, rows.retry);
      return false;
    }
    request.operands = rows.operands;
    send_to_pipe(request);
  } else {
    if (!send_to_pipe(request)) {
      hold(entry, Cause::pipe, request.retry);
      return false;
    }
    operands->b_transport(rows, delay);
  }
  rows.phase = OperandPhase::leave;
  rows.start = request.start;
  rows.result = request.result;
  operands->b_transport(rows, delay);
  request.result = rows.result;
  ++statistics_.active_lanes[count_lanes(executing_lanes(request))];
  follow(entry, request);
  if (watch_ != nullptr) watch_->look(warp);
  if (warp.live != 0 && !warp.at_barrier) look_ahead(entry, pc, request);
  return true;
}

/// Moves the warp to what it executes next.
void WarpScheduler::follow(unsigned entry, const IssueRequest& request) {
  Warp& warp = *request.warp;
  switch (request.instruction->opcode) {
    case Opcode::bra:
    case Opcode::brx:
      tell_divergence(DivergenceEvent::branch, warp, request.lanes, request);
      return;
    case Opcode::call:
      tell_divergence(DivergenceEvent::call, warp, request.lanes, request);
      return;
    case Opcode::ret:
      tell_divergence(DivergenceEvent::leave, warp, request.lanes, request);
      return;
    case Opcode::exit:
      tell_divergence(DivergenceEvent::exit, warp, request.lanes, request);
      if (warp.live == 0) {
        hold(entry, Cause::empty, never);
        entries_[entry].group = kernel::no_pc;
      }
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes, request.now);
      return;
    default:
      break;
  }
  if (++warp.pc == warp.reconvergence) tell_divergence(DivergenceEvent::reconverge, warp, warp.active, request);
  const kernel::Instruction& instruction = *request.instruction;
  if (BlockBarriers::is_block_barrier(instruction) && request.lanes != 0) {
    if (BlockBarriers::waits(instruction)) {
      require_whole_warp(warp, instruction, request.lanes);
      // The SM may release the barrier within this call, and then says when the warp goes on.
      hold(entry, Cause::barrier, never);
      warp.at_barrier = true;
    }
    sm->barrier_reached(warp, instruction, request.lanes, request.now);
  }
}

/// Asks the scoreboard when the warp can issue again.
void WarpScheduler::look_ahead(unsigned entry, Pc issued, const IssueRequest& request) {
  ScoreboardRequest query;
  query.slot = entries_[entry].warp->slot;
  query.issued = issued;
  query.result = request.result;
  query.from_memory = request.from_memory;
  query.next = entries_[entry].warp->pc;
  auto delay = sc_core::SC_ZERO_TIME;
  scoreboard->b_transport(query, delay);
  Entry& one = entries_[entry];
  one.registers = query.ready;
  one.registers_from_memory = query.waits_for_memory;
  // The next instruction of a branch is known only when the branch is done.
  const bool in_order =
      request.instruction == nullptr || request.instruction->operation_class == OperationClass::control;
  one.earliest = in_order ? request.result : 0;
  if (fetch_group_ != 0 && query.next / fetch_group_ != one.group) {
    FetchRequest fetching;
    fetching.slot = query.slot;
    fetching.pc = query.next;
    fetching.now = request.now;
    fetching.earliest = std::max(one.earliest, request.now);
    fetching.begins = one.group == kernel::no_pc;
    fetch->b_transport(fetching, delay);
    one.group = query.next / fetch_group_;
    one.fetched = fetching.ready;
  }
  const bool at_once = std::max({one.registers, one.earliest, one.fetched}) <= request.now;
  if (at_once && request.instruction != nullptr) return;  // the next dispatch unit may take it
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
  auto delay = sc_core::SC_ZERO_TIME;
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
    request.operands = now;
    send_to_pipe(request);
    OperandRequest rows;
    rows.rows = &image_->rows(warp.pc);
    operands->b_transport(rows, delay);
    rows.phase = OperandPhase::leave;
    operands->b_transport(rows, delay);
    executed += count_lanes(executing_lanes(request));
    const kernel::Instruction& instruction = *request.instruction;
    const Opcode opcode = instruction.opcode;
    if (opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::call || opcode == Opcode::ret) {
      tell_divergence(DivergenceEvent::branch, warp, request.lanes, request);
    } else if (opcode == Opcode::exit) {
      tell_divergence(DivergenceEvent::exit, warp, request.lanes, request);
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes, now);
    } else if (BlockBarriers::is_block_barrier(instruction)) {
      const LaneMask waiting = BlockBarriers::waits(instruction) ? request.lanes : 0;
      tell_divergence(DivergenceEvent::advance, warp, warp.active & ~waiting, request);
      tell_divergence(DivergenceEvent::wait, warp, waiting, request);
      if (request.lanes != 0) sm->barrier_reached(warp, instruction, request.lanes, now);
    } else {
      tell_divergence(DivergenceEvent::advance, warp, warp.active, request);
    }
    if (watch_ != nullptr) watch_->look(warp);
  }
  Cause cause = choice.waits_for_memory ? Cause::memory : Cause::dependency;
  if (choice.ready >= never && !choice.waits_for_memory) cause = warp.live != 0 ? Cause::barrier : Cause::empty;
  hold(entry, cause, std::max(choice.ready, now + 1));
  return executed;
}

}  // namespace reconverge
