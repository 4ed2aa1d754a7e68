// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Observes a launch that does a part of some work, and estimates the counters of all of it.
///
/// A launch has three phases: the machine fills, works at capacity, and empties. The whole work would have the first
/// and the last once, as the part does; only the phase between them would be longer. So the estimate is what the part
/// counted, and in addition the middle phase times the work that is missing. The middle phase begins when the machine
/// is full, and ends when nothing is left to begin. It is divided into batches, at least as long as the machine takes
/// to exchange its contents, so that they are nearly independent (the method of batch means). Work often changes along
/// a launch. Therefore each batch stands for what is missing around it, and the last one also for what is missing
/// around the units that end in the third phase.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "platforms/machine.hpp"
#include "platforms/sampling/sample.hpp"

namespace reconverge::sampling {

/// What a launch does a part of.
struct Work {
  std::string unit;             ///< `blocks` or `rays`
  std::uint64_t whole = 0;      ///< units
  std::uint64_t simulated = 0;  ///< units of the launch itself
  std::uint64_t resident = 0;   ///< units that the machine holds at a time
  /// Units that the launch has begun, from its counters so far.
  std::function<std::uint64_t(const Statistics& so_far)> begun{};

  /// Whether the part is long enough for an estimate.
  bool is_large_enough() const { return simulated >= least(); }
  /// Why all of the work is to be done.
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

  /// After the launch: replaces what it counted by estimates for the whole work. Throws ExecutionError if the
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
  std::uint64_t step_ = 1;  // questions between moments
  std::uint64_t asked_ = 0;
};

}  // namespace reconverge::sampling
