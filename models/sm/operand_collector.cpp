// SPDX-License-Identifier: Apache-2.0
#include "models/sm/operand_collector.hpp"

#include <algorithm>

#include "models/execution/warp.hpp"

namespace reconverge {

OperandCollector::OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters,
                                   const PipeTable& pipes, bool one_pipeline)
    : sc_module(name),
      issue("issue"),
      results("results"),
      banks("banks"),
      lanes("lanes"),
      load_store("load_store"),
      pipes_(pipes),
      unit_reads_(static_cast<unsigned>(parameters.unit_reads)),
      one_pipeline_(one_pipeline),
      banks_(parameters.banks),
      bank_count_(static_cast<unsigned>(parameters.banks)),
      bank_of_number_(kernel::Operand::max_row + 1),
      result_buses_(parameters.result_bus) {
  issue.bind(static_cast<ControlTarget<IssueRequest>&>(*this));
  results.bind(static_cast<ControlTarget<ResultRequest>&>(*this));
  banks.bind(static_cast<ControlTarget<BankRequest>&>(*this));
  const std::array<std::uint64_t, 3> units{parameters.units, parameters.special_units, parameters.memory_units};
  for (std::size_t kind = arithmetic; kind <= memory; ++kind) {
    const std::uint64_t latches =
        kind == arithmetic ? parameters.latches : std::min<std::uint64_t>(parameters.latches, 1);
    pools_[kind] = {std::vector<Cycle>(parameters.units != 0 ? units[kind] : 0), 0, std::vector<Cycle>(latches),
                    std::vector<Cycle>(latches)};
  }
  apart_ = parameters.special_units + parameters.memory_units + parameters.unit_reads + parameters.latches != 0;
  for (std::size_t number = 0; number < bank_of_number_.size(); ++number) {
    bank_of_number_[number] = static_cast<std::uint8_t>(number % parameters.banks);
  }
}

void OperandCollector::begin() {
  for (Pool& pool : pools_) {
    for (std::vector<Cycle>* const free : {&pool.units, &pool.before, &pool.behind}) std::ranges::fill(*free, 0);
  }
  banks_.begin();
  result_buses_.begin();
}

[[gnu::flatten]] void OperandCollector::b_transport(IssueRequest& request, sc_core::sc_time& delay) {
  if (one_pipeline_ && !request.queued && !request.decoded->memory && !ask_load_store(request, delay)) [[unlikely]]
    return;
  if (!pools_[arithmetic].units.empty()) {
    collect(request, delay);
  } else {
    request.operands = request.now;
    (request.decoded->memory ? load_store : lanes)->b_transport(request, delay);
  }
  if (request.refusal != Refusal::none) return;
  statistics_.reads += request.decoded->rows.read.size();
  statistics_.writes += request.decoded->rows.written.size();
}

void OperandCollector::collect(IssueRequest& request, sc_core::sc_time& delay) {
  if (apart_) return collect_apart(request, delay);
  if (request.decoded->memory && !ask_load_store(request, delay)) return;
  Pool& pool = pools_[arithmetic];
  pool.unit = pool.find_unit(request.now);
  Cycle& unit = pool.units[pool.unit];
  if (unit > request.now) {
    request.refusal = Refusal::collector;
    request.retry = unit;
    return;
  }
  const std::uint32_t slot = request.warp->slot;
  request.operands = reserve_banks(slot, request.decoded->rows.read, request.now, request.now);
  request.collected = true;
  (request.decoded->memory ? load_store : lanes)->b_transport(request, delay);
  unit = request.start + 1;
  statistics_.read_wait_cycles += request.operands - request.now;
  statistics_.pipe_wait_cycles += request.start - request.operands;
  if (request.result < never) {
    request.result = write(slot, request.decoded->rows.written, request.now, request.result);
  }
}

bool OperandCollector::ask_load_store(IssueRequest& request, sc_core::sc_time& delay) {
  request.only_ask = true;
  load_store->b_transport(request, delay);
  request.only_ask = false;
  return request.refusal == Refusal::none;
}

void OperandCollector::collect_apart(IssueRequest& request, sc_core::sc_time& delay) {
  Kind kind = arithmetic;
  if (request.decoded->memory) {
    kind = memory;
    if (!ask_load_store(request, delay)) return;
  } else if (!pools_[special].units.empty()) {
    const PipeService& service = pipes_.of(*request.decoded);
    request.special = service.either && !pools_[arithmetic].room(request.now);
    if (service.pipe == LanesBusyCycles::special || request.special) kind = special;
  }
  Pool& pool = pools_[pools_[kind].units.empty() ? arithmetic : kind];
  if (pool.room(request.now)) return enter(pool, request, delay);
  request.refusal = Refusal::collector;
  request.retry = pool.earliest_entry();
  if (request.special) request.retry = std::min(request.retry, pools_[arithmetic].earliest_entry());
}

void OperandCollector::enter(Pool& pool, IssueRequest& request, sc_core::sc_time& delay) {
  const std::uint32_t slot = request.warp->slot;
  const RowList& rows = request.decoded->rows.read;
  const bool latched = !pool.before.empty();
  pool.unit = pool.find_unit(request.now);
  Cycle& unit = pool.units[pool.unit];
  Cycle first_read = request.now;
  if (latched) {
    const Cycle entered = std::max(request.now + 1, unit);
    *std::ranges::min_element(pool.before) = entered;
    first_read = entered + 1;
  }
  const Cycle collected = rows.size() == 0 && latched ? first_read - 1 : read(slot, rows, request.now, first_read);
  request.operands = collected;
  Cycle* latch = nullptr;
  if (latched) {
    latch = &*std::ranges::min_element(pool.behind);
    unit = std::max(collected + 1, *latch);
    request.operands = unit + 1;
  }
  request.collected = true;
  (request.decoded->memory ? load_store : lanes)->b_transport(request, delay);
  (latched ? *latch : unit) = request.start + (latched ? 0 : 1);
  statistics_.pipe_wait_cycles += request.start - collected - (latched ? 2 : 0);
  if (request.result < never) {
    request.result = write(slot, request.decoded->rows.written, request.now, request.result);
  }
}

Cycle OperandCollector::read(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
  Cycle last = from;
  Cycle undisturbed = from;
  if (unit_reads_ == 0) {
    last = reserve_banks(slot, rows, now, from);
  } else {
    // Reads as many rows in a cycle as banks and the unit's ports allow.
    unsigned in_cycle = 0;
    for (const std::uint16_t row : rows) {
      const Cycle cycle = banks_.reserve(bank_of_row(slot, row), now, in_cycle < unit_reads_ ? last : last + 1);
      in_cycle = cycle == last ? in_cycle + 1 : 1;
      last = cycle;
    }
    undisturbed += rows.size() == 0 ? 0 : (rows.size() - 1) / unit_reads_;
  }
  statistics_.read_wait_cycles += last - undisturbed;
  return last;
}

void OperandCollector::b_transport(ResultRequest& request, sc_core::sc_time& /*delay*/) {
  if (pools_[arithmetic].units.empty()) return;
  request.result = write(request.slot, request.decoded->rows.written, request.now, request.result);
}

void OperandCollector::b_transport(BankRequest& request, sc_core::sc_time& /*delay*/) {
  request.granted = banks_.take(bank_of_row(request.slot, request.row), request.now);
}

Cycle OperandCollector::write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result) {
  if (rows.size() == 0) return result;
  // A row is written in the cycle before it can be read.
  const Cycle there = result - 1;
  const Cycle on_bus = result_buses_.reserve(now, there);
  const Cycle written = reserve_banks(slot, rows, now, on_bus);
  statistics_.write_wait_cycles += written - there;
  return written + 1;
}

bool OperandCollector::Pool::room(Cycle now) const {
  return before.empty() ? units[find_unit(now)] <= now : earliest_entry() <= now;
}

Cycle OperandCollector::Pool::earliest_entry() const {
  return *std::ranges::min_element(before.empty() ? units : before);
}

std::size_t OperandCollector::Pool::find_unit(Cycle now) const {
  // Units nearly always become free in the order in which they were allocated.
  const std::size_t next = unit + 1 < units.size() ? unit + 1 : 0;
  if (units[next] <= now) return next;
  return static_cast<std::size_t>(std::ranges::min_element(units) - units.begin());
}

}  // namespace reconverge
