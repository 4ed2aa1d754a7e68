// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/functional_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

constexpr std::uint64_t instructions_between_questions = 1U << 16;
// Rounds in which no block begins or ends, before another begins; and rounds without any event, before the check for a
// deadlock.
constexpr std::uint32_t patience = 16;
// More blocks than any GPU holds at once: a launch that needs more blocks to run concurrently cannot end on any GPU.
constexpr std::uint64_t most_blocks = 4096;

/// Without the scheme, no hardware executes such an instruction.
void check_extensions(const kernel::Program& program) {
  for (const kernel::Instruction& instruction : program.instructions) {
    if (instruction.extension == kernel::no_extension) continue;
    const kernel::ExtensionInstruction& extension = program.extensions[instruction.extension];
    if (extension.has_value()) continue;
    // Loads and stores work as anywhere, except on memory that only a scheme has.
    if (extension.memory && extension.space != kernel::Space::spawn) continue;
    throw InputError({program.file, instruction.line, 0},
                     fmt::format("'{}' needs its hardware, and this machine has none", extension.mnemonic),
                     "run the kernel on a machine that has it");
  }
}

}  // namespace

bool FunctionalMachine::run(const Launch& launch, const KeepGoing& keep_going) {
  check_extensions(*launch.program);
  if (launch.cooperative && launch.grid_workspace == 0) {
    check_cooperative(launch, resident_blocks(launch));
    return run(with_grid_workspace(launch, memory_), keep_going);
  }
  const FunctionalProgram& program = program_of(*launch.program);
  InstructionCounts counts;
  running_.clear();
  idle_.clear();
  bool completed = true;
  try {
    run_blocks(launch, program, counts, keep_going);
  } catch (const Stopped&) {
    completed = false;
  }
  instructions_ += counts;
  return completed;
}

const FunctionalProgram& FunctionalMachine::program_of(const kernel::Program& program) {
  return programs_.try_emplace(kernel::key_of(program), program, memory_, parameters_.progress).first->second;
}

void FunctionalMachine::skip(const Launch& launch) {
  if (launch.cooperative && launch.grid_workspace == 0) with_grid_workspace(launch, memory_);
  program_of(*launch.program);
}

bool FunctionalMachine::archive(StateArchive& state) {
  state(memory_);
  return true;
}

void FunctionalMachine::run_blocks(const Launch& launch, const FunctionalProgram& program, InstructionCounts& counts,
                                   const KeepGoing& keep_going) {
  const std::uint64_t blocks = launch.blocks();
  const std::uint64_t most = resident_blocks(launch);
  std::uint64_t begun = 0;
  std::uint64_t next_question = instructions_between_questions;
  std::function<void()> asked;
  if (keep_going) {
    asked = [&] {
      if (counts.warp_instructions < next_question) return;
      next_question = counts.warp_instructions + instructions_between_questions;
      if (!keep_going({0, begun - running_.size(), blocks})) throw Stopped{};
    };
  }
  std::uint32_t rounds = 0;  // since a block began or ended
  std::uint32_t idle_rounds = 0;
  while (launch.cooperative && begun < blocks) begin_block(launch, program, begun++);
  while (begun < blocks || !running_.empty()) {
    if (running_.empty() || rounds >= patience) {
      // Without progress, all blocks may be waiting for one that has not begun: double the number of blocks.
      const std::size_t more = idle_rounds >= patience ? running_.size() : 1;
      const std::uint64_t wanted = std::min<std::uint64_t>(running_.size() + more, most);
      while (begun < blocks && running_.size() < wanted) begin_block(launch, program, begun++);
      rounds = 0;
    }
    bool changed = false;
    for (auto& block : running_) changed |= block->run_round(counts, observer_, asked);
    const auto ended =
        std::stable_partition(running_.begin(), running_.end(), [](const auto& block) { return !block->ended(); });
    rounds = ended == running_.end() ? rounds + 1 : 0;
    std::move(ended, running_.end(), std::back_inserter(idle_));
    running_.erase(ended, running_.end());
    idle_rounds = changed ? 0 : idle_rounds + 1;
    if (changed) {
      for (auto& block : running_) block->watch(false);
    } else if ((begun == blocks || running_.size() == most) && idle_rounds >= patience) {
      look_for_circles(launch, blocks - begun);
    }
  }
}

std::uint64_t FunctionalMachine::resident_blocks(const Launch& launch) const {
  return parameters_.resident_blocks ? std::max<std::uint64_t>(parameters_.resident_blocks(launch), 1) : most_blocks;
}

void FunctionalMachine::begin_block(const Launch& launch, const FunctionalProgram& program, std::uint64_t block) {
  if (idle_.empty()) {
    const auto place = static_cast<std::uint32_t>(running_.size());  // all of them run if none is idle
    running_.push_back(std::make_unique<FunctionalBlock>(launch, program, memory_, place));
  } else {
    running_.push_back(std::move(idle_.back()));
    idle_.pop_back();
  }
  running_.back()->start(launch.selection.block(block, launch.grid.count()), observer_);
}

void FunctionalMachine::look_for_circles(const Launch& launch, std::uint64_t left) {
  if (!std::ranges::all_of(running_, [](const auto& block) { return block->goes_nowhere(); })) {
    for (auto& block : running_) block->watch(true);
    return;
  }
  std::vector<RunningWarp> warps;
  std::string waiting;
  for (const auto& block : running_) {
    block->add_running(warps);
    waiting += block->describe_waiting();
  }
  if (left != 0) {
    waiting += fmt::format("\n  {} {} not begun: the platform holds {} at a time", left,
                           left == 1 ? "block has" : "blocks have", running_.size());
  }
  throw ExecutionError(describe_livelock(*launch.program, warps) + waiting, Fault::standstill);
}

}  // namespace reconverge
