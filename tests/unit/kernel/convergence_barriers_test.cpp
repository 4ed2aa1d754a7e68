// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/convergence_barriers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/convergence_regions.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/postdominators.hpp"
#include "tests/repetition.hpp"
#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using kernel::tests::graph;
using kernel::tests::random_graph;

namespace {

using Blocks = std::vector<BasicBlock>;
using Kind = BarrierAction::Kind;
using Mask = std::uint32_t;

Blocks with_postdominators(Blocks blocks) {
  const std::vector<std::uint32_t> found = immediate_postdominators(blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].immediate_postdominator = found[i];
  return blocks;
}

/// Treats all branches as divergent.
std::vector<bool> all_branches(const Blocks& blocks) {
  std::vector<bool> divergent;
  for (const BasicBlock& block : blocks) divergent.push_back(block.successors.size() > 1);
  return divergent;
}

ConvergenceBarriers place(const Blocks& blocks, unsigned registers = volta_barriers) {
  return place_convergence_barriers(blocks, all_branches(blocks), registers);
}

/// "pc kind register" of each action.
std::vector<std::string> shown(const ConvergenceBarriers& barriers) {
  std::vector<std::string> lines;
  for (const BarrierAction& action : barriers.actions) {
    lines.push_back(std::to_string(action.pc) + " " + std::string(name_of(action.kind)) + " B" +
                    std::to_string(barriers.regions[action.region].barrier));
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// A warp with independent thread scheduling, which runs a graph of blocks of one instruction each. Groups of lanes run
/// in random order. Each lane takes a random path at a divergent branch.
class Warp {
 public:
  Warp(const Blocks& blocks, const std::vector<bool>& divergent, const ConvergenceBarriers& barriers,
       std::mt19937& random)
      : blocks_(blocks),
        divergent_(divergent),
        barriers_(barriers),
        random_(random),
        masks_(barriers.regions.size()),
        moved_(barriers.regions.size()) {
    for (const BarrierAction& action : barriers.actions) actions_[action.pc].push_back(action);
    groups_.push_back({0xff, 0, 0});
  }

  /// Runs until all lanes have ended, or for `steps` steps. Returns false if lanes deadlock, if a barrier register has
  /// lanes of two regions, if lanes wait at a barrier that has been spilled, or if diverged lanes do not reconverge.
  bool run(unsigned steps) {
    while (steps-- > 0 && !groups_.empty()) {
      const std::size_t chosen = random_() % groups_.size();
      const Group group = groups_[chosen];
      groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(chosen));
      step(group);
      release();
      if (!sound() || missed_) return false;
    }
    return !groups_.empty() || waiting_.empty();
  }

  unsigned meetings() const { return meetings_; }

 private:
  struct Group {
    Mask lanes = 0;
    std::uint32_t block = 0;
    std::size_t next = 0;  // action
  };

  void step(Group group) {
    const std::vector<BarrierAction>& actions = actions_[group.block];
    if (group.next == actions.size()) return end_of_block(group);
    const BarrierAction& action = actions[group.next++];
    Mask& mask = masks_[action.region];
    if (action.kind == Kind::join) mask |= group.lanes;
    if (action.kind == Kind::spill) moved_[action.region] |= group.lanes;
    if (action.kind == Kind::fill) moved_[action.region] &= ~group.lanes;
    if (action.kind == Kind::wait && is_moved(action.region, group.lanes & mask)) missed_ = true;
    if (action.kind == Kind::leave) {
      mask &= ~group.lanes;
      for (const std::uint32_t branch : barriers_.regions[action.region].branches) {
        for (auto& [lane, others] : parted_[branch]) others &= ~group.lanes;
      }
    }
    if (action.kind == Kind::wait && (group.lanes & mask) != 0) {
      waiting_.push_back({action.region, {group.lanes & mask, group.block, group.next}});
      group.lanes &= ~mask;
    }
    if (action.kind == Kind::wait) meet(action.region, group.lanes);
    if (group.lanes != 0) groups_.push_back(group);
  }

  void end_of_block(const Group& group) {
    part(group);
    const auto& successors = blocks_[group.block].successors;
    std::map<std::uint32_t, Mask> next;
    const std::size_t together = random_();
    for (Mask lane = 1; lane <= group.lanes && !successors.empty(); lane <<= 1U) {
      if ((group.lanes & lane) == 0) continue;
      next[successors[(divergent_[group.block] ? random_() : together) % successors.size()]] |= lane;
    }
    for (const auto& [block, lanes] : next) groups_.push_back({lanes, block, 0});
    if (successors.empty()) {
      for (Mask& mask : masks_) mask &= ~group.lanes;
      for (Mask& mask : moved_) mask &= ~group.lanes;
    }
  }

  // Records which lanes execute a branch that has a region.
  void part(const Group& group) {
    for (const ConvergenceRegion& region : barriers_.regions) {
      for (const std::uint32_t branch : region.branches) {
        if (branch != group.block) continue;
        for (Mask lane = 1; lane <= group.lanes; lane <<= 1U) {
          if ((group.lanes & lane) != 0) parted_[branch][lane] = group.lanes;
        }
      }
    }
  }

  // Checks that lanes which continue from a region's reconvergence point include all lanes that they diverged from.
  void meet(std::uint32_t region, Mask lanes) {
    for (const std::uint32_t branch : barriers_.regions[region].branches) {
      for (auto& [lane, others] : parted_[branch]) {
        if ((lane & lanes) == 0) continue;
        missed_ = missed_ || (others & ~lanes) != 0;
        others = 0;
      }
    }
  }

  void release() {
    for (std::uint32_t region = 0; region < masks_.size(); ++region) {
      Group all;
      for (const auto& [where, group] : waiting_) {
        if (where == region) all = {all.lanes | group.lanes, group.block, group.next};
      }
      if (all.lanes == 0 || all.lanes != masks_[region]) continue;
      std::erase_if(waiting_, [&](const auto& one) { return one.first == region; });
      masks_[region] = 0;
      meet(region, all.lanes);
      groups_.push_back(all);
      ++meetings_;
    }
  }

  bool sound() const {
    for (std::size_t a = 0; a < masks_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool share = barriers_.regions[a].barrier == barriers_.regions[b].barrier && !barriers_.regions[a].spills;
        if (share && masks_[a] != 0 && masks_[b] != 0) return false;
      }
    }
    return true;
  }

  // Whether a later region that uses the same register has spilled the barrier for any of the lanes.
  bool is_moved(std::uint32_t region, Mask lanes) const {
    for (std::uint32_t other = region + 1; other < moved_.size(); ++other) {
      const bool share = barriers_.regions[other].barrier == barriers_.regions[region].barrier;
      if (share && (moved_[other] & lanes) != 0) return true;
    }
    return false;
  }

  const Blocks& blocks_;
  const std::vector<bool>& divergent_;
  const ConvergenceBarriers& barriers_;
  std::mt19937& random_;
  std::map<Pc, std::vector<BarrierAction>> actions_;
  std::vector<Mask> masks_;  // by region
  std::vector<Mask> moved_;  // by region: lanes that have spilled another barrier for it
  std::vector<Group> groups_;
  std::vector<std::pair<std::uint32_t, Group>> waiting_;
  // By branch and lane: the lanes that last executed the branch together with this lane.
  std::map<std::uint32_t, std::map<Mask, Mask>> parted_;
  bool missed_ = false;
  unsigned meetings_ = 0;
};

/// Blocks in the order of their code: each falls through to the next, and half of them also branch, mostly forward.
Blocks random_code_graph(std::mt19937& random, std::uint32_t blocks) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i + 1 < blocks; ++i) {
    edges.emplace_back(i, i + 1);
    const std::uint32_t ahead = i + 1 + random() % (blocks - i - 1);
    const std::uint32_t target = random() % 3 == 0 ? random() % blocks : ahead;
    if (target != i + 1 && random() % 2 == 0) edges.emplace_back(i, target);
  }
  return graph(blocks, edges);
}

struct Totals {
  std::size_t branches = 0;
  std::size_t unsynchronised = 0;
  std::size_t meetings = 0;
};

/// Runs warps on the graph with barriers for some of its branches, and requires that Warp::run succeeds.
void check_warps(const Blocks& blocks, std::mt19937& random, Totals& totals) {
  std::vector<bool> divergent = all_branches(blocks);
  for (std::size_t i = 0; i < divergent.size(); ++i) divergent[i] = divergent[i] && random() % 5 != 0;
  const ConvergenceBarriers barriers = place_convergence_barriers(blocks, divergent, 1 + random() % 8);
  for (unsigned run = 0; run < 10; ++run) {
    Warp warp(blocks, divergent, barriers, random);
    const bool sound = warp.run(400);
    if (!sound) {
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        UNSCOPED_INFO(i << " -> " << Catch::Detail::stringify(blocks[i].successors)
                        << (divergent[i] ? " divergent" : ""));
      }
      for (const std::string& line : shown(barriers)) UNSCOPED_INFO(line);
    }
    REQUIRE(sound);
    totals.meetings += warp.meetings();
  }
  totals.branches += static_cast<std::size_t>(std::count(divergent.begin(), divergent.end(), true));
  totals.unsynchronised += barriers.unsynchronised.size();
}

}  // namespace

TEST_CASE("lanes join a barrier at the branch of an if and wait for it after the if") {
  const ConvergenceBarriers barriers = place(with_postdominators(graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "3 wait B0"});
  CHECK(barriers.regions[0].branches == std::vector<std::uint32_t>{0});
  CHECK(barriers.unsynchronised.empty());
}

TEST_CASE("a uniform branch needs no barrier") {
  const Blocks blocks = with_postdominators(graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  CHECK(place_convergence_barriers(blocks, std::vector<bool>(4, false)).actions.empty());
}

TEST_CASE("nested regions use separate registers, and successive regions share one") {
  // if (0) { if (1) 2; 3: if (3) 4; 5 } 6
  const ConvergenceBarriers barriers =
      place(with_postdominators(graph(7, {{0, 1}, {0, 6}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 5}, {5, 6}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "1 join B1", "3 wait B1", "3 join B1", "5 wait B1", "6 wait B0"});
}

TEST_CASE("regions on two paths of a divergent branch use separate registers") {
  // if (0) { if (1) 2; 3 } else { if (4) 5; 6 } 7
  const ConvergenceBarriers barriers = place(
      with_postdominators(graph(8, {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 3}, {3, 7}, {4, 5}, {4, 6}, {5, 6}, {6, 7}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "1 join B1", "3 wait B1", "4 join B2", "6 wait B2", "7 wait B0"});
}

TEST_CASE("regions of two functions use separate registers") {
  // if (0) 1; 2 and, without an edge to it, if (3) 4; 5
  const ConvergenceBarriers barriers =
      place(with_postdominators(graph(6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "2 wait B0", "3 join B1", "5 wait B1"});
}

TEST_CASE("ifs that end at the same block share one barrier") {
  const ConvergenceBarriers barriers = place(with_postdominators(graph(4, {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "3 wait B0"});
  CHECK(barriers.regions[0].branches == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("lanes that leave a loop in different iterations join the barrier before the loop") {
  // 0; do { 1: if break 3; 2 } while; 3
  const ConvergenceBarriers barriers = place(with_postdominators(graph(4, {{0, 1}, {1, 3}, {1, 2}, {2, 1}, {2, 3}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "3 wait B0"});
  CHECK(barriers.regions[0].branches == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("lanes that do not enter a loop leave its barrier") {
  // if (0) { do 1 while; 2 } else 3; 4: no separate block precedes the loop.
  const ConvergenceBarriers barriers =
      place(with_postdominators(graph(5, {{0, 1}, {0, 3}, {1, 1}, {1, 2}, {2, 4}, {3, 4}})));
  CHECK(shown(barriers) == Lines{"0 join B0", "0 join B1", "2 wait B1", "3 leave B1", "4 wait B0"});
}

TEST_CASE("regions that cannot be synchronised are reported") {
  const ConvergenceBarriers at_exit = place(with_postdominators(graph(3, {{0, 1}, {0, 2}})));
  REQUIRE(at_exit.unsynchronised.size() == 1);
  CHECK(at_exit.unsynchronised[0].reason == UnsynchronisedBranch::Reason::exit);
  const ConvergenceBarriers at_entry = place(with_postdominators(graph(2, {{0, 0}, {0, 1}})));
  REQUIRE(at_entry.unsynchronised.size() == 1);
  CHECK(at_entry.unsynchronised[0].reason == UnsynchronisedBranch::Reason::entry);
}

TEST_CASE("a region without a free register spills the barrier of the enclosing region") {
  // if (0) { if (1) 2; 3 } 4
  const ConvergenceBarriers barriers =
      place(with_postdominators(graph(5, {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 3}, {3, 4}})), 1);
  CHECK(shown(barriers) == Lines{"0 join B0", "1 spill B0", "1 join B0", "3 wait B0", "3 fill B0", "4 wait B0"});
  CHECK(barriers.unsynchronised.empty());
}

TEST_CASE("a region spills the barrier of the enclosing region that is needed last") {
  // if (0) { if (1) { if (2) { if (3) 4; 5 } 6 } 7 } 8
  const Blocks blocks = with_postdominators(
      graph(9, {{0, 1}, {0, 8}, {1, 2}, {1, 7}, {2, 3}, {2, 6}, {3, 4}, {3, 5}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}));
  CHECK(shown(place(blocks, 2)) == Lines{"0 join B0", "1 join B1", "2 spill B0", "2 join B0", "3 spill B1", "3 join B1",
                                         "5 wait B1", "5 fill B1", "6 wait B0", "6 fill B0", "7 wait B1", "8 wait B0"});
  CHECK(shown(place(blocks, 3)) == Lines{"0 join B0", "1 join B1", "2 join B2", "3 spill B0", "3 join B0", "5 wait B0",
                                         "5 fill B0", "6 wait B2", "7 wait B1", "8 wait B0"});
}

TEST_CASE("lanes that leave a region fill the spilled barrier") {
  // if (0) { do 1 while; 2 } else 3; 4: no separate block precedes the loop.
  const ConvergenceBarriers barriers =
      place(with_postdominators(graph(5, {{0, 1}, {0, 3}, {1, 1}, {1, 2}, {2, 4}, {3, 4}})), 1);
  CHECK(shown(barriers) == Lines{"0 join B0", "0 spill B0", "0 join B0", "2 wait B0", "2 fill B0", "3 leave B0",
                                 "3 fill B0", "4 wait B0"});
}

TEST_CASE("a program gets barriers for its divergent branches only") {
  const Program program = kernel::tests::load(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r2, 0;\n"
      "@%p2 bra L;\nmov.u32 %r3, 1;\nL: @%p1 bra M;\nmov.u32 %r3, 2;\nM: ret;");
  CHECK(shown(place_convergence_barriers(program, analyse_divergence(program))) == Lines{"6 join B0", "8 wait B0"});
}

TEST_CASE("random warps never deadlock, and diverged lanes reconverge") {
  std::mt19937 random(20241003);
  Totals totals;
  const unsigned rounds = reconverge::tests::short_form() ? 400 : 2000;
  for (unsigned round = 0; round < rounds; ++round) {
    check_warps(with_postdominators(random_graph(random, 2 + random() % 14)), random, totals);
    check_warps(with_postdominators(random_code_graph(random, 2 + random() % 14)), random, totals);
  }
  INFO(totals.branches << " branches, " << totals.unsynchronised << " not synchronised, " << totals.meetings
                       << " meetings");
  CHECK(totals.meetings > 15 * rounds);
  CHECK(totals.unsynchronised < totals.branches / 2);
}

namespace {

/// A graph of `ifs` ifs, consecutive or nested.
Blocks many_ifs(std::uint32_t ifs, bool nested) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  const std::uint32_t end = nested ? 2 * ifs : 3 * ifs;
  for (std::uint32_t i = 0; i < end; ++i) edges.emplace_back(i, i + 1);
  for (std::uint32_t i = 0; i < ifs; ++i) edges.emplace_back(nested ? i : 3 * i, nested ? end - i : 3 * i + 2);
  return with_postdominators(graph(end + 1, edges));
}

}  // namespace

TEST_CASE("placing the barriers of 20000 consecutive ifs takes linear time") {
  // A quadratic algorithm would visit 2 * 10^8 pairs of ifs, each with sets of 60000 blocks.
  constexpr std::uint32_t ifs = 20'000;
  const ConvergenceBarriers barriers = place(many_ifs(ifs, false));
  REQUIRE(barriers.regions.size() == ifs);
  CHECK(barriers.unsynchronised.empty());
  CHECK(barriers.actions.size() == 2 * ifs);
  CHECK(std::all_of(barriers.regions.begin(), barriers.regions.end(),
                    [](const ConvergenceRegion& region) { return region.barrier == 0; }));
}

TEST_CASE("placing barriers takes a limited number of steps") {
  const Blocks blocks = many_ifs(200, true);
  const DominatorTree dominators(blocks);
  PlacementWork enough({"k.ptx", 7, 0});
  CHECK(find_regions(blocks, all_branches(blocks), dominators, enough).regions.size() == 200);
  PlacementWork little({"k.ptx", 7, 0}, 10'000);
  CHECK_THROWS_WITH(find_regions(blocks, all_branches(blocks), dominators, little),
                    "k.ptx:7: the divergent branches are nested so deep that placing convergence barriers takes more "
                    "than 10000 steps; nest less, or split the kernel");
}
