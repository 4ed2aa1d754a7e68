// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint32_t no_split = BasicBlock::no_block;

template <typename Visit>
void for_each(const ValueSet& values, Visit&& visit) {
  for (auto value = values.find_first(); value != ValueSet::npos; value = values.find_next(value))
    visit(static_cast<ValueId>(value));
}

class Planner {
 public:
  Planner(const WrittenKernel& kernel, std::span<const SplitPoint> splits, const Rematerialisation& constants,
          const std::vector<bool>& uses_state, GoesOn goes_on)
      : kernel_(kernel),
        blocks_(kernel.blocks),
        splits_(splits),
        constants_(constants),
        uses_state_(uses_state),
        goes_on_(goes_on),
        state_(static_cast<ValueId>(kernel.values.size())),
        split_of_(kernel.blocks.size(), no_split) {
    for (std::uint32_t i = 0; i < splits.size(); ++i) split_of_[splits[i].block] = i;
    for (std::uint32_t i = 0; i < splits.size(); ++i) part_of_.push_back(part_behind(splits[i].block));
  }

  Transfers run() {
    find_passed();
    place_predicates();
    find_dirty();
    find_edges();
    find_loads();
    return std::move(result_);
  }

 private:
  // The pointer to the state is one value in addition to those of the kernel.
  std::size_t count() const { return kernel_.values.size() + 1; }

  void find_passed() {
    const Liveness liveness = compute_liveness(blocks_, kernel_.accesses, count());
    for (const SplitPoint& split : splits_) {
      MicrokernelEntry entry;
      entry.passed = liveness.live_in[split.block];
      for_each(liveness.live_in[split.block], [&](ValueId value) {
        if (constants_.is_constant_at(value, split.block)) entry.passed.reset(value);
        check_passes(kernel_.values[value], split);
      });
      result_.entries.push_back(std::move(entry));
    }
  }

  void check_passes(const WrittenValue& value, const SplitPoint& split) const {
    if (value.kind == WrittenValue::Kind::carry) {
      kernel_.refuse(kernel_.written(blocks_[split.block].first).position,
                     "the condition code (add.cc and the like) would have to pass to a spawned thread here",
                     "keep a chain of carries in one basic block");
    }
    if (value.kind == WrittenValue::Kind::argument) {
      kernel_.refuse(value.position, fmt::format("'{}' is set in one micro-kernel and used in another", value.name),
                     "set what a call passes right before the call");
    }
    const std::uint32_t first = blocks_[split.block].first;
    if (!kernel_.names_value(kernel_.scope_of(first), value)) {
      kernel_.refuse(kernel_.written(first).position,
                     fmt::format("'{}' is live here, but declared in another scope", value.name),
                     "declare it at the top of the kernel");
    }
  }

  // Predicates that are live together get separate bits.
  void place_predicates() {
    constexpr std::uint32_t word_bits = 32;
    result_.predicates.resize(kernel_.values.size());
    std::vector<bool> placed(kernel_.values.size(), false);
    for (ValueId value = 0; value < kernel_.values.size(); ++value) {
      if (!kernel_.values[value].predicate()) continue;
      std::vector<bool> taken;
      bool passes = false;
      for (const MicrokernelEntry& entry : result_.entries) {
        if (!entry.passed[value]) continue;
        passes = true;
        for_each(entry.passed, [&](ValueId other) {
          if (!placed[other]) return;
          const std::uint32_t bit = result_.predicates[other].word * word_bits + result_.predicates[other].bit;
          if (taken.size() <= bit) taken.resize(bit + 1, false);
          taken[bit] = true;
        });
      }
      if (!passes) continue;
      const auto free = static_cast<std::uint32_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      result_.predicates[value] = {free / word_bits, free % word_bits};
      result_.predicate_words = std::max(result_.predicate_words, free / word_bits + 1);
      placed[value] = true;
    }
  }

  // By block: whether control reaches it from a split point without passing another split point.
  std::vector<bool> part_behind(std::uint32_t split) const {
    std::vector<bool> part(blocks_.size(), false);
    std::vector<std::uint32_t> pending = {split};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (part[block]) continue;
      part[block] = true;
      for (const std::uint32_t next : blocks_[block].successors) {
        if (split_of_[next] == no_split) pending.push_back(next);
      }
    }
    return part;
  }

  bool goes_on(std::uint32_t from, std::uint32_t split) const {
    if (goes_on_ == GoesOn::rounds) return from != no_split && part_of_[split][from];
    return goes_on_ == GoesOn::anywhere;
  }

  // Whether a single thread follows this edge.
  bool stays(std::uint32_t from, std::uint32_t to) const {
    return split_of_[to] == no_split || goes_on(from, split_of_[to]);
  }

  // By block: the values that may differ, at its end, from the values in the state. Forward data flow, over edges that
  // a single thread follows.
  void find_dirty() {
    std::vector<ValueSet> at_top(blocks_.size(), ValueSet(count()));
    dirty_.assign(blocks_.size(), ValueSet(count()));
    at_top[0].set();
    for (std::uint32_t i = 0; i < splits_.size(); ++i) {
      if (goes_on_ == GoesOn::anywhere && splits_[i].block == 0)
        continue;  // threads of the grid arrive there with all values in registers
      at_top[splits_[i].block].set();
      at_top[splits_[i].block] -= result_.entries[i].passed;
    }
    std::vector<std::uint32_t> pending;
    for (std::uint32_t block = static_cast<std::uint32_t>(blocks_.size()); block-- > 0;) pending.push_back(block);
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      ValueSet dirty = at_top[block];
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
        for (const ValueId value : kernel_.accesses[pc].definitions) dirty.set(value);
      }
      dirty_[block] = dirty;
      for (const std::uint32_t next : blocks_[block].successors) {
        if (!stays(block, next) || dirty.is_subset_of(at_top[next])) continue;
        at_top[next] |= dirty;
        pending.push_back(next);
      }
    }
  }

  void find_edges() {
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      std::vector<std::uint32_t> targets;
      for (const std::uint32_t next : blocks_[block].successors) {
        if (split_of_[next] != no_split) targets.push_back(split_of_[next]);
      }
      std::sort(targets.begin(), targets.end());
      for (const std::uint32_t split : targets)
        result_.edges.push_back({block, split, stored(block, split), false, goes_on(block, split)});
      if (const std::uint32_t jump = jump_behind(block); jump != no_split) {
        result_.edges.push_back({block, jump, stored(block, jump), true, goes_on(block, jump)});
        ++block;
      }
    }
    if (split_of_[0] != no_split) {
      ValueSet all(count());
      all.set();
      result_.edges.insert(result_.edges.begin(),
                           {no_split, split_of_[0], stored(all, split_of_[0]), false, goes_on(no_split, split_of_[0])});
    }
  }

  // The split point to which the jump after a guarded branch to another split point leads.
  std::uint32_t jump_behind(std::uint32_t block) const {
    const Instruction& branch = kernel_.operations[blocks_[block].end - 1];
    if (branch.opcode != Opcode::bra || !branch.guard.present() || block + 1 == blocks_.size()) return no_split;
    const std::uint32_t taken = split_of_[block_of(blocks_, branch.target)];
    const BasicBlock& next = blocks_[block + 1];
    const Instruction& jump = kernel_.operations[next.first];
    const bool only_jumps = next.end - next.first == 1 && jump.opcode == Opcode::bra && !jump.guard.present();
    if (taken == no_split || !only_jumps || next.predecessors.size() != 1 || split_of_[block + 1] != no_split)
      return no_split;
    const std::uint32_t split = split_of_[block_of(blocks_, jump.target)];
    return split == taken ? no_split : split;
  }

  ValueSet stored(std::uint32_t block, std::uint32_t split) const { return stored(dirty_[block], split); }

  ValueSet stored(const ValueSet& dirty, std::uint32_t split) const {
    const ValueSet& passed = result_.entries[split].passed;
    ValueSet values = passed & dirty;
    std::vector<bool> changed(result_.predicate_words, false);
    for_each(values, [&](ValueId value) {
      if (is_predicate(value)) changed[result_.predicates[value].word] = true;
    });
    for_each(passed, [&](ValueId value) {
      if (is_predicate(value) && changed[result_.predicates[value].word]) values.set(value);
    });
    return values;
  }

  bool is_predicate(ValueId value) const { return value != state_ && kernel_.values[value].predicate(); }

  // Liveness within threads: a spawn ends the thread and uses the values that are stored there.
  void find_loads() {
    std::vector<BasicBlock> inner(blocks_.size());
    std::vector<Accesses> accesses;
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      inner[block].first = static_cast<Pc>(accesses.size());
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
        accesses.push_back(kernel_.accesses[pc]);
        if (uses_state_[pc]) accesses.back().uses.push_back(state_);
      }
      accesses.push_back(uses_at_end(block));
      inner[block].end = static_cast<Pc>(accesses.size());
      for (const std::uint32_t next : blocks_[block].successors) {
        if (!stays(block, next)) continue;
        inner[block].successors.push_back(next);
        inner[next].predecessors.push_back(block);
      }
    }
    const Liveness liveness = compute_liveness(inner, accesses, count());
    const std::vector<bool> before = blocks_before_going_on(inner);
    for (std::uint32_t i = 0; i < splits_.size(); ++i) {
      MicrokernelEntry& entry = result_.entries[i];
      const ValueSet& needed = liveness.live_in[splits_[i].block];
      entry.loaded = needed & entry.passed;
      ValueSet computed = needed - entry.passed;
      computed.reset(state_);
      entry.computed = constants_.instructions_for(computed);
      const auto on_state = [&](std::uint32_t instruction) { return uses_state_[instruction]; };
      entry.needs_state =
          needed[state_] || entry.loaded.any() || std::any_of(entry.computed.begin(), entry.computed.end(), on_state);
      entry.may_go_on = before[splits_[i].block];
    }
    result_.grid_may_go_on = split_of_[0] == no_split ? before[0] : goes_on_ == GoesOn::anywhere;
    result_.grid_needs_state = liveness.live_in[0][state_] || split_of_[0] != no_split;
  }

  // By block: whether control reaches from there a spawn instead of which a warp may continue.
  std::vector<bool> blocks_before_going_on(const std::vector<BasicBlock>& inner) const {
    std::vector<bool> found(blocks_.size(), false);
    std::vector<std::uint32_t> pending;
    for (const SpawnEdge& edge : result_.edges) {
      if (edge.from != no_split && edge.goes_on) pending.push_back(edge.from);
    }
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (found[block]) continue;
      found[block] = true;
      pending.insert(pending.end(), inner[block].predecessors.begin(), inner[block].predecessors.end());
    }
    return found;
  }

  Accesses uses_at_end(std::uint32_t block) const {
    Accesses uses;
    for (const SpawnEdge& edge : result_.edges) {
      if (edge.from != block) continue;
      uses.uses.push_back(state_);
      for_each(edge.stored, [&](ValueId value) { uses.uses.push_back(value); });
    }
    return uses;
  }

  const WrittenKernel& kernel_;
  const std::vector<BasicBlock>& blocks_;
  std::span<const SplitPoint> splits_;
  const Rematerialisation& constants_;
  const std::vector<bool>& uses_state_;
  GoesOn goes_on_;
  std::vector<std::vector<bool>> part_of_;  // by split point, then by block
  ValueId state_;
  std::vector<std::uint32_t> split_of_;  // by block
  std::vector<ValueSet> dirty_;          // by block, at its end
  Transfers result_;
};

}  // namespace

Transfers find_transfers(const WrittenKernel& kernel, std::span<const SplitPoint> splits,
                         const Rematerialisation& constants, const std::vector<bool>& uses_state, GoesOn goes_on) {
  return Planner(kernel, splits, constants, uses_state, goes_on).run();
}

}  // namespace reconverge::kernel
