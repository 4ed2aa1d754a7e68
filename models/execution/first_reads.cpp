// SPDX-License-Identifier: Apache-2.0
#include "models/execution/first_reads.hpp"

#include <algorithm>
#include <numeric>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/liveness.hpp"

namespace reconverge {

FirstReads::FirstReads(const kernel::Program& program) : program_(&program), all_(program.register_rows) {
  std::iota(all_.begin(), all_.end(), 0U);
  const bool calls = std::ranges::any_of(program.instructions, [](const kernel::Instruction& instruction) {
    return instruction.opcode == kernel::Opcode::call;
  });
  if (calls) return;
  rows_.resize(program.blocks.size());
  const kernel::Liveness liveness = kernel::compute_liveness(program.blocks, kernel::accesses_of(program),
                                                             std::size_t{program.register_rows} + program.predicates);
  for (std::size_t block = 0; block < rows_.size(); ++block) {
    const kernel::ValueSet& live = liveness.live_in[block];
    for (std::size_t value = live.find_first(); value < program.register_rows; value = live.find_next(value)) {
      rows_[block].push_back(static_cast<std::uint32_t>(value));
    }
  }
}

std::span<const std::uint32_t> FirstReads::rows(kernel::Pc pc) const {
  if (rows_.empty()) return all_;
  const std::uint32_t block = kernel::block_of(program_->blocks, pc);
  return program_->blocks[block].first == pc ? rows_[block] : all_;
}

}  // namespace reconverge
