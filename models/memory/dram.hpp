#pragma once
/// Memory: channels with latency and bandwidth.

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <vector>

#include "blocks/dram.hpp"
#include "models/core/cycle.hpp"

namespace reconverge {

class Dram : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Dram> requests;  ///< lines; completed early

  Dram(sc_core::sc_module_name name, const DramParameters& parameters, Clock clock);

  const DramStatistics& statistics() const { return statistics_; }

 private:
  tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  DramParameters parameters_;
  Clock clock_;
  std::vector<Cycle> channel_free_;
  DramStatistics statistics_;
};

}  // namespace reconverge
