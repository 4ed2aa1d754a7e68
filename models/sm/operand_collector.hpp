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

  void begin(Cycle now);

  const OperandCollectorStatistics& statistics() const { return statistics_; }

 private:
  void handle(OperandRequest& request, sc_core::sc_time& delay);
  void read(OperandRequest& request);
  void leave(OperandRequest& request);
  void write(OperandRequest& request);
  std::size_t bank_of(const OperandRequest& request, std::uint16_t row) const {
    return (row + request.slot) % parameters_.banks;
  }

  OperandCollectorParameters parameters_;
  std::vector<Cycle> unit_free_;
  std::size_t unit_ = 0;  // of the instruction that is being issued
  std::vector<BusyRing> banks_;
  std::vector<BusyRing> result_buses_;
  OperandCollectorStatistics statistics_;
};

}  // namespace reconverge
