// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/split_points.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/postdominators.hpp"

namespace reconverge::kernel {

namespace {

using Reason = SplitPoint::Reason;

class Chooser {
 public:
  explicit Chooser(const WrittenKernel& kernel) : kernel_(kernel), blocks_(kernel.blocks) {
    reached_.assign(blocks_.size(), false);
    std::vector<std::uint32_t> pending = {0};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (reached_[block]) continue;
      reached_[block] = true;
      pending.insert(pending.end(), blocks_[block].successors.begin(), blocks_[block].successors.end());
    }
  }

  void split_loops(const LoopDepths& depths) {
    const LoopForest forest = find_loops(blocks_);
    const auto depth_of = [&](const IrreducibleRegion& region) { return forest.depth_of(region.entries.front()) + 1; };
    for (const Loop& loop : forest.loops) {
      if (!depths.contains(loop.depth)) continue;
      add(loop.header, Reason::loop, loop.header);
    }
    for (const IrreducibleRegion& region : forest.irreducible) {
      if (!depths.contains(depth_of(region))) continue;
      for (const std::uint32_t entry : region.entries) add(entry, Reason::knot, entry);
    }
    // A block that begins one loop where another ends counts as the start of its loop first.
    for (std::uint32_t i = 0; i < forest.loops.size(); ++i) {
      const Loop& loop = forest.loops[i];
      if (!depths.contains(loop.depth)) continue;
      for (const std::uint32_t exit : forest.exits_of(blocks_, i)) add_end(exit, Reason::after_loop, loop.header);
    }
    for (const IrreducibleRegion& region : forest.irreducible) {
      if (!depths.contains(depth_of(region))) continue;
      const std::set<std::uint32_t> inside(region.blocks.begin(), region.blocks.end());
      for (const std::uint32_t block : region.blocks) {
        for (const std::uint32_t next : blocks_[block].successors) {
          if (!inside.contains(next)) add_end(next, Reason::after_loop, region.entries.front());
        }
      }
    }
  }

  void split_branches(const std::vector<bool>& divergent) {
    const std::vector<std::uint32_t> meetings = immediate_postdominators(blocks_);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (!divergent[blocks_[block].end - 1]) continue;
      for (const std::uint32_t side : blocks_[block].successors) {
        if (side != meetings[block]) add_end(side, Reason::side, block);
      }
      if (meetings[block] != BasicBlock::no_block) add_end(meetings[block], Reason::meeting, block);
    }
  }

  // A micro-kernel that only branches is not worth a thread: its predecessors execute the branch. The rest of a loop
  // still has a split point.
  void leave_out_small(std::uint32_t least) {
    const auto is_too_small = [&](const auto& one) { return is_small(one.first, least); };
    while (chosen_.size() > 1) {
      // Removing a split point makes other micro-kernels larger.
      const auto found = std::find_if(chosen_.begin(), chosen_.end(), is_too_small);
      if (found == chosen_.end()) return;
      chosen_.erase(found);
    }
  }

  std::vector<SplitPoint> take() {
    std::vector<SplitPoint> result;
    for (const auto& [block, point] : chosen_) result.push_back(point);
    return result;
  }

 private:
  // `about`: the block whose line is reported as the origin: a loop's header, a branch.
  void add(std::uint32_t block, Reason reason, std::uint32_t about) {
    if (!reached_[block]) return;
    const bool is_branch = reason == Reason::side || reason == Reason::meeting;
    const std::uint32_t line = kernel_.line_of(is_branch ? blocks_[about].end - 1 : blocks_[about].first);
    chosen_.try_emplace(block, SplitPoint{block, reason, line});
  }

  void add_end(std::uint32_t block, Reason reason, std::uint32_t about) {
    std::set<std::uint32_t> seen;
    while (only_jumps(block)) {
      if (!seen.insert(block).second) return;  // a jump to itself
      block = blocks_[block].successors.front();
    }
    if (!only_returns(block)) add(block, reason, about);
  }

  // Whether fewer than `least` instructions, without memory accesses, lead from a split point to other split points.
  bool is_small(std::uint32_t split, std::uint32_t least) const {
    std::uint32_t count = 0;
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> pending = {split};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (!seen.insert(block).second) continue;
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
        const Instruction& one = kernel_.operations[pc];
        const bool accesses = one.space != Space::none && one.space != Space::param && one.opcode != Opcode::cvta;
        if (accesses || one.opcode == Opcode::call || ++count >= least) return false;
      }
      for (const std::uint32_t next : blocks_[block].successors) {
        if (next == split) return false;
        if (!chosen_.contains(next)) pending.push_back(next);
      }
    }
    return true;
  }

  bool only_jumps(std::uint32_t block) const {
    const BasicBlock& one = blocks_[block];
    const Instruction& first = kernel_.operations[one.first];
    return one.end - one.first == 1 && first.opcode == Opcode::bra && !first.guard.present();
  }

  bool only_returns(std::uint32_t block) const {
    return blocks_[block].end - blocks_[block].first == 1 && leaves_program(kernel_.operations[blocks_[block].first]);
  }

  const WrittenKernel& kernel_;
  const std::vector<BasicBlock>& blocks_;
  std::vector<bool> reached_;
  std::map<std::uint32_t, SplitPoint> chosen_;
};

}  // namespace

std::vector<SplitPoint> split_points(const WrittenKernel& kernel, SplitAt at, const LoopDepths& depths,
                                     std::uint32_t least, const std::vector<bool>& divergent) {
  Chooser chooser(kernel);
  if (at == SplitAt::loops)
    chooser.split_loops(depths);
  else
    chooser.split_branches(divergent);
  chooser.leave_out_small(least);
  return chooser.take();
}

std::vector<bool> divergent_branches(const WrittenKernel& kernel, const Program& program) {
  const Divergence divergence = analyse_divergence(program);
  std::vector<bool> result(kernel.operations.size(), false);
  // The written branches correspond to those of the program, in the same order.
  Pc pc = program.functions.front().first;
  for (std::uint32_t i = 0; i < kernel.operations.size(); ++i) {
    if (!is_branch(kernel.operations[i])) continue;
    while (pc < program.functions.front().end && !is_branch(program.instructions[pc])) ++pc;
    if (pc == program.functions.front().end || program.instructions[pc].line != kernel.line_of(i))
      throw std::logic_error("the branches of a kernel and of its program differ");
    result[i] = divergence.branch[pc++];
  }
  return result;
}

}  // namespace reconverge::kernel
