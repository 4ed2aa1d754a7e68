#include "models/sm/warp_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/sm/block_barriers.hpp"
#include "models/sm/lanes/members.hpp"

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

WarpScheduler::WarpScheduler(sc_core::sc_module_name name, const WarpSchedulerParameters& parameters,
                             bool independent_lanes)
    : sc_module(name),
      sm("sm"),
      lanes("lanes"),
      load_store("load_store"),
      scoreboard("scoreboard"),
      operands("operands"),
      divergence("divergence"),
      parameters_(parameters),
      independent_lanes_(independent_lanes) {}

void WarpScheduler::add(Warp& warp) { entries_.push_back({&warp, never, WarpSchedulerSlots::empty}); }

void WarpScheduler::begin(const ProgramImage& image, Cycle now) {
  image_ = &image;
  accounted_ = now;
  last_ = 0;
  for (Entry& entry : entries_) {
    entry.ready = never;
    entry.cause = WarpSchedulerSlots::empty;
  }
  plan();
}

void WarpScheduler::resume(const Warp& warp, Cycle now, Cycle cycle) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.warp == &warp; });
  account_until(now);
  entry->ready = cycle;
  entry->cause = WarpSchedulerSlots::dependency;
  if (!independent_lanes_) {
    IssueRequest nothing_issued;
    nothing_issued.result = cycle;
    look_ahead(*entry, kernel::no_pc, nothing_issued);
  }
  plan();
}

void WarpScheduler::plan() {
  // The warp that will be ready first says what slots until then are lost to; barriers count only when nothing else is
  // awaited.
  next_event_ = never;
  idle_cause_ = WarpSchedulerSlots::empty;
  for (const Entry& entry : entries_) {
    if (entry.ready < next_event_) {
      next_event_ = entry.ready;
      idle_cause_ = entry.cause;
    } else if (next_event_ == never && entry.cause == WarpSchedulerSlots::barrier) {
      idle_cause_ = WarpSchedulerSlots::barrier;
    }
  }
}

void WarpScheduler::account_until(Cycle now) {
  if (now <= accounted_) return;
  statistics_.slots[idle_cause_] += (now - accounted_) * parameters_.dispatch;
  accounted_ = now;
}

void WarpScheduler::tick(Cycle now) {
  account_until(now);
  accounted_ = now + 1;  // what happens within this cycle is charged here
  const std::uint64_t issued = independent_lanes_ ? issue_threads(now) : issue_warp(now);
  plan();
  statistics_.slots[WarpSchedulerSlots::issued] += issued;
  statistics_.slots[issued > 0 ? WarpSchedulerSlots::dual_issue : idle_cause_] += parameters_.dispatch - issued;
}

std::uint64_t WarpScheduler::issue_warp(Cycle now) {
  Entry* entry = pick(now);
  while (entry != nullptr && !issue_path(*entry, now)) entry = pick(now);
  if (entry == nullptr) return 0;
  last_ = static_cast<std::size_t>(entry - entries_.data());
  std::uint64_t issued = 1;
  while (issued < parameters_.dispatch && entry->ready <= now && issue_path(*entry, now)) ++issued;
  entry->ready = std::max(entry->ready, now + 1);
  return issued;
}

std::uint64_t WarpScheduler::issue_threads(Cycle now) {
  std::vector<Entry*> oldest_first;
  for (Entry& entry : entries_) {
    if (entry.ready <= now) oldest_first.push_back(&entry);
  }
  std::sort(oldest_first.begin(), oldest_first.end(),
            [](const Entry* a, const Entry* b) { return a->warp->age < b->warp->age; });
  std::uint64_t issued = 0;
  for (; issued < parameters_.dispatch; ++issued) {
    // Each lane takes the oldest thread of its own that can issue, of whatever warp.
    LaneMask free = all_lanes;
    unsigned executed = 0;
    for (Entry* entry : oldest_first) executed += issue_lanes(*entry, now, free);
    if (free == all_lanes) break;
    ++statistics_.active_lanes[executed];
  }
  for (Entry* entry : oldest_first) entry->ready = std::max(entry->ready, now + 1);
  return issued;
}

WarpScheduler::Entry* WarpScheduler::pick(Cycle now) {
  if (parameters_.policy == WarpSchedulerPolicy::greedy_then_oldest) {
    if (last_ < entries_.size() && entries_[last_].ready <= now) return &entries_[last_];
    Entry* oldest = nullptr;
    for (Entry& entry : entries_) {
      if (entry.ready <= now && (oldest == nullptr || entry.warp->age < oldest->warp->age)) oldest = &entry;
    }
    return oldest;
  }
  for (std::size_t step = 1; step <= entries_.size(); ++step) {
    Entry& entry = entries_[(last_ + step) % entries_.size()];
    if (entry.ready <= now) return &entry;
  }
  return nullptr;
}

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

void WarpScheduler::report_operands(Pc pc) {
  OperandRequest request{image_->dependencies(pc).rows_read, image_->dependencies(pc).rows_written};
  auto delay = sc_core::SC_ZERO_TIME;
  operands->b_transport(request, delay);
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

bool WarpScheduler::issue_path(Entry& entry, Cycle now) {
  IssueRequest request;
  request.warp = entry.warp;
  request.now = now;
  const Pc pc = entry.warp->pc;
  if (!send_to_pipe(request)) {
    entry.ready = request.retry;
    entry.cause = WarpSchedulerSlots::pipe;
    return false;
  }
  report_operands(pc);
  ++statistics_.active_lanes[count_lanes(executing_lanes(request))];
  follow(entry, request);
  if (watch_ != nullptr) watch_->look(*entry.warp);
  if (entry.warp->live != 0 && !entry.warp->at_barrier) look_ahead(entry, pc, request);
  return true;
}

/// Moves the warp to what it executes next.
void WarpScheduler::follow(Entry& entry, const IssueRequest& request) {
  Warp& warp = *entry.warp;
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
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes);
      if (warp.live == 0) {
        entry.ready = never;
        entry.cause = WarpSchedulerSlots::empty;
      }
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
      entry.ready = never;
      entry.cause = WarpSchedulerSlots::barrier;
      warp.at_barrier = true;
    }
    sm->barrier_reached(warp, instruction, request.lanes);
  }
}

/// Asks the scoreboard when the warp can issue again.
void WarpScheduler::look_ahead(Entry& entry, Pc issued, const IssueRequest& request) {
  ScoreboardRequest query;
  query.slot = entry.warp->slot;
  query.issued = issued;
  query.result = request.result;
  query.from_memory = request.from_memory;
  query.next = entry.warp->pc;
  auto delay = sc_core::SC_ZERO_TIME;
  scoreboard->b_transport(query, delay);
  // The next instruction of a branch is known only when the branch is done.
  const bool in_order =
      request.instruction == nullptr || request.instruction->operation_class == OperationClass::control;
  entry.ready = in_order ? std::max(query.ready, request.result) : query.ready;
  entry.cause = query.waits_for_memory && query.ready >= entry.ready ? WarpSchedulerSlots::memory
                                                                     : WarpSchedulerSlots::dependency;
}

unsigned WarpScheduler::issue_lanes(Entry& entry, Cycle now, LaneMask& free) {
  Warp& warp = *entry.warp;
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
    send_to_pipe(request);
    report_operands(warp.pc);
    executed += count_lanes(executing_lanes(request));
    const kernel::Instruction& instruction = *request.instruction;
    const Opcode opcode = instruction.opcode;
    if (opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::call || opcode == Opcode::ret) {
      tell_divergence(DivergenceEvent::branch, warp, request.lanes, request);
    } else if (opcode == Opcode::exit) {
      tell_divergence(DivergenceEvent::exit, warp, request.lanes, request);
      if (request.lanes != 0) sm->threads_ended(warp, request.lanes);
    } else if (BlockBarriers::is_block_barrier(instruction)) {
      const LaneMask waiting = BlockBarriers::waits(instruction) ? request.lanes : 0;
      tell_divergence(DivergenceEvent::advance, warp, warp.active & ~waiting, request);
      tell_divergence(DivergenceEvent::wait, warp, waiting, request);
      if (request.lanes != 0) sm->barrier_reached(warp, instruction, request.lanes);
    } else {
      tell_divergence(DivergenceEvent::advance, warp, warp.active, request);
    }
    if (watch_ != nullptr) watch_->look(warp);
  }
  entry.ready = choice.ready;
  entry.cause = choice.waits_for_memory ? WarpSchedulerSlots::memory : WarpSchedulerSlots::dependency;
  if (choice.ready >= never) entry.cause = warp.live != 0 ? WarpSchedulerSlots::barrier : WarpSchedulerSlots::empty;
  return executed;
}

}  // namespace reconverge
