// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/loops.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "models/kernel/analysis/control_flow.hpp"
#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::graph;
using tests::random_graph;

namespace {

using Blocks = std::vector<BasicBlock>;
using Set = std::set<std::uint32_t>;

/// Blocks reachable from `starts` without passing through `avoided`.
Set reachable(const Blocks& blocks, const std::vector<std::uint32_t>& starts, std::uint32_t avoided) {
  Set seen;
  std::vector<std::uint32_t> pending;
  const auto visit = [&](std::uint32_t block) {
    if (block != avoided && seen.insert(block).second) pending.push_back(block);
  };
  for (const std::uint32_t start : starts) visit(start);
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    for (const std::uint32_t successor : blocks[block].successors) visit(successor);
  }
  return seen;
}

/// Whether `a` dominates `b` by definition: every path from an entry to `b` passes `a`.
bool dominates(const Blocks& blocks, std::uint32_t a, std::uint32_t b) {
  return a == b || !reachable(blocks, entry_blocks(blocks), a).contains(b);
}

/// The loop of `header` by definition: the blocks that it dominates and from which a path leads back to it.
Set loop_by_force(const Blocks& blocks, std::uint32_t header) {
  Set body;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (std::uint32_t latch = 0; latch < blocks.size(); ++latch) {
      const auto& successors = blocks[latch].successors;
      const bool back = std::find(successors.begin(), successors.end(), header) != successors.end() &&
                        dominates(blocks, header, latch);
      if (!back) continue;
      if (block == header || reachable(blocks, {block}, header).contains(latch)) body.insert(block);
    }
  }
  return body;
}

}  // namespace

TEST_CASE("a loop in a loop has depth two, and its exits are found") {
  // 0 -> 1 (outer header) -> 2 (inner header) -> 3 -> 2, 3 -> 4 -> 1, 4 -> 5
  const Blocks blocks = graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {4, 5}});
  const LoopForest forest = find_loops(blocks);
  REQUIRE(forest.loops.size() == 2);
  const Loop& outer = forest.loops[0];
  CHECK(outer.header == 1);
  CHECK(outer.latches == std::vector<std::uint32_t>{4});
  CHECK(forest.blocks_of(0) == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(forest.exits_of(blocks, 0) == std::vector<std::uint32_t>{5});
  CHECK(outer.parent == Loop::none);
  const Loop& inner = forest.loops[1];
  CHECK(forest.blocks_of(1) == std::vector<std::uint32_t>{2, 3});
  CHECK(forest.exits_of(blocks, 1) == std::vector<std::uint32_t>{4});
  CHECK(inner.parent == 0);
  CHECK(inner.depth == 2);
  CHECK(forest.depth_of(0) == 0);
  CHECK(forest.depth_of(4) == 1);
  CHECK(forest.depth_of(3) == 2);
  CHECK(forest.irreducible.empty());
}

TEST_CASE("a cycle with two entries is an irreducible region, not a loop") {
  const LoopForest forest = find_loops(graph(4, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}}));
  CHECK(forest.loops.empty());
  REQUIRE(forest.irreducible.size() == 1);
  CHECK(forest.irreducible[0].blocks == std::vector<std::uint32_t>{1, 2});
  CHECK(forest.irreducible[0].entries == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("loops of a kernel are found in its PTX") {
  const Program program = tests::load(
      "L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\nM: setp.gt.u32 %p2, %r1, 3;\n@%p2 bra END;\n"
      "sub.u32 %r1, %r1, 2;\nbra M;\nEND: ret;");
  const LoopForest forest = find_loops(program.blocks);
  REQUIRE(forest.loops.size() == 2);
  CHECK(program.blocks[forest.loops[0].header].label == "M");
  CHECK(program.blocks[forest.loops[1].header].label == "L");
  CHECK(forest.loops[1].latches == std::vector<std::uint32_t>{forest.loops[1].header});
}

TEST_CASE("dominators and loops of random graphs match the definition") {
  std::mt19937 random(20240901);
  unsigned loops = 0;
  unsigned irreducible = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const Blocks blocks = random_graph(random, 2 + random() % 9);
    const std::vector<std::uint32_t> parents = immediate_dominators(blocks);
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      // The immediate dominator is the strict dominator that all the others dominate.
      Set strict;
      for (std::uint32_t a = 0; a < blocks.size(); ++a) {
        if (a != b && dominates(blocks, a, b)) strict.insert(a);
      }
      REQUIRE(strict.empty() == (parents[b] == BasicBlock::no_block));
      for (const std::uint32_t a : strict) REQUIRE(dominates(blocks, a, parents[b]));
    }

    const LoopForest forest = find_loops(blocks);
    std::vector<std::uint32_t> found(blocks.size(), Loop::none);
    for (std::uint32_t i = 0; i < forest.loops.size(); ++i) found[forest.loops[i].header] = i;
    for (std::uint32_t header = 0; header < blocks.size(); ++header) {
      const Set body = loop_by_force(blocks, header);
      REQUIRE(body.empty() == (found[header] == Loop::none));
      if (body.empty()) continue;
      ++loops;
      const Loop& loop = forest.loops[found[header]];
      REQUIRE(forest.blocks_of(found[header]) == std::vector<std::uint32_t>(body.begin(), body.end()));
      Set exits;
      for (std::uint32_t block = 0; block < blocks.size(); ++block) {
        REQUIRE(forest.contains(found[header], block) == body.contains(block));
        for (const std::uint32_t successor : blocks[block].successors) {
          if (body.contains(block) && !body.contains(successor)) exits.insert(successor);
        }
      }
      REQUIRE(forest.exits_of(blocks, found[header]) == std::vector<std::uint32_t>(exits.begin(), exits.end()));
      unsigned depth = 1;
      for (std::uint32_t other = 0; other < forest.loops.size(); ++other) {
        const std::vector<std::uint32_t> around = forest.blocks_of(other);
        if (other != found[header] && std::includes(around.begin(), around.end(), body.begin(), body.end())) ++depth;
      }
      REQUIRE(loop.depth == depth);
    }
    for (const IrreducibleRegion& region : forest.irreducible) {
      ++irreducible;
      REQUIRE(region.entries.size() >= 2);
      for (const std::uint32_t block : region.blocks) {
        for (const std::uint32_t other : region.blocks) {
          REQUIRE(reachable(blocks, {block}, BasicBlock::no_block).contains(other));
        }
      }
    }
  }
  CHECK(loops > 200);
  CHECK(irreducible > 20);
}

TEST_CASE("a graph without irreducible regions is acyclic without its back edges") {
  std::mt19937 random(20240902);
  for (unsigned round = 0; round < 300; ++round) {
    const Blocks blocks = random_graph(random, 2 + random() % 9);
    const LoopForest forest = find_loops(blocks);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> forward;
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      for (const std::uint32_t successor : blocks[block].successors) {
        if (!dominates(blocks, successor, block)) forward.emplace_back(block, successor);
      }
    }
    const Blocks rest = graph(static_cast<std::uint32_t>(blocks.size()), forward);
    for (std::uint32_t block = 0; block < rest.size(); ++block) {
      const bool on_cycle = reachable(rest, rest[block].successors, BasicBlock::no_block).contains(block);
      const bool reported = std::any_of(forest.irreducible.begin(), forest.irreducible.end(), [&](const auto& region) {
        return std::find(region.blocks.begin(), region.blocks.end(), block) != region.blocks.end();
      });
      REQUIRE(on_cycle == reported);
    }
  }
}

TEST_CASE("finding loops nested 50000 deep takes linear time") {
  // A list of blocks for each loop would have 3.75 * 10^9 entries in total.
  constexpr std::uint32_t depth = 50'000;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i + 1 < 2 * depth + 1; ++i) edges.emplace_back(i, i + 1);
  for (std::uint32_t i = 0; i < depth; ++i) edges.emplace_back(2 * depth - 1 - i, i);
  const Blocks blocks = graph(2 * depth + 1, edges);
  const LoopForest forest = find_loops(blocks);
  REQUIRE(forest.loops.size() == depth);
  for (const std::uint32_t loop : {0U, 1U, depth / 2, depth - 1}) {
    CHECK(forest.loops[loop].header == loop);
    CHECK(forest.loops[loop].depth == loop + 1);
    CHECK(forest.loops[loop].parent == (loop == 0 ? Loop::none : loop - 1));
    CHECK(forest.contains(loop, 2 * depth - 1 - loop));
    CHECK_FALSE(forest.contains(loop, 2 * depth - loop));
  }
  CHECK(forest.blocks_of(depth - 1) == std::vector<std::uint32_t>{depth - 1, depth});
  CHECK(forest.exits_of(blocks, depth - 1) == std::vector<std::uint32_t>{depth + 1});
}
