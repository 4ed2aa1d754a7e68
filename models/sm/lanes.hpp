#pragma once
/// The SIMD lanes of an SM as pipes: execute at issue, answer when the result can be read. A pipe takes instructions in
/// the order in which they issue, each when its operands have been read.

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <systemc>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/pipe.hpp"

namespace reconverge {

class Lanes : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<Lanes, 32, ControlProtocol<IssueRequest>> issue;

  /// `schedulers`: that issue here, by the number of their binding.
  Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers);

  const LanesStatistics& statistics() const { return statistics_; }

 private:
  /// The pipes of one scheduler, or of all.
  struct Pipes {
    explicit Pipes(const LanesParameters& parameters);
    std::array<Pipe, 5> pipes;  // by LanesBusyCycles
  };

  /// Which pipe serves an operation class, for how long, and how its instructions are counted.
  struct Service {
    LanesBusyCycles pipe = LanesBusyCycles::alu;
    Cycle latency = 0;
    LanesInstructions counter = LanesInstructions::alu;
  };

  void handle(int scheduler, IssueRequest& request, sc_core::sc_time& delay);
  const Service& service_of(const kernel::Instruction& instruction) const;

  bool separate_integers_;
  std::vector<Pipes> pipes_;
  std::array<Service, static_cast<std::size_t>(kernel::OperationClass::count)> services_;
  Service integer_;
  LanesStatistics statistics_;
};

}  // namespace reconverge
