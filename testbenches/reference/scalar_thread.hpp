// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One thread in the interpreter: pc, registers, predicates, local memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::reference {

enum class ThreadState : std::uint8_t {
  running,
  at_barrier,   ///< after a block barrier, until all live threads are
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
  std::vector<std::byte> spawn;      ///< spawn memory of the chain of threads that ends with this one
  kernel::Pc child = kernel::no_pc;  ///< where the thread begins that this one has spawned
  std::uint32_t child_state = 0;     ///< what the child finds at the address of its formation entry
  std::uint64_t instructions = 0;    ///< executed: the guard passed, or is the condition of a branch
  std::uint64_t steps = 0;           ///< executed or not

  unsigned lane() const { return special[static_cast<std::size_t>(kernel::SpecialRow::laneid)]; }
};

/// Thread `thread` of block `block`, about to run the first instruction. Registers and local memory are zero.
ScalarThread start_thread(const Launch& launch, std::uint64_t block, std::uint32_t thread);

/// The address of a chain's state in its spawn memory, and of the word that tells a child this address. Neither is
/// zero, the value of a lost address.
inline constexpr std::uint32_t state_address = 64;
inline constexpr std::uint32_t formation_address = 32;
/// Spawn memory of a chain grows with the accesses to it, up to this size.
inline constexpr std::uint32_t most_spawn_bytes = 1U << 16;

/// The thread ends, and the one that it has spawned begins in its place: registers, predicates and local memory are
/// zero again, and so are the numbers of thread, block, lane and warp, which have no meaning there.
void begin_child(ScalarThread& thread);

}  // namespace reconverge::reference
