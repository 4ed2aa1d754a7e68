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
  std::vector<std::byte> spawn;      ///< spawn memory of the chain of threads that this one is the latest of
  kernel::Pc child = kernel::no_pc;  ///< where the thread begins that it has spawned
  std::uint32_t child_state = 0;     ///< what the child finds at the address of its formation entry
  std::uint64_t instructions = 0;    ///< executed: the guard let them through, or is the condition of a branch
  std::uint64_t steps = 0;           ///< executed or not

  unsigned lane() const { return special[static_cast<std::size_t>(kernel::SpecialRow::laneid)]; }
};

/// Thread `thread` of block `block`, about to run the first instruction. Registers and local memory hold zeros.
ScalarThread start_thread(const Launch& launch, std::uint64_t block, std::uint32_t thread);

/// Where the state of a chain of threads lies in its spawn memory, and the word that tells a child so. Neither is zero,
/// which an address that was lost would be.
inline constexpr std::uint32_t state_address = 64;
inline constexpr std::uint32_t formation_address = 32;
/// Spawn memory of a chain grows with the accesses to it, up to here.
inline constexpr std::uint32_t most_spawn_bytes = 1U << 16;

/// The thread is over, and the one that it has spawned begins in its place: registers, predicates and local memory hold
/// zeros again, and so do the numbers of thread, block, lane and warp, which mean nothing there.
void begin_child(ScalarThread& thread);

}  // namespace reconverge::reference
