// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of traffic for a subwarp scheduler: counts of the relevant cases, by name.

#include <cstdint>
#include <string>
#include <vector>

#include "models/cosim/subwarp_interleaving/subwarp_values.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_scheduler.hpp"

namespace reconverge {

class SubwarpCoverage {
 public:
  SubwarpCoverage();

  /// Records each cycle, with the values at the pins: `model` is in its state after the cycle.
  void cycle(const SubwarpScheduler& model, const SubwarpInputs& inputs, const SubwarpOutputs& outputs);

  /// Every bin with its count, one a line.
  std::string text() const;
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::string name;
    std::uint64_t count = 0;
  };
  struct Warp {
    std::array<StatusEntry, most_entries> entries{};
  };

  void hit(std::size_t bin) { ++bins_[bin].count; }
  void see_sets(const SubwarpInputs& inputs);
  void see_stall(const SubwarpInputs& inputs);
  void see_results(const SubwarpScheduler& model, const SubwarpInputs& inputs);
  void see_selection(const SubwarpScheduler& model, const SubwarpInputs& inputs, const SubwarpOutputs& outputs);
  void see_states(const SubwarpOutputs& outputs);
  /// Results of this cycle for an entry that waits on a scoreboard.
  static unsigned matches(const SubwarpInputs& inputs, std::uint32_t warp, unsigned entry, unsigned scoreboard);
  void look(const SubwarpScheduler& model);

  std::vector<Bin> bins_;
  std::size_t transitions_ = 0;  // first bin of transitions by divergence handling
  // The state at the beginning of the cycle.
  std::vector<Warp> warps_;
  unsigned entries_ = 0;
  std::uint64_t waiting_ = 0;
  std::vector<unsigned> next_;  // where round-robin selection continues
};

}  // namespace reconverge
