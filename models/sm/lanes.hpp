#pragma once
/// The SIMD lanes of an SM as pipes: execute at issue, answer when the result can be read. A pipe takes instructions in
/// the order in which they issue, each when its operands have been read.

#include <array>
#include <systemc>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/pipe.hpp"

namespace reconverge {

class Lanes : public sc_core::sc_module, private ControlTarget<IssueRequest> {
 public:
  ControlTargetSocket<IssueRequest> issue;

  /// `schedulers`: that issue here.
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

  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override;

  std::vector<Pipes> pipes_;
  using Services = std::array<Service, static_cast<std::size_t>(kernel::OperationClass::count)>;
  std::array<Services, 2> services_;  // by operation class; the second for DecodedInstruction::integer
  LanesStatistics statistics_;
};

}  // namespace reconverge
