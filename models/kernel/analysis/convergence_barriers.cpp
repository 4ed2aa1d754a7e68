#include "models/kernel/analysis/convergence_barriers.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/reachability.hpp"

namespace reconverge::kernel {

namespace {

using Reason = UnsynchronisedBranch::Reason;

/// A region with the blocks that lanes can be in between joining and meeting.
struct Candidate {
  ConvergenceRegion region;
  BlockSet between;
  BlockSet leaving;  // blocks that lanes enter when they will not come to the meeting point
};

class Placement {
 public:
  Placement(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent, unsigned registers,
            BarriersInCalls in_calls)
      : blocks_(blocks),
        divergent_(divergent),
        registers_(registers),
        in_calls_(in_calls),
        dominators_(immediate_dominators(blocks)),
        loops_(find_loops(blocks)),
        synchronised_(blocks.size(), false) {}

  ConvergenceBarriers run() {
    collect();
    nest();
    // A region without a register lets its lanes run on apart, which may bring others into conflict.
    while (!colour()) {
    }
    for (Candidate& candidate : accepted_) result_.regions.push_back(std::move(candidate.region));
    std::sort(result_.unsynchronised.begin(), result_.unsynchronised.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
    return std::move(result_);
  }

 private:
  void give_up(const std::vector<std::uint32_t>& branches, Reason reason) {
    for (const std::uint32_t block : branches) {
      result_.unsynchronised.push_back({block, reason});
      synchronised_[block] = false;
    }
  }

  // Blocks that control reaches after `block` before it enters `avoided`.
  BlockSet after(std::uint32_t block, std::uint32_t avoided) const {
    BlockSet reached(blocks_.size());
    for (const std::uint32_t successor : blocks_[block].successors) {
      reached |= reachable_blocks(blocks_, successor, avoided);
    }
    return reached;
  }

  // Where lanes of the branch that ends `block` join: there they pass once on their way to `meet`.
  std::uint32_t join_for(std::uint32_t block, std::uint32_t meet) const {
    const auto leaves = [&](std::uint32_t loop) { return loop != Loop::none && !loops_.contains(loop, meet); };
    std::uint32_t join = block;
    std::uint32_t loop = loops_.innermost[block];
    if (leaves(loop)) {
      while (leaves(loops_.loops[loop].parent)) loop = loops_.loops[loop].parent;
      join = dominators_[loops_.loops[loop].header];
    }
    // Cycles that are no natural loops.
    while (join != BasicBlock::no_block && after(join, meet)[join]) join = dominators_[join];
    return join;
  }

  // One candidate for each pair of a place to join and a place to meet; larger ones first.
  void collect() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> branches;
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (!divergent_[block]) continue;
      const std::uint32_t meet = blocks_[block].immediate_postdominator;
      const std::uint32_t join = meet == BasicBlock::no_block ? BasicBlock::no_block : join_for(block, meet);
      if (join == BasicBlock::no_block) {
        give_up({block}, meet == BasicBlock::no_block ? Reason::exit : Reason::entry);
      } else {
        branches[{join, meet}].push_back(block);
      }
    }
    for (auto& [places, from] : branches) {
      candidates_.push_back(candidate_of(region_of(places.first, places.second, std::move(from))));
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.between.count() > b.between.count(); });
  }

  // Lanes that come back to a branch from where they met join again there.
  ConvergenceRegion region_of(std::uint32_t join, std::uint32_t meet, std::vector<std::uint32_t> branches) const {
    const BlockSet again = reachable_blocks(blocks_, meet, join);
    const bool come_back = join != meet && std::any_of(branches.begin(), branches.end(),
                                                       [&](std::uint32_t block) { return again[block]; });
    ConvergenceRegion region{{join}, meet, std::move(branches), 0};
    if (come_back) region.joins.push_back(meet);
    return region;
  }

  Candidate candidate_of(ConvergenceRegion region) const {
    BlockSet reached(blocks_.size());
    for (const std::uint32_t join : region.joins) reached |= after(join, region.meet);
    Candidate candidate{std::move(region), BlockSet(blocks_.size()), BlockSet(blocks_.size())};
    const auto& joins = candidate.region.joins;
    // Those of them that may still come to the meeting point, found backwards from there.
    std::vector<std::uint32_t> pending = {candidate.region.meet};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      for (const std::uint32_t predecessor : blocks_[block].predecessors) {
        if (!reached[predecessor] || candidate.between[predecessor]) continue;
        candidate.between.set(predecessor);
        pending.push_back(predecessor);
      }
    }
    const BlockSet lost = reached - candidate.between;
    for (auto i = lost.find_first(); i != BlockSet::npos; i = lost.find_next(i)) {
      const auto& from = blocks_[i].predecessors;
      if (std::any_of(from.begin(), from.end(), [&](std::uint32_t block) {
            return candidate.between[block] || std::find(joins.begin(), joins.end(), block) != joins.end();
          })) {
        candidate.leaving.set(i);
      }
    }
    return candidate;
  }

  static bool joins_within(const Candidate& one, const Candidate& other) {
    const auto& joins = one.region.joins;
    return std::any_of(joins.begin(), joins.end(), [&](std::uint32_t block) { return other.between[block]; });
  }

  static bool are_apart(const Candidate& a, const Candidate& b) {
    return !a.between.intersects(b.between) && !joins_within(a, b) && !joins_within(b, a);
  }

  static bool is_around(const Candidate& outer, const Candidate& inner) {
    const std::uint32_t join = inner.region.joins.front();
    return inner.between.is_subset_of(outer.between) && (join == outer.region.joins.front() || outer.between[join]);
  }

  bool dominates(std::uint32_t upper, std::uint32_t lower) const {
    while (lower != upper && lower != BasicBlock::no_block) lower = dominators_[lower];
    return lower == upper;
  }

  // Whether all lanes that `inner` brings together meet in `outer` anyhow: they have joined it, and not met since.
  bool covers(const Candidate& outer, const Candidate& inner) const {
    return outer.region.meet == inner.region.meet && is_around(outer, inner) &&
           dominates(outer.region.joins.front(), inner.region.joins.front()) &&
           (outer.region.joins.size() > 1 ||
            !reachable_blocks(blocks_, outer.region.meet, outer.region.joins.front())[inner.region.joins.front()]);
  }

  // Keeps the regions that lie apart or one in the other: lanes that wait in one are never waited for in another.
  void nest() {
    for (Candidate& candidate : candidates_) {
      const auto cover = std::find_if(accepted_.begin(), accepted_.end(),
                                      [&](const Candidate& outer) { return covers(outer, candidate); });
      auto& branches = candidate.region.branches;
      const bool fits = std::all_of(accepted_.begin(), accepted_.end(), [&](const Candidate& other) {
        return are_apart(other, candidate) || is_around(other, candidate) || is_around(candidate, other);
      });
      if (cover == accepted_.end() && !fits) {
        give_up(branches, Reason::overlap);
        continue;
      }
      for (const std::uint32_t block : branches) synchronised_[block] = true;
      if (cover != accepted_.end()) {
        cover->region.branches.insert(cover->region.branches.end(), branches.begin(), branches.end());
      } else {
        accepted_.push_back(std::move(candidate));
      }
    }
    for (Candidate& candidate : accepted_) {
      std::sort(candidate.region.branches.begin(), candidate.region.branches.end());
    }
  }

  // By block: the entry block that it is reached from.
  std::vector<std::uint32_t> functions() const {
    std::vector<std::uint32_t> function(blocks_.size(), BasicBlock::no_block);
    for (const std::uint32_t entry : entry_blocks(blocks_)) {
      const BlockSet reached = reachable_blocks(blocks_, entry, BasicBlock::no_block);
      for (auto block = reached.find_first(); block != BlockSet::npos; block = reached.find_next(block)) {
        if (function[block] == BasicBlock::no_block) function[block] = entry;
      }
    }
    return function;
  }

  // By region: the regions that may be active in the same warp at the same time.
  std::vector<BlockSet> conflicts() const {
    std::vector<BlockSet> conflict(accepted_.size(), BlockSet(accepted_.size()));
    const std::vector<std::uint32_t> function = functions();
    std::vector<BlockSet> where;  // by region: blocks between, and those of the joins
    for (const Candidate& candidate : accepted_) {
      where.push_back(candidate.between);
      for (const std::uint32_t join : candidate.region.joins) where.back().set(join);
    }
    for (std::size_t a = 0; a < where.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        // Lanes in one that have joined the other, or join it at the same place.
        const std::uint32_t join_a = accepted_[a].region.joins.front();
        const std::uint32_t join_b = accepted_[b].region.joins.front();
        // One function may call the other.
        const bool called = in_calls_ == BarriersInCalls::kept && function[join_a] != function[join_b];
        const bool joint = join_a == join_b || called;
        if (joint || accepted_[a].between.intersects(where[b]) || accepted_[b].between.intersects(where[a])) {
          conflict[a].set(b);
        }
      }
    }
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (!divergent_[block]) continue;
      const std::uint32_t meet = synchronised_[block] ? blocks_[block].immediate_postdominator : BasicBlock::no_block;
      std::vector<BlockSet> active;  // by side: the regions that its lanes may be in
      for (const std::uint32_t successor : blocks_[block].successors) {
        const BlockSet side = reachable_blocks(blocks_, successor, meet);
        BlockSet regions(accepted_.size());
        for (std::size_t i = 0; i < where.size(); ++i) regions[i] = where[i].intersects(side);
        for (const BlockSet& other : active) join_conflicts(conflict, regions, other);
        active.push_back(std::move(regions));
      }
    }
    for (std::size_t a = 0; a < conflict.size(); ++a) {
      for (auto b = conflict[a].find_first(); b != BlockSet::npos; b = conflict[a].find_next(b)) conflict[b].set(a);
    }
    return conflict;
  }

  static void join_conflicts(std::vector<BlockSet>& conflict, const BlockSet& one, const BlockSet& other) {
    for (auto i = one.find_first(); i != BlockSet::npos; i = one.find_next(i)) conflict[i] |= other;
  }

  // Gives each region the lowest register free; false when regions had to go.
  bool colour() {
    const std::vector<BlockSet> conflict = conflicts();
    std::vector<bool> kept(accepted_.size(), true);
    for (std::size_t i = 0; i < accepted_.size(); ++i) {
      std::vector<bool> taken(registers_ + 1, false);
      for (std::size_t other = 0; other < i; ++other) {
        if (conflict[i][other] && kept[other]) taken[accepted_[other].region.barrier] = true;
      }
      const auto free = std::find(taken.begin(), taken.end(), false) - taken.begin();
      kept[i] = free < static_cast<std::ptrdiff_t>(registers_);
      if (kept[i])
        accepted_[i].region.barrier = static_cast<std::uint8_t>(free);
      else
        give_up(accepted_[i].region.branches, Reason::registers);
    }
    if (std::find(kept.begin(), kept.end(), false) == kept.end()) {
      emit();
      return true;
    }
    std::vector<Candidate> rest;
    for (std::size_t i = 0; i < accepted_.size(); ++i) {
      if (kept[i]) rest.push_back(std::move(accepted_[i]));
    }
    accepted_ = std::move(rest);
    return false;
  }

  // Regions come larger first; lanes that meet in several at one pc wait in the smallest first.
  void emit() {
    for (auto i = static_cast<std::uint32_t>(accepted_.size()); i-- > 0;) {
      const Candidate& candidate = accepted_[i];
      const auto act = [&](Pc pc, BarrierAction::Kind kind) { result_.actions.push_back({pc, kind, i}); };
      for (const std::uint32_t join : candidate.region.joins) act(blocks_[join].end - 1, BarrierAction::Kind::join);
      act(blocks_[candidate.region.meet].first, BarrierAction::Kind::wait);
      const BlockSet& leaving = candidate.leaving;
      for (auto block = leaving.find_first(); block != BlockSet::npos; block = leaving.find_next(block)) {
        act(blocks_[block].first, BarrierAction::Kind::leave);
      }
    }
    std::stable_sort(
        result_.actions.begin(), result_.actions.end(),
        [](const BarrierAction& a, const BarrierAction& b) { return std::tie(a.pc, a.kind) < std::tie(b.pc, b.kind); });
  }

  std::span<const BasicBlock> blocks_;
  const std::vector<bool>& divergent_;
  unsigned registers_;
  BarriersInCalls in_calls_;
  std::vector<std::uint32_t> dominators_;
  LoopForest loops_;
  std::vector<bool> synchronised_;  // by block: its branch has a region
  std::vector<Candidate> candidates_;
  std::vector<Candidate> accepted_;
  ConvergenceBarriers result_;
};

}  // namespace

std::string_view name_of(BarrierAction::Kind kind) {
  switch (kind) {
    case BarrierAction::Kind::leave:
      return "leave";
    case BarrierAction::Kind::wait:
      return "wait";
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
    case Reason::overlap:
      return "its region overlaps with another";
    default:
      return "no barrier register left";
  }
}

ConvergenceBarriers place_convergence_barriers(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent,
                                               unsigned registers, BarriersInCalls in_calls) {
  return Placement(blocks, divergent, registers, in_calls).run();
}

ConvergenceBarriers place_convergence_barriers(const Program& program, const Divergence& divergence, unsigned registers,
                                               BarriersInCalls in_calls) {
  std::vector<bool> divergent;
  for (const BasicBlock& block : program.blocks) divergent.push_back(divergence.branch[block.end - 1]);
  return place_convergence_barriers(program.blocks, divergent, registers, in_calls);
}

}  // namespace reconverge::kernel
