#include "models/sm/operand_collector.hpp"

#include <algorithm>

#include "models/sm/program_image.hpp"

namespace reconverge {

OperandCollector::OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters)
    : sc_module(name),
      requests("requests"),
      unit_free_(parameters.units),
      banks_(parameters.banks),
      bank_of_number_(kernel::Operand::max_row + 1),
      result_buses_(parameters.result_bus) {
  requests.register_b_transport(this, &OperandCollector::handle);
  for (std::size_t number = 0; number < bank_of_number_.size(); ++number) {
    bank_of_number_[number] = static_cast<std::uint8_t>(number % parameters.banks);
  }
}

void OperandCollector::begin() {
  std::fill(unit_free_.begin(), unit_free_.end(), 0);
  for (BusyRing& bank : banks_) bank.begin();
  for (BusyRing& bus : result_buses_) bus.begin();
}

void OperandCollector::handle(OperandRequest& request, sc_core::sc_time& /*delay*/) {
  switch (request.phase) {
    case OperandPhase::read:
      read(request);
      break;
    case OperandPhase::leave:
      leave(request);
      break;
    case OperandPhase::write:
      write(request);
      break;
  }
}

void OperandCollector::read(OperandRequest& request) {
  request.operands = request.now;
  if (!unit_free_.empty()) {
    unit_ = find_unit(request.now);
    request.retry = unit_free_[unit_];
    request.accepted = request.retry <= request.now;
    if (!request.accepted) return;
    for (const std::uint16_t row : request.rows->read) {
      request.operands = std::max(request.operands, bank_of(request, row).reserve(request.now, request.now));
    }
  }
  request.accepted = true;
  statistics_.reads += request.rows->read.size();
  statistics_.read_wait_cycles += request.operands - request.now;
}

void OperandCollector::leave(OperandRequest& request) {
  if (!unit_free_.empty()) {
    unit_free_[unit_] = request.start + 1;
    statistics_.pipe_wait_cycles += request.start - request.operands;
  }
  statistics_.writes += request.rows->written.size();
  if (request.result < never) write(request);
}

void OperandCollector::write(OperandRequest& request) {
  if (unit_free_.empty() || request.rows->written.size() == 0) return;
  // A row is written in the cycle before it can be read.
  const Cycle there = request.result - 1;
  const Cycle on_bus = reserve_bus(request.now, there);
  Cycle written = on_bus;
  for (const std::uint16_t row : request.rows->written) {
    written = std::max(written, bank_of(request, row).reserve(request.now, on_bus));
  }
  statistics_.write_wait_cycles += written - there;
  request.result = written + 1;
}

std::size_t OperandCollector::find_unit(Cycle now) const {
  // Units are free in the order in which they were taken, nearly always.
  const std::size_t next = unit_ + 1 < unit_free_.size() ? unit_ + 1 : 0;
  if (unit_free_[next] <= now) return next;
  return static_cast<std::size_t>(std::min_element(unit_free_.begin(), unit_free_.end()) - unit_free_.begin());
}

Cycle OperandCollector::reserve_bus(Cycle now, Cycle from) {
  for (Cycle cycle = from;; ++cycle) {
    for (BusyRing& bus : result_buses_) {
      if (bus.take(now, cycle)) return cycle;
    }
  }
}

}  // namespace reconverge
