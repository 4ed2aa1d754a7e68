// Commands of a DRAM channel: which comes next, and when the ones after it may come.

#include <algorithm>
#include <bit>

#include "models/memory/dram_channel.hpp"

namespace reconverge {

DramChannel::Choice DramChannel::next_command(std::uint32_t bank) const {
  const DramBank& at = banks_[bank];
  const DramRequest& request = queue_[at.current];
  if (at.open_row == request.row) {
    return {std::max(at.next_column, request.write ? next_write_ : next_read_), bank, Command::column};
  }
  if (at.open_row != DramBank::closed) return {at.next_precharge, bank, Command::precharge};
  return {std::max(at.next_activate, next_activate_), bank, Command::activate};
}

bool DramChannel::goes_first(const Choice& a, const Choice& b) const {
  if (a.cycle != b.cycle) return a.cycle < b.cycle;
  const bool a_column = a.command == Command::column;
  const bool b_column = b.command == Command::column;
  if (parameters_.policy == DramPolicy::fr_fcfs && a_column != b_column) return a_column;
  return queue_[banks_[a.bank].current].order < queue_[banks_[b.bank].current].order;
}

DramChannel::Choice DramChannel::choose_command(Cycle from) const {
  Choice best;
  for (std::uint64_t left = busy_banks_; left != 0; left &= left - 1) {
    Choice choice = next_command(static_cast<std::uint32_t>(std::countr_zero(left)));
    choice.cycle = std::max(choice.cycle, from);
    if (best.cycle == never || goes_first(choice, best)) best = choice;
  }
  return best;
}

void DramChannel::issue(const Choice& choice) {
  const Cycle now = choice.cycle;
  next_command_ = now + 1;
  DramBank& bank = banks_[choice.bank];
  DramRequest& request = queue_[bank.current];
  switch (choice.command) {
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
      next_activate_ = now + parameters_.t_rrd;
      request.activated = true;
      break;
    case Command::column:
      move_data(choice.bank, now);
      break;
  }
}

void DramChannel::move_data(std::uint32_t bank, Cycle now) {
  DramBank& at = banks_[bank];
  const std::uint32_t place = at.current;
  const DramRequest request = queue_[place];
  const Cycle step = std::max(parameters_.t_ccd, parameters_.burst_cycles);
  const Cycle last = now + (request.bursts - 1) * step;  // command
  if (request.write) {
    const Cycle end = last + parameters_.t_wl + parameters_.burst_cycles;
    at.next_precharge = std::max(at.next_precharge, end + parameters_.t_wr);
    next_read_ = std::max(last + step, end + parameters_.t_wtr);
    next_write_ = last + step;
    ++statistics_.writes;
  } else {
    const Cycle end = last + parameters_.t_cl + parameters_.burst_cycles;
    at.next_precharge = std::max(at.next_precharge, last + parameters_.t_rtp);
    next_read_ = last + step;
    // Two cycles for the bus to turn round, then the write's data.
    next_write_ = std::max(last + step, end + 2 - std::min(end, parameters_.t_wl));
    ++statistics_.reads;
    answer(*request.payload, request.initiator, end + parameters_.latency);
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
  at.finish_current(queue_);
  idle_.push_back(place);
  choose_request(bank);
}

}  // namespace reconverge
