// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/lockstep_sharing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/analysis/company.hpp"

namespace reconverge::kernel {

namespace {

bool writes_shared(const Instruction& instruction) {
  if (instruction.opcode == Opcode::bulk_copy) return instruction.variant == 0;
  return instruction.space == Space::shared &&
         (instruction.opcode == Opcode::st || instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red);
}

bool waits_at_mbarrier(const Instruction& instruction) {
  const auto operation = static_cast<MbarrierOperation>(instruction.variant);
  return instruction.opcode == Opcode::mbarrier &&
         (operation == MbarrierOperation::test_wait || operation == MbarrierOperation::test_wait_parity);
}

/// Whether lanes of a warp synchronise here on every machine. A wait at an mbarrier is assumed to complete.
bool brings_together(const Instruction& instruction) {
  return instruction.opcode == Opcode::bar || asks_for_lanes(instruction) || waits_at_mbarrier(instruction);
}

/// Among the stores that may have been executed since lanes last synchronised: the first in the program, and the first
/// with another address register. These two are enough to find the first store whose register differs from a load's,
/// and the pairs of two sets of stores can be combined into the pair of their union.
struct Stores {
  Pc first = no_pc;
  Pc other = no_pc;

  bool operator==(const Stores&) const = default;
};

/// Forward data flow over the blocks.
class LockstepSharing {
 public:
  explicit LockstepSharing(const Program& program) : program_(program), at_entry_(program.blocks.size()) {}

  std::vector<Warning> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
        const Stores stores = walk(block, [](Pc /*load*/, const Stores& /*stores*/) {});
        for (const std::uint32_t successor : program_.blocks[block].successors) {
          const Stores before = at_entry_[successor];
          add(at_entry_[successor], stores.first);
          add(at_entry_[successor], stores.other);
          changed |= at_entry_[successor] != before;
        }
      }
    }
    std::vector<Warning> warnings;
    for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
      walk(block, [&](Pc load, const Stores& stores) {
        const Pc store = stores.first == no_pc || !to_itself(load, stores.first) ? stores.first : stores.other;
        if (store != no_pc) warnings.push_back(warn(load, store));
      });
    }
    return warnings;
  }

 private:
  bool same_register(Pc a, Pc b) const {
    return program_.instructions[a].source[0] == program_.instructions[b].source[0];
  }

  /// Whether store and load use the same address register; false for volatile loads, because other threads write there.
  bool to_itself(Pc load, Pc store) const {
    return same_register(load, store) && !is_volatile(program_.instructions[load]);
  }

  void add(Stores& stores, Pc store) const {
    if (store == no_pc || store == stores.first) return;
    if (stores.first == no_pc) {
      stores.first = store;
    } else if (store < stores.first) {
      if (!same_register(store, stores.first)) stores.other = stores.first;
      stores.first = store;
    } else if (!same_register(store, stores.first)) {
      stores.other = std::min(stores.other, store);
    }
  }

  template <typename Visit>
  Stores walk(std::size_t block, Visit&& visit) const {
    Stores stores = at_entry_[block];
    for (Pc pc = program_.blocks[block].first; pc < program_.blocks[block].end; ++pc) {
      const Instruction& instruction = program_.instructions[pc];
      if (brings_together(instruction)) stores = {};
      if (instruction.space == Space::shared && instruction.opcode == Opcode::ld) visit(pc, stores);
      if (writes_shared(instruction)) add(stores, pc);
    }
    return stores;
  }

  Warning warn(Pc load, Pc store) const {
    return {program_.instructions[load].line,
            fmt::format("'{}' may read what another thread of the warp writes in line {}, with no barrier between: "
                        "threads that run independently race here; put bar.warp.sync (__syncwarp) between them",
                        program_.text[load], program_.instructions[store].line)};
  }

  const Program& program_;
  std::vector<Stores> at_entry_;
};

}  // namespace

std::vector<Warning> lockstep_sharing(const Program& program) {
  const bool any = std::ranges::any_of(program.instructions, writes_shared);
  return any ? LockstepSharing(program).run() : std::vector<Warning>();
}

}  // namespace reconverge::kernel
