#pragma once
/// What traffic for dynamic warp formation has reached: counts of the cases that matter, by name.

#include <cstdint>
#include <string>
#include <vector>

#include "models/dynamic_microkernel/twin/formation_values.hpp"
#include "models/dynamic_microkernel/warp_formation.hpp"

namespace reconverge {

class FormationCoverage {
 public:
  FormationCoverage();

  /// Before the first cycle of a block, and after each.
  void look(const WarpFormation& model);
  /// Each cycle, with what was at the pins.
  void cycle(const FormationInputs& inputs, const FormationOutputs& outputs);
  /// A spawn that gives way to another in a cycle.
  void within(const FormationInputs& inputs, const FormationOutputs& outputs);

  /// Every bin with its count, a line each.
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
  std::size_t counts_ = 0;  // first bin of spawns by their threads
  // As the cycle began.
  std::vector<SpawnLut::Line> lines_;
  std::size_t waiting_ = 0;
  std::size_t capacity_ = 0;
  std::size_t regions_ = 0;
  std::size_t taken_ = 0;
  std::size_t next_ = 0;
};

}  // namespace reconverge
