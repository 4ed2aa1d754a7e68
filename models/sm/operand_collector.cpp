#include "models/sm/operand_collector.hpp"

#include <algorithm>

#include "models/sm/program_image.hpp"

namespace reconverge {

OperandCollector::OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters)
    : sc_module(name),
      requests("requests"),
      parameters_(parameters),
      unit_free_(parameters.units),
      banks_(parameters.banks),
      result_buses_(parameters.result_bus) {
  requests.register_b_transport(this, &OperandCollector::handle);
}

void OperandCollector::begin(Cycle now) {
  std::fill(unit_free_.begin(), unit_free_.end(), 0);
  for (BusyRing& bank : banks_) bank.begin(now);
  for (BusyRing& bus : result_buses_) bus.begin(now);
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
    const auto first = std::min_element(unit_free_.begin(), unit_free_.end());
    request.accepted = *first <= request.now;
    request.retry = *first;
    if (!request.accepted) return;
    unit_ = static_cast<std::size_t>(first - unit_free_.begin());
    for (const std::uint16_t row : request.rows->read) {
      const Cycle cycle = banks_[bank_of(request, row)].reserve(request.now, request.now);
      request.operands = std::max(request.operands, cycle);
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
  // The bus that is free first; of equals the first.
  BusyRing* best = &result_buses_.front();
  for (BusyRing& bus : result_buses_) {
    if (bus.first_free(request.now, there) < best->first_free(request.now, there)) best = &bus;
  }
  const Cycle on_bus = best->reserve(request.now, there);
  Cycle written = on_bus;
  for (const std::uint16_t row : request.rows->written) {
    written = std::max(written, banks_[bank_of(request, row)].reserve(request.now, on_bus));
  }
  statistics_.write_wait_cycles += written - there;
  request.result = written + 1;
}

}  // namespace reconverge
