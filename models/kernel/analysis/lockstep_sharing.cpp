#include "models/kernel/analysis/lockstep_sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "models/kernel/analysis/company.hpp"

namespace reconverge::kernel {

namespace {

bool writes_shared(const Instruction& instruction) {
  return instruction.space == Space::shared &&
         (instruction.opcode == Opcode::st || instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red);
}

bool waits_at_mbarrier(const Instruction& instruction) {
  const auto operation = static_cast<MbarrierOperation>(instruction.variant);
  return instruction.opcode == Opcode::mbarrier &&
         (operation == MbarrierOperation::test_wait || operation == MbarrierOperation::test_wait_parity);
}

/// Where lanes of a warp come together, whatever the machine. A wait at an mbarrier is taken for one that is waited
/// out.
bool brings_together(const Instruction& instruction) {
  return instruction.opcode == Opcode::bar || asks_for_lanes(instruction) || waits_at_mbarrier(instruction);
}

/// Stores that may have been executed since lanes were last together: forward data flow over the blocks.
class LockstepSharing {
 public:
  explicit LockstepSharing(const Program& program) : program_(program), at_entry_(program.blocks.size()) {}

  std::vector<Warning> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
        const std::set<Pc> stores = walk(block, [](Pc /*load*/, const std::set<Pc>& /*stores*/) {});
        for (const std::uint32_t successor : program_.blocks[block].successors) {
          const std::size_t before = at_entry_[successor].size();
          at_entry_[successor].insert(stores.begin(), stores.end());
          changed |= at_entry_[successor].size() != before;
        }
      }
    }
    std::vector<Warning> warnings;
    for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
      walk(block, [&](Pc load, const std::set<Pc>& stores) {
        const auto other = std::ranges::find_if(stores, [&](Pc store) { return !to_itself(load, store); });
        if (other != stores.end()) warnings.push_back(warn(load, *other));
      });
    }
    return warnings;
  }

 private:
  /// By one address register, unless `volatile` says that others write there.
  bool to_itself(Pc load, Pc store) const {
    const Instruction& reads = program_.instructions[load];
    const Instruction& writes = program_.instructions[store];
    return reads.source[0] == writes.source[0] && !is_volatile(reads);
  }

  template <typename Visit>
  std::set<Pc> walk(std::size_t block, Visit&& visit) const {
    std::set<Pc> stores = at_entry_[block];
    for (Pc pc = program_.blocks[block].first; pc < program_.blocks[block].end; ++pc) {
      const Instruction& instruction = program_.instructions[pc];
      if (brings_together(instruction)) stores.clear();
      if (instruction.space == Space::shared && instruction.opcode == Opcode::ld) visit(pc, stores);
      if (writes_shared(instruction)) stores.insert(pc);
    }
    return stores;
  }

  Warning warn(Pc load, Pc store) const {
    return {program_.instructions[load].line,
            fmt::format("'{}' may read what another thread of the warp writes in line {}, with no barrier between: "
                        "threads that run alone race here; put bar.warp.sync (__syncwarp) between them",
                        program_.text[load], program_.instructions[store].line)};
  }

  const Program& program_;
  std::vector<std::set<Pc>> at_entry_;
};

}  // namespace

std::vector<Warning> lockstep_sharing(const Program& program) {
  const bool any = std::ranges::any_of(program.instructions, writes_shared);
  return any ? LockstepSharing(program).run() : std::vector<Warning>();
}

}  // namespace reconverge::kernel
