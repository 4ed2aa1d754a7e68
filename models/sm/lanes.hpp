#pragma once
/// The SIMD lanes of an SM as pipes: execute at issue, answer when the result can be read.

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <systemc>

#include "blocks/lanes.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/pipe.hpp"

namespace reconverge {

class Lanes : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<Lanes, 32, ControlProtocol<IssueRequest>> issue;

  Lanes(sc_core::sc_module_name name, const LanesParameters& parameters);

  const LanesStatistics& statistics() const { return statistics_; }

 private:
  /// The pipes that serve an operation class, and how its instructions are counted.
  struct Service {
    Pipe* pipe = nullptr;
    Cycle latency = 0;
    LanesInstructions counter = LanesInstructions::alu;
  };

  void handle(int initiator, IssueRequest& request, sc_core::sc_time& delay);

  Pipe alu_;
  Pipe multiply_;
  Pipe special_;
  Pipe fp64_;
  std::array<Service, static_cast<std::size_t>(kernel::OperationClass::count)> services_;
  LanesStatistics statistics_;
};

}  // namespace reconverge
