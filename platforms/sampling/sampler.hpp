// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Observes a launch that does a part of some work, and estimates the counters of the whole work.
///
/// A launch has three phases: the machine fills, works at capacity, and empties. The whole work would have the first
/// and the last phase once, like the part; only the middle phase would be longer. The estimate is therefore the count
/// of the part plus the middle phase scaled by the missing work. The middle phase begins when the machine is full, and
/// ends when no unit is left to begin. It is divided into batches that are at least as long as the machine needs to
/// exchange its contents, so that they are nearly independent (the method of batch means). Work often changes during a
/// launch. Each batch therefore represents the missing units around it, and the last batch also those around the units
/// that end in the third phase.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "platforms/machine.hpp"
#include "platforms/sampling/sample.hpp"

namespace reconverge::sampling {

/// The work of which a launch does a part.
struct Work {
  std::string unit;             ///< `blocks` or `rays`
  std::uint64_t whole = 0;      ///< units
  std::uint64_t simulated = 0;  ///< units of the launch itself
  std::uint64_t resident = 0;   ///< units that the machine holds at a time
  /// Units that the launch has begun, from its counters so far.
  std::function<std::uint64_t(const Statistics& so_far)> begun{};

  /// Whether the part is long enough for an estimate.
  bool is_large_enough() const { return simulated >= least(); }
  /// The reason that all of the work must be done.
  std::string too_small() const;
  /// The machine fills once, and exchanges its contents for each of at least five batches.
  std::uint64_t least() const { return 6 * resident; }
};

class Sampler {
 public:
  /// Before the launch. `machine` must outlive it.
  Sampler(Machine& machine, Work work);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// To be called with the progress of the launch, as KeepGoing.
  void note();

  /// After the launch: replaces its counts by estimates for the whole work. Throws ExecutionError if the
  /// launch had no middle phase.
  Sample estimate(Statistics& counters, InstructionCounts& instructions);

 private:
  struct Moment {
    Statistics counters;
    InstructionCounts instructions;
    std::uint64_t begun = 0;
  };

  struct Batch {
    Statistics counters;
    InstructionCounts instructions;
    double work = 0;    ///< units
    double weight = 0;  ///< units that are missing for each of these
  };

  /// The ends of the batches, after the start of the first.
  std::vector<Moment> batch_ends() const;
  /// Throws ExecutionError if there are fewer than two.
  std::vector<Batch> batches() const;

  Machine& machine_;
  Work work_;
  Statistics before_;
  InstructionCounts instructions_before_;
  std::vector<Moment> moments_;
  std::uint64_t step_ = 1;  // calls between moments
  std::uint64_t asked_ = 0;
};

}  // namespace reconverge::sampling
