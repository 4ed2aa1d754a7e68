// SPDX-License-Identifier: Apache-2.0
#include "models/sm/operand_collector.hpp"

#include <algorithm>
#include <utility>

#include "models/execution/warp.hpp"
#include "models/sm/pipe.hpp"

namespace reconverge {

OperandCollector::OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters,
                                   PipeTable pipes, const Neighbours& neighbours)
    : sc_module(name),
      issue("issue"),
      results("results"),
      banks("banks"),
      lanes("lanes"),
      load_store("load_store"),
      pipes_(std::move(pipes)),
      steps_(parameters.steps),
      unit_reads_(static_cast<unsigned>(parameters.unit_reads)),
      neighbours_(neighbours),
      banks_(parameters.banks),
      written_banks_(parameters.banks),
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
  const bool stepwise = parameters.steps > 1;
  apart_ =
      stepwise || parameters.special_units + parameters.memory_units + parameters.unit_reads + parameters.latches != 0;
  writes_apart_ = stepwise || neighbours.lines;
}

void OperandCollector::begin() {
  for (Pool& pool : pools_) {
    for (std::vector<Cycle>* const free : {&pool.units, &pool.before, &pool.behind}) std::ranges::fill(*free, 0);
  }
  banks_.begin();
  written_banks_.begin();
  result_buses_.begin();
}

IssueRequest OperandCollector::collected_apart(IssueRequest request) {
  Kind kind = arithmetic;
  if (request.decoded->memory) {
    kind = memory;
    if (!ask_load_store(request)) return request;
  } else if (!pools_[special].units.empty()) {
    const PipeService& service = pipes_.of(*request.decoded);
    request.special = service.either && earliest_entry(pools_[arithmetic]) > request.now;
    if (service.pipe == LanesBusyCycles::special || request.special) kind = special;
  }
  Pool& pool = pools_[pools_[kind].units.empty() ? arithmetic : kind];
  const Cycle entry = earliest_entry(pool);
  if (entry <= request.now) {
    enter(pool, request);
    return request;
  }
  request.refusal = Refusal::collector;
  request.retry = entry;
  if (request.special) request.retry = std::min(request.retry, earliest_entry(pools_[arithmetic]));
  return request;
}

void OperandCollector::enter(Pool& pool, IssueRequest& request) {
  const std::uint32_t slot = request.warp->slot;
  const RowList& rows = request.decoded->rows.read;
  const bool latched = !pool.before.empty();
  pool.unit = pool.find_unit(steps_.first(request.now));
  Cycle& unit = pool.units[pool.unit];
  Cycle first_read = steps_.first(request.now);
  if (latched) {
    const Cycle entered = std::max(steps_.first(request.now + 1), unit);
    *std::ranges::min_element(pool.before) = steps_.cycle_of(entered);
    first_read = entered + 1;
  }
  const Cycle collected = rows.size() == 0 && latched ? first_read - 1 : read(slot, rows, request.now, first_read);
  request.operands = steps_.cycle_of(collected);
  Cycle* latch = nullptr;
  Cycle latch_wait = 0;
  if (latched) {
    latch = &*std::ranges::min_element(pool.behind);
    unit = std::max(collected + 1, steps_.first(*latch));
    latch_wait = unit - (collected + 1);
    request.operands = steps_.cycle_of(unit) + 1;
  }
  request.collected = true;
  send_on(request);
  if (latched) {
    *latch = request.start;
  } else {
    unit = steps_.first(request.start + 1);
  }
  statistics_.pipe_wait_cycles += request.start - request.operands + steps_.cycle_of(latch_wait);
  if (request.result < never && !request.written) {
    request.result = write(slot, request.decoded->rows.written, request.now, request.result);
  }
}

Cycle OperandCollector::read(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
  Cycle last = from;
  Cycle undisturbed = from;
  if (unit_reads_ == 0) {
    last = banks_.reserve(slot, rows, steps_.first(now), from);
  } else {
    // Reads as many rows in a step as banks and the unit's ports allow.
    unsigned in_step = 0;
    for (const std::uint16_t row : rows) {
      const Cycle step =
          banks_.reserve(banks_.bank_of(slot, row), steps_.first(now), in_step < unit_reads_ ? last : last + 1);
      in_step = step == last ? in_step + 1 : 1;
      last = step;
    }
    undisturbed += rows.size() == 0 ? 0 : (rows.size() - 1) / unit_reads_;
  }
  statistics_.read_wait_cycles += steps_.cycle_of(last - undisturbed);
  return last;
}

void OperandCollector::b_transport(ResultRequest& request, sc_core::sc_time& /*delay*/) {
  if (pools_[arithmetic].units.empty()) {
    request.written = request.line;
    return;
  }
  if (request.line) return write_line(request);
  request.result = write(request.slot, request.decoded->rows.written, request.now, request.result);
}

void OperandCollector::b_transport(BankRequest& request, sc_core::sc_time& /*delay*/) {
  const unsigned bank = banks_.bank_of(request.slot, request.row);
  request.granted = false;
  for (Cycle step = steps_.first(request.now); !request.granted && step <= steps_.last(request.now); ++step) {
    request.granted = banks_.take(bank, step);
  }
}

[[gnu::flatten]] Cycle OperandCollector::write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result) {
  if (rows.size() == 0) return result;
  // A row is written in the cycle before it can be read.
  const Cycle there = result - 1;
  const Cycle on_bus = result_buses_.reserve(now, there);
  const Cycle written = writes_apart_ ? write_apart(slot, rows, now, on_bus) : banks_.reserve(slot, rows, now, on_bus);
  statistics_.write_wait_cycles += written - there;
  return written + 1;
}

Cycle OperandCollector::write_apart(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
  const Cycle first = steps_.first(now);
  const Cycle earliest = steps_.first(from);
  Cycle last = earliest;
  for (const std::uint16_t row : rows) {
    const unsigned bank = banks_.bank_of(slot, row);
    const Cycle step = banks_.reserve(bank, first, earliest);
    if (!neighbours_.lines) {
      last = std::max(last, step);
    } else if (earliest < first + BankRing::horizon) {
      written_banks_.take(bank, earliest);  // reads give way
    }
  }
  return steps_.cycle_of(last);
}

void OperandCollector::write_line(ResultRequest& request) {
  const Cycle now = steps_.first(request.now);
  const Cycle step = std::min(steps_.first(request.result) + request.step, steps_.last(request.result));
  request.written = true;
  if (step >= now + BankRing::horizon) return;
  std::uint64_t taken = 0;  // banks
  for (const std::uint16_t row : request.decoded->rows.written) {
    const unsigned bank = banks_.bank_of(request.slot, row);
    const std::uint64_t bit = std::uint64_t{1} << bank;
    if ((taken & bit) == 0 && !written_banks_.take(bank, step)) {
      request.written = false;
      ++statistics_.write_wait_cycles;
      return;
    }
    taken |= bit;
    banks_.reserve(bank, std::min(now, step), step);
  }
}

Cycle OperandCollector::earliest_entry(const Pool& pool) const {
  return pool.before.empty() ? steps_.cycle_from(*std::ranges::min_element(pool.units))
                             : *std::ranges::min_element(pool.before);
}

}  // namespace reconverge
