// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/divergence_analysis.hpp"

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/reachability.hpp"

namespace reconverge::kernel {

namespace {

bool differs_by_thread(SpecialRow row, Together together) {
  switch (row) {
    case SpecialRow::tid_x:
    case SpecialRow::tid_y:
    case SpecialRow::tid_z:
    case SpecialRow::laneid:
    case SpecialRow::extension_0:
    case SpecialRow::extension_1:
    case SpecialRow::local_home:
      return true;
    case SpecialRow::warpid:
      return together == Together::block;
    default:
      return false;
  }
}

class Analysis {
 public:
  Analysis(const Program& program, Together together)
      : program_(program), together_(together), blocks_(program.blocks) {
    const std::size_t rows = program.register_rows + program.predicates;
    result_.branch.assign(program.instructions.size(), false);
    result_.at_entry.assign(blocks_.size(), ValueSet(rows));
    accesses_ = accesses_of(program);
    // Registers that no instruction has written, and values from a caller or a parent, are unknown and may differ.
    for (const std::uint32_t block : entry_blocks(blocks_)) result_.at_entry[block].set();
    for (const Instruction& instruction : program.instructions) {
      const bool begins = instruction.opcode == Opcode::call || instruction.extension != no_extension;
      if (begins && instruction.target != no_pc) result_.at_entry[block_of(blocks_, instruction.target)].set();
    }
  }

  Divergence run() {
    is_pending_.assign(blocks_.size(), true);
    for (std::uint32_t i = static_cast<std::uint32_t>(blocks_.size()); i-- > 0;) pending_.push_back(i);
    while (!pending_.empty()) {
      const std::uint32_t block = pending_.back();
      pending_.pop_back();
      is_pending_[block] = false;
      visit(block);
    }
    return std::move(result_);
  }

 private:
  void visit(std::uint32_t block) {
    ValueSet state = result_.at_entry[block];
    for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
      const Instruction& instruction = program_.instructions[pc];
      if (splits(instruction, state) && !result_.branch[pc]) {
        result_.branch[pc] = true;
        spread(block);
      }
      step(pc, state);
    }
    for (const std::uint32_t successor : blocks_[block].successors) add(successor, state);
  }

  void add(std::uint32_t block, const ValueSet& rows) {
    ValueSet& entry = result_.at_entry[block];
    if (rows.is_subset_of(entry)) return;
    entry |= rows;
    if (is_pending_[block]) return;
    is_pending_[block] = true;
    pending_.push_back(block);
  }

  // Values that are written on the sides of the divergent branch that ends `block` differ where the sides join.
  void spread(std::uint32_t block) {
    const std::uint32_t meeting = blocks_[block].immediate_postdominator;
    BlockSet influenced(blocks_.size());
    BlockSet joins(blocks_.size());
    for (const std::uint32_t successor : blocks_[block].successors) {
      const BlockSet side = reachable_blocks(blocks_, successor, meeting);
      joins |= side & influenced;
      influenced |= side;
    }
    if (meeting != BasicBlock::no_block) joins.set(meeting);
    ValueSet written(program_.register_rows + program_.predicates);
    for (auto i = influenced.find_first(); i != BlockSet::npos; i = influenced.find_next(i)) {
      for (Pc pc = blocks_[i].first; pc < blocks_[i].end; ++pc) {
        for (const ValueId row : accesses_[pc].definitions) written.set(row);
      }
    }
    for (auto i = joins.find_first(); i != BlockSet::npos; i = joins.find_next(i)) {
      add(static_cast<std::uint32_t>(i), written);
    }
  }

  bool differs(const Operand& operand, bool wide, const ValueSet& state) const {
    if (!operand.present()) return false;
    switch (operand.bank()) {
      case Bank::reg:
        return state[operand.row()] || (wide && state[operand.row() + 1]);
      case Bank::predicate:
        return state[program_.register_rows + operand.row()];
      case Bank::special:
        return differs_by_thread(static_cast<SpecialRow>(operand.row()), together_);
      default:
        return false;
    }
  }

  bool source_differs(const Instruction& instruction, unsigned i, const ValueSet& state) const {
    return differs(instruction.source[i], instruction.wide_source(i), state);
  }

  bool any_source_differs(const Instruction& instruction, const ValueSet& state) const {
    for (unsigned i = 0; i < instruction.source.size(); ++i) {
      if (source_differs(instruction, i, state)) return true;
    }
    return false;
  }

  bool splits(const Instruction& instruction, const ValueSet& state) const {
    if (instruction.opcode == Opcode::brx && any_source_differs(instruction, state)) return true;
    const bool branches = instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx;
    return branches && differs(instruction.guard, false, state);
  }

  /// Values that each warp of a block reads separately.
  static bool differs_by_warp(const Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::ld:
        return instruction.space != Space::param && instruction.space != Space::constant;
      case Opcode::activemask:
      case Opcode::match:
      case Opcode::vote:
      case Opcode::redux:
      case Opcode::bar:
        return true;
      default:
        return false;
    }
  }

  bool result_differs(const Instruction& instruction, const ValueSet& state) const {
    if (together_ == Together::block && differs_by_warp(instruction)) return true;
    switch (instruction.opcode) {
      case Opcode::ld:
        // The same address in all lanes gives the same value, except in memory of which each thread has a separate
        // copy.
        return instruction.space == Space::local ||
               (instruction.space == Space::generic && program_.local_bytes != 0) ||
               any_source_differs(instruction, state);
      case Opcode::atom:
      case Opcode::mbarrier:
      case Opcode::shfl:
      case Opcode::elect:
      case Opcode::mma:
      case Opcode::ldmatrix:
      case Opcode::movmatrix:
      case Opcode::read_special:
      case Opcode::call:
      case Opcode::host:
      case Opcode::extension:
        return true;
      case Opcode::match:
        return static_cast<MatchMode>(instruction.variant) == MatchMode::any || source_differs(instruction, 1, state);
      case Opcode::vote:
      case Opcode::redux:
        return source_differs(instruction, 1, state);  // lanes that name the same lanes get the same result
      case Opcode::bar:
        return source_differs(instruction, 0, state);
      default:
        return any_source_differs(instruction, state);
    }
  }

  void step(Pc pc, ValueSet& state) const {
    const Instruction& instruction = program_.instructions[pc];
    if (instruction.opcode == Opcode::call) state.set();  // the values that the callee writes are unknown
    const bool result = result_differs(instruction, state) || differs(instruction.guard, false, state);
    for (const ValueId row : accesses_[pc].definitions) {
      if (result) state.set(row);
      if (!result && !instruction.guard.present()) state.reset(row);
    }
  }

  const Program& program_;
  Together together_;
  const std::vector<BasicBlock>& blocks_;
  std::vector<Accesses> accesses_;
  Divergence result_;
  std::vector<std::uint32_t> pending_;
  std::vector<bool> is_pending_;
};

}  // namespace

Divergence analyse_divergence(const Program& program, Together together) { return Analysis(program, together).run(); }

}  // namespace reconverge::kernel
