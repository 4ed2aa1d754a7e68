// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of traffic for dynamic warp formation: counts of the relevant cases, by name.

#include <cstdint>
#include <string>
#include <vector>

#include "models/cosim/dynamic_microkernel/formation_values.hpp"
#include "models/schemes/dynamic_microkernel/warp_formation.hpp"

namespace reconverge {

class FormationCoverage {
 public:
  FormationCoverage();

  /// Before the first cycle of a block, and after each cycle.
  void look(const WarpFormation& model);
  /// Records each cycle, with the values at the pins.
  void cycle(const FormationInputs& inputs, const FormationOutputs& outputs);
  /// A spawn that loses arbitration to another in a cycle.
  void within(const FormationInputs& inputs, const FormationOutputs& outputs);

  /// Every bin with its count, one a line.
  std::string text() const;
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::string name;
    std::uint64_t count = 0;
  };

  void hit(std::size_t bin) { ++bins_[bin].count; }
  void see_spawn(const FormationInputs& inputs, const FormationSpawn& spawn);
  void see_stall(const SpawnLut::Line* line);
  void see_issue(const FormationInputs& inputs, const SpawnLut::Line* line, std::uint32_t sum);
  void see_partial();
  void see_releases(const FormationInputs& inputs);

  std::vector<Bin> bins_;
  std::size_t counts_ = 0;  // first bin of spawns by their number of threads
  // The state at the beginning of the cycle.
  std::vector<SpawnLut::Line> lines_;
  std::size_t waiting_ = 0;
  std::size_t capacity_ = 0;
  std::size_t regions_ = 0;
  std::size_t taken_ = 0;
  std::size_t next_ = 0;
};

}  // namespace reconverge
