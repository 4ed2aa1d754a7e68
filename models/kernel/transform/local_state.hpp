// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Moves local arrays to memory that all threads of a chain can access: local memory is not passed from thread to
/// thread.
///
/// If the arrays move to the state, which has the same address from the first thread of a chain to the last, accesses
/// to .local become accesses to .spawnMem. If they move to global memory, accesses become accesses to .global: the
/// kernel gets an additional parameter, the address of memory for all threads of the launch, and passes on the address
/// of the thread's part.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/kernel/transform/print_buffers.hpp"
#include "models/kernel/transform/text_edits.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

enum class LocalArrays : std::uint8_t {
  refuse,  ///< a kernel with local arrays is rejected
  state,   ///< local arrays become a part of the state
  global   ///< local arrays move to global memory
};

struct LocalState {
  LocalArrays where = LocalArrays::refuse;
  std::map<const VariableDeclaration*, std::uint32_t> places;  ///< offset in the thread's local arrays, in bytes
  std::uint32_t bytes = 0;
  std::vector<bool> uses_state;  ///< by instruction: whether it is rewritten to use the pointer to the local arrays
  std::vector<bool> accesses;    ///< by instruction: whether its state space changes (load, store, cvta)

  std::uint32_t state_bytes() const { return where == LocalArrays::state ? bytes : 0; }
  /// Bytes per thread, rounded up so that every thread's part is aligned.
  std::uint32_t global_bytes() const { return where == LocalArrays::global ? (bytes + 15) / 16 * 16 : 0; }
};

/// Finds the instructions that must be rewritten; arguments of printf stay in local memory. Throws InputError for a use
/// that cannot be rewritten: a local array that is passed on as a generic pointer, if arrays move to the state; a
/// 32-bit pointer, if they move to global memory.
LocalState find_local_state(const WrittenKernel& kernel, const PrintBuffers& buffers, LocalArrays where);

/// Registers that the new text names.
struct LocalRegisters {
  std::string state;    ///< 32 bits: the pointer
  std::string address;  ///< 32 bits, free for an instruction
  std::string arrays;   ///< 64 bits: address of the thread's arrays in global memory
};

/// The text of a mov or cvta that takes the address of a local array, without the last semicolon. `offset`: offset of
/// the local arrays in the state.
std::string local_address_text(const WrittenKernel& kernel, const LocalState& local, std::uint32_t instruction,
                               std::uint32_t offset, const LocalRegisters& registers);

/// Rewrites all instructions found.
void rewrite_local_accesses(const WrittenKernel& kernel, const LocalState& local, std::uint32_t offset,
                            const LocalRegisters& registers, TextEdits& edits);

}  // namespace reconverge::kernel
