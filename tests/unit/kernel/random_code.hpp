// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random accesses, and liveness computed from its definition.

#include <random>
#include <span>
#include <vector>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/liveness.hpp"

namespace reconverge::kernel::tests {

inline std::vector<Accesses> random_accesses(std::mt19937& random, std::size_t instructions, std::size_t values) {
  std::vector<Accesses> code(instructions);
  for (Accesses& accesses : code) {
    for (unsigned uses = random() % 4; uses != 0; --uses)
      accesses.uses.push_back(static_cast<ValueId>(random() % values));
    if (random() % 4 != 0) accesses.definitions.push_back(static_cast<ValueId>(random() % values));
    if (random() % 8 == 0) accesses.definitions.push_back(static_cast<ValueId>(random() % values));
    accesses.conditional = random() % 4 == 0;
  }
  return code;
}

/// Whether a thread at `start` may read `value` before it certainly overwrites it.
inline bool is_read_from(std::span<const BasicBlock> blocks, std::span<const Accesses> code, Pc start, ValueId value) {
  std::vector<bool> seen(code.size(), false);
  std::vector<Pc> pending = {start};
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    if (seen[pc]) continue;
    seen[pc] = true;
    const Accesses& at = code[pc];
    for (const ValueId use : at.uses) {
      if (use == value) return true;
    }
    bool overwritten = false;
    for (const ValueId definition : at.definitions)
      overwritten = overwritten || (definition == value && !at.conditional);
    if (overwritten) continue;
    const BasicBlock& block = blocks[block_of(blocks, pc)];
    if (pc + 1 < block.end) {
      pending.push_back(pc + 1);
    } else {
      for (const std::uint32_t successor : block.successors) pending.push_back(blocks[successor].first);
    }
  }
  return false;
}

}  // namespace reconverge::kernel::tests
