// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/scoreboard_allocation.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

namespace reconverge::kernel {

namespace {

using ProducerSet = boost::dynamic_bitset<>;

class Allocator {
 public:
  Allocator(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
            const std::vector<bool>& long_operation, unsigned scoreboards)
      : blocks_(blocks), accesses_(accesses), scoreboards_(scoreboards), producer_at_(accesses.size(), none) {
    std::size_t rows = 0;
    for (const Accesses& at : accesses) {
      for (const ValueId row : at.uses) rows = std::max<std::size_t>(rows, row + 1);
      for (const ValueId row : at.definitions) rows = std::max<std::size_t>(rows, row + 1);
    }
    for (Pc pc = 0; pc < accesses.size(); ++pc) {
      if (!long_operation[pc] || accesses[pc].definitions.empty()) continue;
      producer_at_[pc] = producers_.size();
      producers_.push_back(pc);
    }
    writers_.resize(rows);
    for (std::size_t producer = 0; producer < producers_.size(); ++producer) {
      for (const ValueId row : accesses[producers_[producer]].definitions) writers_[row].push_back(producer);
    }
  }

  std::vector<ScoreboardUse> run() {
    find_pending();
    std::vector<ScoreboardUse> uses(accesses_.size());
    assign(uses);
    for_each_instruction([&](Pc pc, const ProducerSet& pending) {
      for_each_hazard(pc, pending, [&](std::size_t producer) {
        uses[pc].waits_for |= 1U << *uses[producers_[producer]].reports_to;
      });
    });
    return uses;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  // Calls visit(producer) for each of `pending` that writes a row which the instruction reads or writes.
  template <typename Visit>
  void for_each_hazard(Pc pc, const ProducerSet& pending, Visit&& visit) const {
    const auto look = [&](ValueId row) {
      for (const std::size_t producer : writers_[row]) {
        if (pending[producer]) visit(producer);
      }
    };
    for (const ValueId row : accesses_[pc].uses) look(row);
    for (const ValueId row : accesses_[pc].definitions) look(row);
  }

  // Turns the producers that may be outstanding before `pc` into those after it.
  void step(Pc pc, ProducerSet& pending) const {
    const ProducerSet before = pending;
    for_each_hazard(pc, before, [&](std::size_t producer) { pending.reset(producer); });
    if (producer_at_[pc] != none) pending.set(producer_at_[pc]);
  }

  // Forward data flow: the producers that may be outstanding at the top of each block.
  void find_pending() {
    pending_.assign(blocks_.size(), ProducerSet(producers_.size()));
    std::vector<bool> waits(blocks_.size(), true);
    std::vector<std::uint32_t> work;
    for (auto block = static_cast<std::uint32_t>(blocks_.size()); block-- > 0;) work.push_back(block);
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      waits[block] = false;
      ProducerSet pending = pending_[block];
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) step(pc, pending);
      for (const std::uint32_t successor : blocks_[block].successors) {
        if (pending.is_subset_of(pending_[successor])) continue;
        pending_[successor] |= pending;
        if (waits[successor]) continue;
        waits[successor] = true;
        work.push_back(successor);
      }
    }
  }

  // Calls visit(pc, producers that may be outstanding before it), in order of pc.
  template <typename Visit>
  void for_each_instruction(Visit&& visit) const {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      ProducerSet pending = pending_[block];
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
        visit(pc, pending);
        step(pc, pending);
      }
    }
  }

  void assign(std::vector<ScoreboardUse>& uses) const {
    std::vector<ProducerSet> together(producers_.size(), ProducerSet(producers_.size()));
    for_each_instruction([&](Pc pc, const ProducerSet& pending) {
      const std::size_t producer = producer_at_[pc];
      if (producer == none) return;
      ProducerSet others = pending;
      for_each_hazard(pc, pending, [&](std::size_t waited_for) { others.reset(waited_for); });
      others.reset(producer);
      together[producer] |= others;
      for (auto other = others.find_first(); other != ProducerSet::npos; other = others.find_next(other)) {
        together[other].set(producer);
      }
    });
    for (std::size_t producer = 0; producer < producers_.size(); ++producer) {
      std::vector<bool> taken(scoreboards_ + 1, false);
      std::uint8_t latest = 0;
      for (auto other = together[producer].find_first(); other < producer;
           other = together[producer].find_next(other)) {
        latest = *uses[producers_[other]].reports_to;
        taken[latest] = true;
      }
      const auto free = static_cast<unsigned>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      uses[producers_[producer]].reports_to = free < scoreboards_ ? static_cast<std::uint8_t>(free) : latest;
    }
  }

  std::span<const BasicBlock> blocks_;
  std::span<const Accesses> accesses_;
  unsigned scoreboards_;
  std::vector<std::size_t> producer_at_;           // by pc
  std::vector<Pc> producers_;                      // in order of pc
  std::vector<std::vector<std::size_t>> writers_;  // by row
  std::vector<ProducerSet> pending_;               // by block, at its top
};

}  // namespace

bool has_variable_latency(const Instruction& instruction) {
  const OperationClass kind = instruction.operation_class;
  const bool varies =
      kind == OperationClass::load || kind == OperationClass::atomic || kind == OperationClass::extension;
  return varies && instruction.opcode != Opcode::ld_param && instruction.destination[0].present();
}

std::vector<ScoreboardUse> allocate_scoreboards(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                                                const std::vector<bool>& long_operation, unsigned scoreboards) {
  return Allocator(blocks, accesses, long_operation, scoreboards).run();
}

std::vector<ScoreboardUse> allocate_scoreboards(const Program& program, unsigned scoreboards) {
  std::vector<Accesses> accesses = accesses_of(program);
  std::vector<bool> long_operation;
  bool calls = false;
  for (const Instruction& instruction : program.instructions) {
    long_operation.push_back(has_variable_latency(instruction));
    calls = calls || instruction.opcode == Opcode::call;
  }
  // The code of the callee is unknown here, so a call counts as an access of all rows.
  for (Pc pc = 0; calls && pc < accesses.size(); ++pc) {
    const Opcode opcode = program.instructions[pc].opcode;
    if (opcode != Opcode::call && opcode != Opcode::ret) continue;
    for (ValueId row = 0; row < program.register_rows + program.predicates; ++row) accesses[pc].uses.push_back(row);
  }
  return allocate_scoreboards(program.blocks, accesses, long_operation, scoreboards);
}

}  // namespace reconverge::kernel
