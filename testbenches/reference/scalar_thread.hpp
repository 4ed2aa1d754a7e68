#pragma once
/// One thread as the interpreter sees it: a place in the program, registers, predicates, local memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::reference {

enum class ThreadState : std::uint8_t {
  running,
  at_barrier,   ///< behind a barrier of the block, until all live threads are
  at_exchange,  ///< before a vote, shuffle or warp barrier, until the other threads of the warp are
  ended
};

struct ScalarThread {
  kernel::Pc pc = 0;
  ThreadState state = ThreadState::running;
  std::vector<std::uint32_t> words;  ///< registers; a 64-bit value takes two, low half first
  std::vector<bool> predicates;
  std::array<std::uint32_t, static_cast<std::size_t>(kernel::SpecialRow::count)> special{};
  std::vector<std::byte> local;
  std::uint64_t instructions = 0;  ///< executed: the guard let them through, or is the condition of a branch
  std::uint64_t steps = 0;         ///< executed or not

  unsigned lane() const { return special[static_cast<std::size_t>(kernel::SpecialRow::laneid)]; }
};

/// Thread `thread` of block `block`, about to run the first instruction. Registers and local memory hold zeros.
ScalarThread start_thread(const Launch& launch, std::uint64_t block, std::uint32_t thread);

}  // namespace reconverge::reference
