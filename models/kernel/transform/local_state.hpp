#pragma once
/// Local arrays as a part of the state. Local memory does not pass from thread to thread, but the state does, at one
/// address from the first thread of a chain to the last. So accesses to .local become accesses to .spawnMem there.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/kernel/transform/print_buffers.hpp"
#include "models/kernel/transform/text_edits.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

struct LocalState {
  std::map<const VariableDeclaration*, std::uint32_t> places;  ///< bytes from where local arrays begin
  std::uint32_t bytes = 0;
  std::vector<bool> uses_state;  ///< by instruction: whether it is written anew with the pointer to the state
  std::vector<bool> accesses;    ///< by instruction: whether it is a load or store that is written anew
};

/// Finds what has to be written anew; arguments of printf stay in local memory. Throws InputError for a use that
/// cannot: above all, a local array that is handed on as a generic pointer.
LocalState find_local_state(const WrittenKernel& kernel, const PrintBuffers& buffers);

/// Registers that the new text names.
struct LocalRegisters {
  std::string state;    ///< 32 bits: the pointer
  std::string address;  ///< 32 bits, free for an instruction
};

/// The text of a mov that takes the address of a local array, without the last semicolon. `offset`: where local arrays
/// begin in the state.
std::string local_address_text(const WrittenKernel& kernel, const LocalState& local, std::uint32_t instruction,
                               std::uint32_t offset, const LocalRegisters& registers);

/// Writes all of them anew.
void rewrite_local_accesses(const WrittenKernel& kernel, const LocalState& local, std::uint32_t offset,
                            const LocalRegisters& registers, TextEdits& edits);

}  // namespace reconverge::kernel
