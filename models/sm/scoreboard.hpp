#pragma once
/// Which registers of which warp are on their way, and until when. A result of memory may have no known time yet; a
/// warp does not end before all of its results are there.

#include <systemc>
#include <vector>

#include "blocks/scoreboard.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/issue.hpp"

namespace reconverge {

class Scoreboard : public sc_core::sc_module, private ControlTarget<ScoreboardRequest> {
 public:
  ControlTargetSocket<ScoreboardRequest> requests;

  Scoreboard(sc_core::sc_module_name name, std::size_t warp_slots);

  /// Begins a launch: all registers of all warps are ready.
  void begin(const ProgramImage& image);
  /// A new warp takes the slot.
  void clear(std::uint32_t slot);

  const ScoreboardStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(ScoreboardRequest& request, sc_core::sc_time& delay) override;

  std::size_t warp_slots_;
  std::size_t tracked_ = 0;  // registers of a warp, and one that is always ready
  // For each warp and register twice the cycle in which it is ready, plus one if it comes from memory: the
  // largest of several entries then also tells what the instruction waits for.
  std::vector<std::uint64_t> ready_;
  struct Loads {
    std::uint32_t unknown = 0;  // results whose time is not known
    Cycle until = 0;            // the others are there
  };
  std::vector<Loads> loads_;  // by warp
  ScoreboardStatistics statistics_;
};

}  // namespace reconverge
