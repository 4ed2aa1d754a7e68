#pragma once
/// Runs a launch with no time in it: block after block, warp after warp. For answers without waiting, and as the
/// reference that timing must not change. Blocks that wait for one another run side by side: a block that has not ended
/// after some rounds lets the next one begin, up to the number that the platform holds.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platforms/functional/functional_block.hpp"

namespace reconverge {

/// What threads that wait for each other can rely on. The defaults hold as many blocks as any GPU does.
struct FunctionalParameters {
  ForwardProgress progress = ForwardProgress::warps;
  /// Blocks of a launch that are there at a time; empty: as many as any GPU holds.
  std::function<std::uint64_t(const Launch&)> resident_blocks;
};

class FunctionalMachine : public Machine {
 public:
  explicit FunctionalMachine(FunctionalParameters parameters = {}) : parameters_(std::move(parameters)) {}

  DeviceMemory& memory() override { return memory_; }

  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  /// It runs one after the other, where they let it.
  std::uint64_t blocks_at_once(const Launch& /*launch*/) const override { return 1; }
  InstructionCounts instructions() const override { return instructions_; }
  Statistics totals() const override { return {}; }
  /// It hears what issues, and of branches; all in one cycle of one SM.
  void observe_sms(SmObserver* observer) override { observer_ = observer; }

 private:
  struct Stopped {};

  void run_blocks(const Launch& launch, const FunctionalProgram& program, InstructionCounts& counts,
                  const KeepGoing& keep_going);
  /// Blocks of the launch that are there at a time, at most.
  std::uint64_t resident_blocks(const Launch& launch) const;
  void begin_block(const Launch& launch, const FunctionalProgram& program, std::uint64_t block);
  /// After rounds in which nothing happened. Throws when every warp runs in a circle. `left`: blocks that have not
  /// begun.
  void look_for_circles(const Launch& launch, std::uint64_t left);

  FunctionalParameters parameters_;
  DeviceMemory memory_;
  InstructionCounts instructions_;
  SmObserver* observer_ = nullptr;
  std::map<const kernel::Program*, FunctionalProgram> programs_;
  std::deque<std::unique_ptr<FunctionalBlock>> running_;  // in the order in which they began
  std::vector<std::unique_ptr<FunctionalBlock>> idle_;
};

}  // namespace reconverge
