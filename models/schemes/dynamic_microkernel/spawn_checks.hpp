// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Static checks of micro-kernels before a launch. No SystemC.

#include <cstdint>
#include <vector>

#include "blocks/dynamic_microkernel.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// The pcs of micro-kernels, each once, in program order.
std::vector<kernel::Pc> spawn_locations(const kernel::Program& program);

/// Spawn memory of an SM, in bytes and entries.
struct SpawnMemorySize {
  std::uint64_t state_bytes = 0;        ///< bytes for the states of all threads
  std::uint64_t formation_entries = 0;  ///< after the states, four bytes each

  std::uint64_t bytes() const { return state_bytes + formation_entries * 4; }
};

/// The spawn memory that `threads` threads of an SM need (Steffen and Zambreno, MICRO 2010, section IV-A).
SpawnMemorySize spawn_memory_of(std::uint64_t threads, std::uint64_t locations, std::uint64_t bytes_of_state);

/// Throws InputError, with the PTX line, for a kernel that the block cannot run: it has more micro-kernels than the LUT
/// has lines, accesses memory past the end of a thread's state, or reads a register in a micro-kernel before writing
/// it.
void check_spawns(const kernel::Program& program, const DynamicMicrokernelParameters& parameters);

}  // namespace reconverge
