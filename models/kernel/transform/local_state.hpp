// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Moves local arrays to where all threads of a chain can access them: local memory does not pass from thread to
/// thread.
///
/// In the state, which stays at one address from the first thread of a chain to the last, accesses to .local become
/// accesses to .spawnMem. In global memory they become accesses to .global: the kernel gets an additional parameter,
/// the address of memory for all threads of the launch, and passes on where its part begins.

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
  state,   ///< they become a part of the state
  global   ///< they lie in global memory
};

struct LocalState {
  LocalArrays where = LocalArrays::refuse;
  std::map<const VariableDeclaration*, std::uint32_t> places;  ///< bytes from where local arrays begin
  std::uint32_t bytes = 0;
  std::vector<bool> uses_state;  ///< by instruction: whether it is rewritten to use the pointer to the local arrays
  std::vector<bool> accesses;    ///< by instruction: whether it is a load, store or cvta of another space then

  std::uint32_t state_bytes() const { return where == LocalArrays::state ? bytes : 0; }
  /// Per thread, rounded up so that every thread's part is aligned.
  std::uint32_t global_bytes() const { return where == LocalArrays::global ? (bytes + 15) / 16 * 16 : 0; }
};

/// Finds the instructions that have to be rewritten; arguments of printf stay in local memory. Throws InputError for a
/// use that cannot be rewritten: in the state, a local array that is passed on as a generic pointer; in global memory,
/// a 32-bit pointer.
LocalState find_local_state(const WrittenKernel& kernel, const PrintBuffers& buffers, LocalArrays where);

/// Registers that the new text names.
struct LocalRegisters {
  std::string state;    ///< 32 bits: the pointer
  std::string address;  ///< 32 bits, free for an instruction
  std::string arrays;   ///< 64 bits: where the thread's arrays begin in global memory
};

/// The text of a mov or cvta that takes the address of a local array, without the last semicolon. `offset`: where local
/// arrays begin in the state.
std::string local_address_text(const WrittenKernel& kernel, const LocalState& local, std::uint32_t instruction,
                               std::uint32_t offset, const LocalRegisters& registers);

/// Rewrites all of them.
void rewrite_local_accesses(const WrittenKernel& kernel, const LocalState& local, std::uint32_t offset,
                            const LocalRegisters& registers, TextEdits& edits);

}  // namespace reconverge::kernel
