// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/convergence_barriers.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/convergence_regions.hpp"
#include "models/kernel/analysis/loops.hpp"

namespace reconverge::kernel {

namespace {

using Reason = UnsynchronisedBranch::Reason;

constexpr std::uint32_t none = BasicBlock::no_block;

/// Barrier registers.
using Registers = std::bitset<256>;

/// Regions any two of which are disjoint or nested. They form a forest: the parent of a region is the smallest region
/// that contains it, and the regions that contain a block are the ancestors of the smallest of them.
class RegionForest {
 public:
  explicit RegionForest(std::size_t blocks) : inner_(blocks, none), joined_outside_(blocks, false), joined_(blocks) {}

  /// The smallest region that contains a block.
  std::uint32_t inner(std::uint32_t block) const { return inner_[block]; }
  std::uint32_t parent(std::uint32_t region) const { return parent_[region]; }
  /// The regions that lanes join at the end of a block.
  const std::vector<std::uint32_t>& joined_at(std::uint32_t block) const { return joined_[block]; }
  /// Whether lanes join a region at the end of a block that the region does not contain.
  bool is_joined_outside(std::uint32_t block) const { return joined_outside_[block]; }

  /// Whether `region` is `outer` or in it.
  bool is_within(std::uint32_t region, std::uint32_t outer) const {
    while (region != none && depth_[region] > depth_[outer]) region = parent_[region];
    return region == outer;
  }
  bool has_between(std::uint32_t region, std::uint32_t block) const { return is_within(inner_[block], region); }

  /// The smallest region that contains both.
  std::uint32_t around(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      if (a == none || b == none) return none;
      std::uint32_t& deeper = depth_[a] < depth_[b] ? b : a;
      deeper = parent_[deeper];
    }
    return a;
  }

  /// `candidate` is no larger than earlier ones.
  void add(const CandidateRegion& candidate) {
    const auto number = static_cast<std::uint32_t>(parent_.size());
    const ConvergenceRegion& region = candidate.region;
    const std::uint32_t inside = candidate.between.empty() ? region.joins.front() : candidate.between.front().first;
    parent_.push_back(inner_[inside]);
    depth_.push_back(inner_[inside] == none ? 0 : depth_[inner_[inside]] + 1);
    candidate.for_each_block([&](std::uint32_t block) { inner_[block] = number; });
    for (const std::uint32_t join : region.joins) {
      joined_[join].push_back(number);
      if (!candidate.has_between(join)) joined_outside_[join] = true;
    }
  }

 private:
  std::vector<std::uint32_t> inner_;  // by block
  std::vector<bool> joined_outside_;
  std::vector<std::vector<std::uint32_t>> joined_;
  std::vector<std::uint32_t> parent_;  // by region
  std::vector<std::uint32_t> depth_;
};

/// Keeps regions that are disjoint or nested, so that no barrier waits for lanes that wait at another barrier.
class Nesting {
 public:
  Nesting(std::span<const BasicBlock> blocks, const DominatorTree& dominators, PlacementWork& work)
      : blocks_(blocks),
        dominators_(dominators),
        work_(work),
        forest_(blocks.size()),
        reached_(blocks.size()),
        at_meet_(blocks.size()) {}

  /// `candidates`: larger ones first. Branches of rejected ones are added to `unsynchronised`.
  std::vector<CandidateRegion> keep(std::vector<CandidateRegion> candidates,
                                    std::vector<UnsynchronisedBranch>& unsynchronised) {
    for (CandidateRegion& candidate : candidates) {
      work_.take(candidate.blocks);
      auto& branches = candidate.region.branches;
      if (const std::uint32_t cover = cover_of(candidate); cover != none) {
        auto& all = kept_[cover].region.branches;
        all.insert(all.end(), branches.begin(), branches.end());
      } else if (fits(candidate)) {
        forest_.add(candidate);
        at_meet_[candidate.region.meet].push_back(static_cast<std::uint32_t>(kept_.size()));
        kept_.push_back(std::move(candidate));
      } else {
        for (const std::uint32_t block : branches) unsynchronised.push_back({block, Reason::overlap});
      }
    }
    for (CandidateRegion& candidate : kept_) {
      std::sort(candidate.region.branches.begin(), candidate.region.branches.end());
    }
    return std::move(kept_);
  }

 private:
  // The first region with the same reconvergence point at which all lanes of `inner` reconverge in any case: they have
  // joined it, and have not reconverged since.
  std::uint32_t cover_of(const CandidateRegion& inner) {
    const auto& same_meet = at_meet_[inner.region.meet];
    if (same_meet.empty()) return none;
    std::uint32_t around = inner.blocks == 0 ? none : forest_.inner(inner.between.front().first);
    inner.for_each_block([&](std::uint32_t block) { around = forest_.around(around, forest_.inner(block)); });
    const std::uint32_t join = inner.region.joins.front();
    for (const std::uint32_t outer : same_meet) {
      const auto& outer_joins = kept_[outer].region.joins;
      const bool is_around = (inner.blocks == 0 || forest_.is_within(around, outer)) &&
                             (join == outer_joins.front() || forest_.has_between(outer, join));
      if (is_around && dominators_.dominates(outer_joins.front(), join) &&
          (outer_joins.size() > 1 || !comes_again(inner.region.meet, outer_joins.front(), join)))
        return outer;
    }
    return none;
  }

  // Whether control comes from `meet` to `block` without entering `avoided`.
  bool comes_again(std::uint32_t meet, std::uint32_t avoided, std::uint32_t block) {
    if (meet == avoided || block == avoided) return false;
    reached_.clear();
    std::vector<std::uint32_t> pending = {block};
    reached_.set(block);
    while (!pending.empty() && !reached_[meet]) {
      const std::uint32_t one = pending.back();
      pending.pop_back();
      work_.take(1);
      for (const std::uint32_t predecessor : blocks_[one].predecessors) {
        if (predecessor != avoided && reached_.set(predecessor)) pending.push_back(predecessor);
      }
    }
    return reached_[meet];
  }

  // Whether the candidate is disjoint from or nested with each kept region.
  bool fits(const CandidateRegion& candidate) const {
    const auto& joins = candidate.region.joins;
    if (candidate.blocks == 0) return true;  // its lanes join in one block and reconverge in the next
    const std::uint32_t around = forest_.inner(candidate.between.front().first);
    bool apart = true;
    candidate.for_each_block([&](std::uint32_t block) {
      apart = apart && forest_.inner(block) == around && !forest_.is_joined_outside(block);
    });
    // Prevents a join inside a region that contains no other part of the candidate.
    for (const std::uint32_t join : joins) {
      const std::uint32_t inner = forest_.inner(join);
      apart = apart && (inner == none || forest_.is_within(around, inner));
    }
    if (!apart) return false;
    // Enclosing regions that it does not join within.
    for (std::uint32_t outer = around; outer != forest_.inner(joins.front()); outer = forest_.parent(outer)) {
      const std::uint32_t outer_join = kept_[outer].region.joins.front();
      const bool is_same = kept_[outer].blocks == candidate.blocks && candidate.has_between(outer_join);
      if (outer_join != joins.front() && !is_same) return false;
    }
    return true;
  }

  std::span<const BasicBlock> blocks_;
  const DominatorTree& dominators_;
  PlacementWork& work_;
  RegionForest forest_;
  BlockMarks reached_;
  std::vector<std::vector<std::uint32_t>> at_meet_;  // by block: regions kept that meet there
  std::vector<CandidateRegion> kept_;
};

/// Regions on the sides of divergent branches: regions on different sides may be active at the same time.
class Sides {
 public:
  explicit Sides(std::size_t regions) : of_region_(regions) {}

  /// Regions on each side of one branch.
  void add(const std::vector<std::vector<std::uint32_t>>& sides) {
    const auto crowded = std::count_if(sides.begin(), sides.end(), [](const auto& side) { return !side.empty(); });
    if (crowded < 2) return;
    for (const auto& side : sides) {
      for (const std::uint32_t region : side) of_region_[region].push_back(static_cast<std::uint32_t>(side_.size()));
      side_.push_back({static_cast<std::uint32_t>(branches_.size()), {}});
    }
    branches_.emplace_back();
  }

  /// Registers of regions that already have one and are on other sides of the same branches.
  Registers taken(std::uint32_t region) const {
    Registers all;
    for (const std::uint32_t number : of_region_[region]) {
      const Branch& branch = branches_[side_[number].branch];
      all |= branch.twice | (branch.once & ~side_[number].registers);
    }
    return all;
  }

  void give(std::uint32_t region, std::size_t barrier) {
    for (const std::uint32_t number : of_region_[region]) {
      Side& side = side_[number];
      if (side.registers[barrier]) continue;
      side.registers.set(barrier);
      Branch& branch = branches_[side.branch];
      (branch.once[barrier] ? branch.twice : branch.once).set(barrier);
    }
  }

 private:
  struct Side {
    std::uint32_t branch = 0;
    Registers registers;
  };
  struct Branch {
    Registers once;   // on at least one side
    Registers twice;  // on at least two sides
  };

  std::vector<std::vector<std::uint32_t>> of_region_;
  std::vector<Side> side_;
  std::vector<Branch> branches_;
};

class Placement {
 public:
  Placement(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent, unsigned registers,
            BarriersInCalls in_calls, SourceLocation kernel)
      : blocks_(blocks), divergent_(divergent), registers_(registers), in_calls_(in_calls), work_(std::move(kernel)) {}

  ConvergenceBarriers run() {
    const DominatorTree dominators(blocks_);
    RegionCandidates found = find_regions(blocks_, divergent_, dominators, work_);
    result_.unsynchronised = std::move(found.unsynchronised);
    accepted_ = Nesting(blocks_, dominators, work_).keep(std::move(found.regions), result_.unsynchronised);
    find_functions();
    give_registers();
    emit();
    for (CandidateRegion& candidate : accepted_) result_.regions.push_back(std::move(candidate.region));
    std::sort(result_.unsynchronised.begin(), result_.unsynchronised.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
    return std::move(result_);
  }

 private:
  // By block: the number of the entry block that it is reached from.
  void find_functions() {
    function_.assign(blocks_.size(), none);
    for (const std::uint32_t entry : entry_blocks(blocks_)) {
      std::vector<std::uint32_t> pending = {entry};
      while (!pending.empty()) {
        const std::uint32_t block = pending.back();
        pending.pop_back();
        if (function_[block] != none) continue;
        function_[block] = functions_;
        pending.insert(pending.end(), blocks_[block].successors.begin(), blocks_[block].successors.end());
      }
      ++functions_;
    }
  }

  // The regions that lanes may be in on the sides of each divergent branch, until they reconverge.
  Sides find_sides(const RegionForest& forest) {
    Sides all(accepted_.size());
    std::vector<bool> synchronised(blocks_.size(), false);
    for (const CandidateRegion& candidate : accepted_) {
      for (const std::uint32_t block : candidate.region.branches) synchronised[block] = true;
    }
    BlockMarks reached(blocks_.size());
    BlockMarks on_side(accepted_.size());
    BlockMarks climbed(accepted_.size());
    for (std::uint32_t block = 0; block < blocks_.size() && accepted_.size() > 1; ++block) {
      if (!divergent_[block]) continue;
      const std::uint32_t meet = synchronised[block] ? blocks_[block].immediate_postdominator : none;
      std::vector<std::vector<std::uint32_t>> sides;
      for (const std::uint32_t successor : blocks_[block].successors) {
        std::vector<std::uint32_t>& regions = sides.emplace_back();
        reached.clear();
        on_side.clear();
        climbed.clear();
        std::vector<std::uint32_t> pending;
        const auto enter = [&](std::uint32_t one) {
          if (one != meet && reached.set(one)) pending.push_back(one);
        };
        enter(successor);
        while (!pending.empty() && regions.size() < accepted_.size()) {
          const std::uint32_t one = pending.back();
          pending.pop_back();
          work_.take(1);
          for (const std::uint32_t next : blocks_[one].successors) enter(next);
          for (std::uint32_t region = forest.inner(one); region != none && climbed.set(region);
               region = forest.parent(region)) {
            if (on_side.set(region)) regions.push_back(region);
          }
          for (const std::uint32_t region : forest.joined_at(one)) {
            if (on_side.set(region)) regions.push_back(region);
          }
        }
        work_.take(regions.size());
      }
      all.add(sides);
    }
    return all;
  }

  // The barrier register of the region that encloses `region` and reconverges last; if possible, not a register in
  // `near`.
  std::size_t needed_last(const RegionForest& forest, std::uint32_t region, const Registers& near) {
    std::size_t any = 0;
    while (any < registers_ && near[any]) ++any;
    if (any == registers_) any = 0;
    std::size_t last = registers_;
    Registers seen;  // a register holds the barrier of the smallest enclosing region that uses it
    for (std::uint32_t outer = forest.parent(region); outer != none && seen.count() < registers_;
         outer = forest.parent(outer)) {
      work_.take(1);
      const std::uint8_t barrier = accepted_[outer].region.barrier;
      if (seen[barrier]) continue;
      seen.set(barrier);
      any = barrier;
      if (!near[barrier]) last = barrier;
    }
    return last == registers_ ? any : last;
  }

  // Gives each region the lowest free register or, if none is free, a register that it must spill.
  void give_registers() {
    RegionForest forest(blocks_.size());
    for (const CandidateRegion& candidate : accepted_) {
      work_.take(candidate.blocks);
      forest.add(candidate);
    }
    Sides sides = find_sides(forest);
    std::vector<Registers> at_join(blocks_.size());
    std::vector<Registers> around(accepted_.size());  // by region: its own and those of its enclosing regions
    std::vector<Registers> in_function(functions_);
    std::array<std::uint32_t, Registers().size()> functions_with{};  // by register
    for (std::uint32_t i = 0; i < accepted_.size(); ++i) {
      ConvergenceRegion& region = accepted_[i].region;
      const std::uint32_t join = region.joins.front();
      // Lanes in a region have joined its enclosing regions, or others at the same place.
      if (forest.parent(i) != none) around[i] = around[forest.parent(i)];
      const Registers near = at_join[join] | sides.taken(i);
      Registers taken = around[i] | near;
      // One function may call the other.
      Registers& own = in_function[function_[join]];
      for (std::size_t one = 0; in_calls_ == BarriersInCalls::kept && one < registers_; ++one) {
        if (functions_with[one] > (own[one] ? 1U : 0U)) taken.set(one);
      }
      std::size_t barrier = 0;
      while (barrier < registers_ && taken[barrier]) ++barrier;
      region.spills = barrier == registers_;
      if (region.spills) barrier = needed_last(forest, i, near);
      region.barrier = static_cast<std::uint8_t>(barrier);
      around[i].set(barrier);
      at_join[join].set(barrier);
      sides.give(i, barrier);
      if (!own[barrier]) ++functions_with[barrier];
      own.set(barrier);
    }
  }

  // Regions are sorted by size, larger first. At one pc, lanes first leave the smallest region, then wait in the
  // smallest first, then join the largest first.
  void emit() {
    const auto regions = static_cast<std::uint32_t>(accepted_.size());
    const auto act = [&](Pc pc, BarrierAction::Kind kind, std::uint32_t region) {
      result_.actions.push_back({pc, kind, region});
    };
    const auto fill = [&](Pc pc, std::uint32_t region) {
      if (accepted_[region].region.spills) act(pc, BarrierAction::Kind::fill, region);
    };
    for (std::uint32_t i = regions; i-- > 0;) {
      for (const std::uint32_t block : accepted_[i].leaving) {
        act(blocks_[block].first, BarrierAction::Kind::leave, i);
        fill(blocks_[block].first, i);
      }
    }
    for (std::uint32_t i = regions; i-- > 0;) {
      const Pc meet = blocks_[accepted_[i].region.meet].first;
      act(meet, BarrierAction::Kind::wait, i);
      fill(meet, i);
    }
    for (std::uint32_t i = 0; i < regions; ++i) {
      for (const std::uint32_t join : accepted_[i].region.joins) {
        if (accepted_[i].region.spills) act(blocks_[join].end - 1, BarrierAction::Kind::spill, i);
        act(blocks_[join].end - 1, BarrierAction::Kind::join, i);
      }
    }
    std::stable_sort(result_.actions.begin(), result_.actions.end(),
                     [](const BarrierAction& a, const BarrierAction& b) { return a.pc < b.pc; });
  }

  std::span<const BasicBlock> blocks_;
  const std::vector<bool>& divergent_;
  unsigned registers_;
  BarriersInCalls in_calls_;
  PlacementWork work_;
  std::vector<std::uint32_t> function_;  // by block
  std::uint32_t functions_ = 0;
  std::vector<CandidateRegion> accepted_;
  ConvergenceBarriers result_;
};

}  // namespace

std::string_view name_of(BarrierAction::Kind kind) {
  switch (kind) {
    case BarrierAction::Kind::leave:
      return "leave";
    case BarrierAction::Kind::wait:
      return "wait";
    case BarrierAction::Kind::spill:
      return "spill";
    case BarrierAction::Kind::fill:
      return "fill";
    default:
      return "join";
  }
}

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::exit:
      return "its lanes meet only at exit or return";
    case Reason::entry:
      return "no place to join before its loop";
    default:
      return "its region overlaps with another";
  }
}

ConvergenceBarriers place_convergence_barriers(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent,
                                               unsigned registers, BarriersInCalls in_calls) {
  return Placement(blocks, divergent, registers, in_calls, {}).run();
}

ConvergenceBarriers place_convergence_barriers(const Program& program, const Divergence& divergence, unsigned registers,
                                               BarriersInCalls in_calls) {
  std::vector<bool> divergent;
  for (const BasicBlock& block : program.blocks) divergent.push_back(divergence.branch[block.end - 1]);
  const std::uint32_t line = program.instructions.empty() ? 0 : program.instructions.front().line;
  return Placement(program.blocks, divergent, registers, in_calls, {program.file, line, 0}).run();
}

}  // namespace reconverge::kernel
