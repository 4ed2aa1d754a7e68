#include "models/sm/operand_collector.hpp"

#include <algorithm>

#include "models/execution/warp.hpp"

namespace reconverge {

OperandCollector::OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters)
    : sc_module(name),
      issue("issue"),
      results("results"),
      banks("banks"),
      lanes("lanes"),
      load_store("load_store"),
      unit_free_(parameters.units),
      banks_(parameters.banks),
      bank_count_(static_cast<unsigned>(parameters.banks)),
      bank_of_number_(kernel::Operand::max_row + 1),
      result_buses_(parameters.result_bus) {
  issue.bind(static_cast<ControlTarget<IssueRequest>&>(*this));
  results.bind(static_cast<ControlTarget<ResultRequest>&>(*this));
  banks.bind(static_cast<ControlTarget<BankRequest>&>(*this));
  for (std::size_t number = 0; number < bank_of_number_.size(); ++number) {
    bank_of_number_[number] = static_cast<std::uint8_t>(number % parameters.banks);
  }
}

void OperandCollector::begin() {
  std::fill(unit_free_.begin(), unit_free_.end(), 0);
  banks_.begin();
  result_buses_.begin();
}

[[gnu::flatten]] void OperandCollector::b_transport(IssueRequest& request, sc_core::sc_time& delay) {
  if (!unit_free_.empty()) {
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
  auto& pipe = request.decoded->memory ? load_store : lanes;
  if (request.decoded->memory) {
    request.only_ask = true;
    pipe->b_transport(request, delay);
    request.only_ask = false;
    if (request.refusal != Refusal::none) return;
  }
  unit_ = find_unit(request.now);
  if (unit_free_[unit_] > request.now) {
    request.refusal = Refusal::collector;
    request.retry = unit_free_[unit_];
    return;
  }
  const std::uint32_t slot = request.warp->slot;
  request.operands = reserve_banks(slot, request.decoded->rows.read, request.now, request.now);
  request.collected = true;
  pipe->b_transport(request, delay);
  unit_free_[unit_] = request.start + 1;
  statistics_.read_wait_cycles += request.operands - request.now;
  statistics_.pipe_wait_cycles += request.start - request.operands;
  if (request.result < never) {
    request.result = write(slot, request.decoded->rows.written, request.now, request.result);
  }
}

void OperandCollector::b_transport(ResultRequest& request, sc_core::sc_time& /*delay*/) {
  if (unit_free_.empty()) return;
  request.result = write(request.slot, request.decoded->rows.written, request.now, request.result);
}

void OperandCollector::b_transport(BankRequest& request, sc_core::sc_time& /*delay*/) {
  request.granted = banks_.take(bank_of_row(request.slot, request.row), request.now);
}

Cycle OperandCollector::write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result) {
  if (rows.size() == 0) return result;
  // A row is written in the cycle before it can be read.
  const Cycle there = result - 1;
  const Cycle on_bus = result_buses_.reserve_any(now, there);
  const Cycle written = reserve_banks(slot, rows, now, on_bus);
  statistics_.write_wait_cycles += written - there;
  return written + 1;
}

std::size_t OperandCollector::find_unit(Cycle now) const {
  // Units are free in the order in which they were taken, nearly always.
  const std::size_t next = unit_ + 1 < unit_free_.size() ? unit_ + 1 : 0;
  if (unit_free_[next] <= now) return next;
  return static_cast<std::size_t>(std::min_element(unit_free_.begin(), unit_free_.end()) - unit_free_.begin());
}

}  // namespace reconverge
