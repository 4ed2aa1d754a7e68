#pragma once
/// The operand collector of one scheduler, in front of single-ported register banks (Coon et al., US patent 7834881;
/// GPGPU-Sim manual).
///
/// An instruction takes a unit when it issues, reads its rows, one a bank and cycle, and gives the unit back when its
/// pipe takes it. Its result needs the result bus and then the bank of each row. Older instructions go first
/// everywhere, so a reservation in the order of issue gives the very cycles: nobody who comes later can take them away.

#include <tlm_utils/passthrough_target_socket.h>

#include <systemc>
#include <vector>

#include "blocks/operand_collector.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/busy_ring.hpp"

namespace reconverge {

class OperandCollector : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<OperandCollector, 32, ControlProtocol<OperandRequest>> requests;

  OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters);

  void begin();

  const OperandCollectorStatistics& statistics() const { return statistics_; }

 private:
  void handle(OperandRequest& request, sc_core::sc_time& delay);
  void read(OperandRequest& request);
  void leave(OperandRequest& request);
  void write(OperandRequest& request);
  /// The unit that is free first.
  std::size_t find_unit(Cycle now) const;
  /// Takes the first cycle from `from` on in which one of the buses is free.
  Cycle reserve_bus(Cycle now, Cycle from);
  BusyRing& bank_of(const OperandRequest& request, std::uint16_t row) {
    const unsigned sum = bank_of_number_[row] + bank_of_number_[request.slot];
    return banks_[sum < banks_.size() ? sum : sum - banks_.size()];
  }

  std::vector<Cycle> unit_free_;
  std::size_t unit_ = 0;  // of the instruction that is being issued
  std::vector<BusyRing> banks_;
  std::vector<std::uint8_t> bank_of_number_;  // a row's or a slot's number modulo the banks
  std::vector<BusyRing> result_buses_;
  OperandCollectorStatistics statistics_;
};

}  // namespace reconverge
