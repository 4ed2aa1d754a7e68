// SPDX-License-Identifier: Apache-2.0
// Commands of a DRAM channel: which is issued next, and when later ones may be issued.

#include <algorithm>
#include <bit>

#include "models/memory/dram_channel.hpp"

namespace reconverge {

namespace {

// A rank in one word: whether the bank has to wait for reads and writes, the order of the request, the bank.
constexpr unsigned bank_bits = 6;
constexpr std::uint64_t after_all_data = std::uint64_t{1} << 47U;
// The upper bits hold the cycles to wait. By the ranges of the parameters, they cannot overflow.
constexpr unsigned rank_bits = 48;

}  // namespace

DramChannel::Need DramChannel::next_need(std::uint32_t bank) const {
  const DramBank& at = banks_[bank];
  const DramRequest& request = requests_[at.current];
  const std::uint64_t rank = request.order << bank_bits | bank;
  if (at.open_row == request.row) {
    return {at.next_column, request.write ? Command::write : Command::read, rank};
  }
  const std::uint64_t waits = parameters_.policy == DramPolicy::fr_fcfs ? after_all_data : 0;
  if (at.open_row != DramBank::closed) return {at.next_precharge, Command::precharge, rank | waits};
  return {at.next_activate, Command::activate, rank | waits};
}

DramChannel::Choice DramChannel::choose_command(Cycle from) const {
  if (busy_banks_ == 0) return {};
  std::uint64_t best = ~std::uint64_t{0};
  for (std::uint64_t left = busy_banks_; left != 0; left &= left - 1) {
    const Need& need = needs_[static_cast<std::size_t>(std::countr_zero(left))];
    Cycle cycle = std::max({from, need.ready, next_[static_cast<std::size_t>(need.command)]});
    if (has_groups() && (need.command == Command::read || need.command == Command::write)) [[unlikely]] {
      const std::uint64_t bank = need.rank & ((1U << bank_bits) - 1U);
      cycle = std::max(cycle, group_column_[bank % parameters_.bank_groups]);
    }
    best = std::min(best, (cycle - from) << rank_bits | need.rank);
  }
  return {from + (best >> rank_bits), static_cast<std::uint32_t>(best & ((1U << bank_bits) - 1U))};
}

void DramChannel::issue(const Choice& choice) {
  const Cycle now = choice.cycle;
  next_command_ = now + 1;
  DramBank& bank = banks_[choice.bank];
  DramRequest& request = requests_[bank.current];
  switch (needs_[choice.bank].command) {
    case Command::precharge:
      bank.open_row = DramBank::closed;
      bank.next_activate = std::max(bank.next_activate, now + parameters_.t_rp);
      request.precharged = true;
      break;
    case Command::activate:
      bank.open_row = request.row;
      bank.next_column = now + parameters_.t_rcd;
      bank.next_precharge = now + parameters_.t_ras;
      bank.next_activate = now + parameters_.t_rc;
      next(Command::activate) = now + parameters_.t_rrd;
      request.activated = true;
      break;
    case Command::read:
    case Command::write:
      move_data(bank, now);
      choose_request(choice.bank);
      return;
  }
  needs_[choice.bank] = next_need(choice.bank);
}

void DramChannel::move_data(DramBank& bank, Cycle now) {
  const std::uint32_t place = bank.current;
  const DramRequest& request = requests_[place];
  tlm::tlm_generic_payload* const payload = request.payload;
  const std::uint32_t initiator = request.initiator;
  const bool write = request.write;
  const Cycle step = std::max(parameters_.t_ccd, parameters_.burst_cycles);
  const Cycle last = now + (request.bursts - 1) * step;  // command
  if (has_groups()) group_column_[request.bank % parameters_.bank_groups] = last + std::max(step, parameters_.t_ccd_l);
  const Cycle end = last + (write ? parameters_.t_wl : parameters_.t_cl) + parameters_.burst_cycles;
  if (write) {
    bank.next_precharge = std::max(bank.next_precharge, end + parameters_.t_wr);
    next(Command::read) = std::max(last + step, end + parameters_.t_wtr);
    next(Command::write) = last + step;
    ++statistics_.writes;
  } else {
    bank.next_precharge = std::max(bank.next_precharge, last + parameters_.t_rtp);
    next(Command::read) = last + step;
    // Two cycles of bus turnaround, then the write's data.
    next(Command::write) = std::max(last + step, end + 2 - std::min(end, parameters_.t_wl));
    ++statistics_.reads;
  }
  statistics_.bursts += request.bursts;
  statistics_.busy_cycles += request.bursts * parameters_.burst_cycles;
  statistics_.wait_cycles += now - request.arrival;
  if (request.precharged) {
    ++statistics_.row_conflicts;
  } else if (request.activated) {
    ++statistics_.row_misses;
  } else {
    ++statistics_.row_hits;
  }
  bank.finish_current(requests_);
  idle_.push_back(place);
  --queued_;
  if (!write) answer(*payload, initiator, end + latency_);
}

void DramChannel::refresh(Cycle now) {
  // If several are due, the channel was idle: the last one decides.
  const Cycle due = next_refresh_ + (now - next_refresh_) / parameters_.t_refi * parameters_.t_refi;
  const Cycle first = next_refresh_;
  next_refresh_ = due + parameters_.t_refi;
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    DramBank& at = banks_[bank];
    // The refresh waits for the reads and writes of the bank, and for its precharge.
    // The first of them closes the row.
    Cycle begin = due;
    if (at.open_row != DramBank::closed) begin = std::max(due, std::max(first, at.next_precharge) + parameters_.t_rp);
    at.open_row = DramBank::closed;
    at.next_activate = std::max(at.next_activate, begin + parameters_.t_rfc);
    if (at.current != DramBank::none) choose_request(bank);
  }
}

}  // namespace reconverge
