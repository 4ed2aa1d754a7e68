// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/convergence_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <utility>

namespace reconverge::kernel {

namespace {

using Reason = UnsynchronisedBranch::Reason;

// By block: index of its strongly connected component. A block reaches no component with a larger index.
std::vector<std::uint32_t> components_of(std::span<const BasicBlock> blocks) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph graph(blocks.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (const std::uint32_t successor : blocks[block].successors) boost::add_edge(block, successor, graph);
  }
  std::vector<std::uint32_t> component(blocks.size());
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  return component;
}

class RegionFinder {
 public:
  RegionFinder(std::span<const BasicBlock> blocks, const DominatorTree& dominators, PlacementWork& work)
      : blocks_(blocks),
        dominators_(dominators),
        work_(work),
        loops_(find_loops(blocks)),
        component_(components_of(blocks)),
        reached_(blocks.size()),
        between_(blocks.size()) {}

  RegionCandidates run(const std::vector<bool>& divergent) {
    RegionCandidates found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> branches;
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (!divergent[block]) continue;
      const std::uint32_t meet = blocks_[block].immediate_postdominator;
      const std::uint32_t join = meet == BasicBlock::no_block ? BasicBlock::no_block : join_for(block, meet);
      if (join == BasicBlock::no_block) {
        found.unsynchronised.push_back({block, meet == BasicBlock::no_block ? Reason::exit : Reason::entry});
      } else {
        branches[{join, meet}].push_back(block);
      }
    }
    for (auto& [places, from] : branches) {
      found.regions.push_back(candidate_of(region_of(places.first, places.second, std::move(from))));
    }
    std::stable_sort(found.regions.begin(), found.regions.end(),
                     [](const CandidateRegion& a, const CandidateRegion& b) { return a.blocks > b.blocks; });
    return found;
  }

 private:
  // The block in which lanes of the branch that ends `block` join: they pass it once on their paths to `meet`.
  std::uint32_t join_for(std::uint32_t block, std::uint32_t meet) {
    const auto leaves = [&](std::uint32_t loop) { return loop != Loop::none && !loops_.contains(loop, meet); };
    std::uint32_t join = block;
    std::uint32_t loop = loops_.innermost[block];
    if (leaves(loop)) {
      while (leaves(loops_.loops[loop].parent)) loop = loops_.loops[loop].parent;
      join = dominators_.parent(loops_.loops[loop].header);
    }
    // Cycles that are not natural loops.
    while (join != BasicBlock::no_block && comes_back(join, meet)) join = dominators_.parent(join);
    return join;
  }

  // Whether control can return to `block` without entering `avoided`.
  bool comes_back(std::uint32_t block, std::uint32_t avoided) {
    return walk(
        blocks_[block].successors, [&](std::uint32_t one) -> const auto& { return blocks_[one].successors; },
        [&](std::uint32_t one) { return one != avoided && component_[one] == component_[block]; },
        [&](std::uint32_t one) { return one == block; });
  }

  // Whether control can return from `meet` to one of `blocks`, which reach `meet`, without entering `join`.
  bool come_again(std::uint32_t meet, std::uint32_t join, std::vector<std::uint32_t> blocks) {
    std::erase(blocks, join);
    return walk(
        blocks, [&](std::uint32_t one) -> const auto& { return blocks_[one].predecessors; },
        [&](std::uint32_t one) { return one != join && component_[one] == component_[meet]; },
        [&](std::uint32_t one) { return one == meet; });
  }

  // Marks in `reached_` the blocks that a walk from `starts` along `next` reaches within its bounds. Returns true,
  // possibly before the walk is complete, if it reaches the block that is searched for.
  template <typename Next, typename MayEnter, typename IsFound>
  bool walk(const std::vector<std::uint32_t>& starts, const Next& next, const MayEnter& may_enter,
            const IsFound& is_found) {
    reached_.clear();
    pending_.clear();
    bool found = false;
    const auto enter = [&](std::uint32_t block) {
      if (!may_enter(block) || !reached_.set(block)) return;
      found = found || is_found(block);
      pending_.push_back(block);
    };
    for (const std::uint32_t start : starts) enter(start);
    std::uint64_t steps = starts.size();
    while (!pending_.empty() && !found) {
      const std::uint32_t block = pending_.back();
      pending_.pop_back();
      for (const std::uint32_t one : next(block)) enter(one);
      ++steps;
    }
    work_.take(steps);
    return found;
  }

  // Lanes that return to a branch from their reconvergence point join again there.
  ConvergenceRegion region_of(std::uint32_t join, std::uint32_t meet, std::vector<std::uint32_t> branches) {
    const bool come_back = join != meet && come_again(meet, join, branches);
    ConvergenceRegion region{{join}, meet, std::move(branches), 0};
    if (come_back) region.joins.push_back(meet);
    return region;
  }

  CandidateRegion candidate_of(ConvergenceRegion region) {
    const std::uint32_t meet = region.meet;
    std::vector<std::uint32_t> starts;
    for (const std::uint32_t join : region.joins)
      starts.insert(starts.end(), blocks_[join].successors.begin(), blocks_[join].successors.end());
    // Does not enter blocks of components with a lower number: they cannot reach the reconvergence point.
    walk(
        starts, [&](std::uint32_t one) -> const auto& { return blocks_[one].successors; },
        [&](std::uint32_t one) { return one != meet && component_[one] >= component_[meet]; },
        [](std::uint32_t) { return false; });
    // The blocks among these from which the reconvergence point is reachable, found backwards from there.
    between_.clear();
    std::vector<std::uint32_t> found;
    const auto enter_before = [&](std::uint32_t block) {
      for (const std::uint32_t predecessor : blocks_[block].predecessors) {
        if (reached_[predecessor] && between_.set(predecessor)) found.push_back(predecessor);
      }
    };
    enter_before(meet);
    for (std::size_t i = 0; i < found.size(); ++i) enter_before(found[i]);
    work_.take(found.size());
    CandidateRegion candidate;
    candidate.blocks = static_cast<std::uint32_t>(found.size());
    candidate.between = runs_of(found);
    candidate.leaving = leaving_of(found, region);
    candidate.region = std::move(region);
    return candidate;
  }

  // The code of a region is mostly contiguous.
  std::vector<BlockRun> runs_of(std::vector<std::uint32_t> found) const {
    std::vector<BlockRun> runs;
    const auto add = [&](std::uint32_t block) {
      if (runs.empty() || runs.back().end != block) runs.push_back({block, block});
      ++runs.back().end;
    };
    if (found.empty()) return runs;
    const auto [first, last] = std::minmax_element(found.begin(), found.end());
    if (*last - *first < 8 * found.size()) {
      for (std::uint32_t block = *first; block <= *last; ++block) {
        if (between_[block]) add(block);
      }
    } else {
      std::sort(found.begin(), found.end());
      std::for_each(found.begin(), found.end(), add);
    }
    return runs;
  }

  // Blocks that control enters from `between` and the joins, except the reconvergence point and `between` itself.
  std::vector<std::uint32_t> leaving_of(std::span<const std::uint32_t> between, const ConvergenceRegion& region) const {
    std::vector<std::uint32_t> leaving;
    const auto look_behind = [&](std::uint32_t block) {
      for (const std::uint32_t successor : blocks_[block].successors) {
        if (successor != region.meet && !between_[successor]) leaving.push_back(successor);
      }
    };
    for (const std::uint32_t block : between) look_behind(block);
    for (const std::uint32_t join : region.joins) look_behind(join);
    std::sort(leaving.begin(), leaving.end());
    leaving.erase(std::unique(leaving.begin(), leaving.end()), leaving.end());
    return leaving;
  }

  std::span<const BasicBlock> blocks_;
  const DominatorTree& dominators_;
  PlacementWork& work_;
  LoopForest loops_;
  std::vector<std::uint32_t> component_;  // by block
  BlockMarks reached_;
  BlockMarks between_;
  std::vector<std::uint32_t> pending_;
};

}  // namespace

bool CandidateRegion::has_between(std::uint32_t block) const {
  const auto after = std::upper_bound(between.begin(), between.end(), block,
                                      [](std::uint32_t one, const BlockRun& run) { return one < run.first; });
  return after != between.begin() && block < (after - 1)->end;
}

void PlacementWork::take(std::uint64_t steps) {
  taken_ += steps;
  if (taken_ <= most_) return;
  throw InputError(kernel_,
                   fmt::format("the divergent branches are nested so deep that placing convergence barriers takes more "
                               "than {} steps",
                               most_),
                   "nest less, or split the kernel");
}

RegionCandidates find_regions(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent,
                              const DominatorTree& dominators, PlacementWork& work) {
  return RegionFinder(blocks, dominators, work).run(divergent);
}

}  // namespace reconverge::kernel
