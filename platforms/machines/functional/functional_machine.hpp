// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs a launch without timing: block after block, warp after warp. It is fast, and its results are the reference for
/// timed machines. Blocks that wait for each other run concurrently: if a block has not ended after some rounds, the
/// next one begins, up to the number of blocks that can be resident on the platform.

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platforms/machines/functional/functional_block.hpp"
#include "platforms/machines/functional/functional_parameters.hpp"

namespace reconverge {

class FunctionalMachine : public Machine {
 public:
  explicit FunctionalMachine(FunctionalParameters parameters = {})
      : parameters_(std::move(parameters)), memory_(own_memory_) {}
  /// With the memory of another machine, which must outlive it.
  FunctionalMachine(FunctionalParameters parameters, DeviceMemory& memory)
      : parameters_(std::move(parameters)), memory_(memory) {}

  DeviceMemory& memory() override { return memory_; }

  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  void skip(const Launch& launch) override;
  bool archive(StateArchive& state) override;
  /// Blocks run one after the other unless they wait for one another.
  std::uint64_t blocks_at_once(const Launch& /*launch*/) const override { return 1; }
  std::uint64_t resident_blocks(const Launch& launch) const override;
  InstructionCounts instructions() const override { return instructions_; }
  Statistics totals() const override { return {}; }
  /// The observer is notified of threads that start, of issues and of branches, all in one cycle. Blocks that run at
  /// the same time are in different SMs.
  void observe_sms(SmObserver* observer) override { observer_ = observer; }

 private:
  struct Stopped {};

  const FunctionalProgram& program_of(const kernel::Program& program);
  void run_blocks(const Launch& launch, const FunctionalProgram& program, InstructionCounts& counts,
                  const KeepGoing& keep_going);
  void begin_block(const Launch& launch, const FunctionalProgram& program, std::uint64_t block);
  /// Called after rounds without any event. Throws if every warp loops without progress. `left`: blocks that have not
  /// begun.
  void look_for_circles(const Launch& launch, std::uint64_t left);

  FunctionalParameters parameters_;
  DeviceMemory own_memory_;
  DeviceMemory& memory_;
  InstructionCounts instructions_;
  SmObserver* observer_ = nullptr;
  std::map<kernel::ProgramKey, FunctionalProgram> programs_;
  std::deque<std::unique_ptr<FunctionalBlock>> running_;  // in the order in which they began
  std::vector<std::unique_ptr<FunctionalBlock>> idle_;
};

}  // namespace reconverge
