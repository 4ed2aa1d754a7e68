// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"
#include "models/memory/sectors.hpp"

namespace reconverge {

namespace {

/// For every set of sectors, the bursts that cover it.
std::array<std::uint8_t, 256> count_bursts(std::uint64_t burst_bytes) {
  std::array<std::uint8_t, 256> bursts{};
  for (unsigned sectors = 0; sectors < bursts.size(); ++sectors) {
    if (burst_bytes <= sector_bytes) {
      bursts[sectors] = static_cast<std::uint8_t>(std::popcount(sectors) * (sector_bytes / burst_bytes));
      continue;
    }
    const auto length = static_cast<unsigned>(burst_bytes / sector_bytes);
    for (unsigned first = 0; first < max_sectors; first += length) {
      if ((sectors >> first & ((1U << length) - 1U)) != 0) ++bursts[sectors];
    }
  }
  return bursts;
}

}  // namespace

DramChannel::DramChannel(sc_core::sc_module_name name, const DramParameters& parameters, const AddressMap& map,
                         Calendar& calendar, Cycle latency)
    : sc_module(name),
      requests(*this),
      parameters_(parameters),
      latency_(latency),
      map_(map),
      calendar_(calendar),
      row_shift_(static_cast<unsigned>(std::countr_zero(parameters.row_bytes))),
      by_banks_(parameters.banks),
      bursts_(count_bursts(parameters.burst_bytes)),
      banks_(parameters.banks),
      needs_(parameters.banks),
      group_column_(parameters.bank_groups),
      next_refresh_(parameters.t_refi != 0 ? parameters.t_refi : never),
      alarm_(calendar, [this](Cycle now) { work(now); }) {
  if (!std::has_single_bit(parameters.row_bytes) || !std::has_single_bit(parameters.burst_bytes)) {
    throw InputError({}, fmt::format("rows of {} bytes, bursts of {}", parameters.row_bytes, parameters.burst_bytes),
                     "both must be powers of two");
  }
}

tlm::tlm_sync_enum DramChannel::take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
  if (idle_.empty()) {
    idle_.push_back(static_cast<std::uint32_t>(requests_.size()));
    requests_.emplace_back();
  }
  const std::uint32_t place = idle_.back();
  idle_.pop_back();
  DramRequest& request = requests_[place];
  request.initiator = initiator;
  const std::uint64_t page = map_.offset_in_channel(payload.get_address()) >> row_shift_;
  const auto [row, in_turn] = by_banks_.divide(page);
  const bool rotated = parameters_.bank_order == DramBankOrder::rotated;
  request.row = row;
  request.bank = static_cast<std::uint32_t>(rotated ? by_banks_.divide(page + row).rest : in_turn);
  request.bursts = bursts_[sectors_of(payload, notes_of(payload))];
  request.write = payload.is_write();
  request.activated = false;
  request.precharged = false;
  request.arrival = calendar_.cycle_from(delay);
  const bool fits = queued_ + backlog_.size() < parameters_.queue;
  const bool answered = request.write && fits;
  request.payload = answered ? nullptr : &payload;
  backlog_.push(place);
  // If there is no room, the next read or write frees some and then checks this request.
  if (fits) alarm_.ring_at(std::max(request.arrival, next_command_));
  if (!answered) {
    ++in_flight_;
    return tlm::TLM_ACCEPTED;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void DramChannel::answer(tlm::tlm_generic_payload& payload, std::uint32_t initiator, Cycle cycle) {
  --in_flight_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = calendar_.time_until(cycle);
  requests[initiator]->nb_transport_bw(payload, phase, delay);
}

// Everything that happens in a cycle, inlined.
[[gnu::flatten]] void DramChannel::work(Cycle now) {
  if (next_refresh_ <= now) [[unlikely]] {
    refresh(now);
    planned_ = choose_command(std::max(now, next_command_));
  }
  if (admit(now)) planned_ = choose_command(std::max(now, next_command_));
  if (planned_.cycle == now) {
    issue(planned_);
    admit(now);
    planned_ = choose_command(now + 1);
  }
  Cycle next = planned_.cycle != never ? std::min(planned_.cycle, next_refresh_) : never;
  if (!backlog_.empty() && room()) next = std::min(next, requests_[backlog_.front()].arrival);
  if (next != never) alarm_.ring_at(next);
}

bool DramChannel::admit(Cycle now) {
  const std::uint64_t before = admitted_;
  while (!backlog_.empty() && room() && requests_[backlog_.front()].arrival <= now) {
    const std::uint32_t place = backlog_.pop();
    ++queued_;
    DramRequest& request = requests_[place];
    request.order = admitted_++;
    DramBank& bank = banks_[request.bank];
    bank.append(requests_, place);
    // A request to the open row may still overtake one for which the row would be closed.
    if (bank.current == DramBank::none || requests_[bank.current].row != bank.open_row) choose_request(request.bank);
    if (request.write && request.payload != nullptr) answer(*request.payload, request.initiator, now);
  }
  return admitted_ != before;
}

void DramChannel::choose_request(std::uint32_t bank) {
  DramBank& at = banks_[bank];
  at.choose(requests_, parameters_.policy == DramPolicy::fr_fcfs && may_pass(at));
  const std::uint64_t bit = std::uint64_t{1} << bank;
  busy_banks_ = at.current == DramBank::none ? busy_banks_ & ~bit : busy_banks_ | bit;
  if (at.current != DramBank::none) needs_[bank] = next_need(bank);
}

bool DramChannel::may_pass(const DramBank& bank) const {
  return parameters_.hit_limit == 0 || bank.passed < parameters_.hit_limit;
}

}  // namespace reconverge
