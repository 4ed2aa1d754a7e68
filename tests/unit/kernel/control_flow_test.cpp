// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/control_flow.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "models/kernel/analysis/postdominators.hpp"
#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::graph;
using tests::load;
using tests::random_graph;

namespace {

constexpr std::uint32_t exit_block = BasicBlock::no_block;

std::vector<std::uint32_t> postdominators(const Program& program) {
  std::vector<std::uint32_t> result;
  for (const BasicBlock& block : program.blocks) result.push_back(block.immediate_postdominator);
  return result;
}

/// Whether a thread at `from` can exit without passing through `avoided`.
bool can_leave(const std::vector<BasicBlock>& blocks, std::uint32_t from, std::uint32_t avoided) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::uint32_t> pending;
  const auto visit = [&](std::uint32_t block) {
    if (block == avoided || seen[block]) return;
    seen[block] = true;
    pending.push_back(block);
  };
  visit(from);
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    if (blocks[block].successors.empty()) return true;
    for (const std::uint32_t successor : blocks[block].successors) visit(successor);
  }
  return false;
}

/// The immediate post-dominator of `a` by definition: b post-dominates a if no path from a exits without passing b, and
/// the immediate post-dominator is the first such block.
std::uint32_t immediate_by_force(const std::vector<BasicBlock>& blocks, std::uint32_t a) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (b != a && !can_leave(blocks, a, b)) all.push_back(b);
  }
  for (const std::uint32_t candidate : all) {
    const bool nearest = std::all_of(all.begin(), all.end(), [&](std::uint32_t other) {
      return other == candidate || !can_leave(blocks, candidate, other);
    });
    if (nearest) return candidate;
  }
  return exit_block;
}

}  // namespace

TEST_CASE("an if with an else reconverges after both") {
  const Program program = load(
      "setp.lt.s32 %p1, %r1, 0;\n@%p1 bra ELSE;\nmov.u32 %r2, 1;\nbra.uni END;\nELSE: mov.u32 %r2, 2;\nEND: mov.u32 "
      "%r3, "
      "%r2;\nret;");
  REQUIRE(program.blocks.size() == 4);
  CHECK(program.blocks[0].successors == std::vector<std::uint32_t>{2, 1});
  CHECK(program.blocks[1].successors == std::vector<std::uint32_t>{3});
  CHECK(program.blocks[2].successors == std::vector<std::uint32_t>{3});
  CHECK(program.blocks[3].successors.empty());
  CHECK(program.blocks[3].predecessors == std::vector<std::uint32_t>{1, 2});
  CHECK(program.blocks[2].label == "ELSE");
  CHECK(program.blocks[1].label.empty());
  CHECK(postdominators(program) == std::vector<std::uint32_t>{3, 3, 3, exit_block});
  CHECK(program.instructions[1].reconvergence == 5);
  CHECK(program.blocks[3].first == 5);
}

TEST_CASE("nested loops with a break and a continue reconverge at the right points") {
  // Blocks: 0 entry; 1 outer header; 2 inner header; 3 break test; 4 continue test; 5 inner body; 6 inner latch; 7
  // outer latch; 8 end.
  const Program program = load(
      "mov.u32 %r1, 0;\n"
      "OUTER: mov.u32 %r2, 0;\n"
      "INNER: @%p1 bra LATCH;\n"
      "@%p2 bra NEXT;\n"
      "add.s32 %r3, %r3, 1;\n"
      "NEXT: add.s32 %r2, %r2, 1;\n@%p3 bra INNER;\n"
      "LATCH: add.s32 %r1, %r1, 1;\n@%p4 bra OUTER;\n"
      "ret;");
  CHECK(program.blocks.size() == 8);
  CHECK(postdominators(program) == std::vector<std::uint32_t>{1, 2, 6, 5, 5, 6, 7, exit_block});
  CHECK(program.instructions[2].reconvergence == 7);  // the break: after the inner loop
  CHECK(program.instructions[3].reconvergence == 5);  // the continue: at the latch
  CHECK(program.instructions[6].reconvergence == 7);  // the inner loop's own branch
  CHECK(program.instructions[8].reconvergence == 9);
}

TEST_CASE("lanes that exit on different paths reconverge only at exit") {
  const Program two_exits = load("@%p1 bra A;\nmov.u32 %r1, 0;\nexit;\nA: exit;");
  CHECK(two_exits.instructions[0].reconvergence == no_pc);
  const Program table = load("T: .branchtargets A, B, C;\nbrx.idx %r1, T;\nA: bra C;\nB: bra C;\nC: ret;");
  CHECK(table.blocks[0].successors == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(table.instructions[0].reconvergence == 3);
}

TEST_CASE("a guarded exit removes lanes and does not end a basic block") {
  const Program program = load("@%p1 bra B;\n@%p2 exit;\nmov.u32 %r1, 0;\nB: ret;");
  CHECK(program.blocks.size() == 3);
  CHECK(program.instructions[0].reconvergence == 3);
}

TEST_CASE("a branch to the next instruction has one successor") {
  const Program program = load("@%p1 bra A;\nA: ret;");
  CHECK(program.blocks[0].successors == std::vector<std::uint32_t>{1});
  CHECK(program.instructions[0].reconvergence == 1);
}

TEST_CASE("branches in an endless loop reconverge in it or at its next iteration") {
  const Program program = load("L: @%p1 bra A;\nmov.u32 %r1, 0;\nbra M;\nA: mov.u32 %r1, 1;\nM: bra L;");
  CHECK(postdominators(program) == std::vector<std::uint32_t>{3, 3, 3, 0});
  CHECK(program.instructions[0].reconvergence == 4);
  // The loop has two back edges, and no earlier block is on both paths.
  const Program two = load("L: mov.u32 %r1, 0;\n@%p1 bra A;\nmov.u32 %r1, 1;\nbra L;\nA: bra L;");
  CHECK(postdominators(two) == std::vector<std::uint32_t>{0, 0, 0});
  CHECK(two.instructions[1].reconvergence == 0);
  const Program preceded = load("mov.u32 %r1, 0;\nL: @%p1 bra A;\nmov.u32 %r1, 1;\nA: @%p2 bra L;\nbra L;");
  CHECK(preceded.instructions[1].reconvergence == 3);
  CHECK(preceded.instructions[3].reconvergence == 1);
  // One path loops forever, and the other returns: no block is on both.
  const Program either = load("@%p1 bra L;\nret;\nL: bra L;");
  CHECK(either.instructions[0].reconvergence == no_pc);
}

TEST_CASE("post-dominators match the definition on random graphs") {
  std::mt19937 random(7);
  unsigned inner = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    // Large graphs have nested irreducible loops.
    std::vector<BasicBlock> blocks = random_graph(random, 1 + random() % (round % 4 == 0 ? 40 : 12));
    // The definition requires a path to an exit from each block, so endless blocks get an edge to a block that exits.
    const auto end = static_cast<std::uint32_t>(blocks.size() - 1);
    for (const std::uint32_t successor : blocks[end].successors) std::erase(blocks[successor].predecessors, end);
    blocks[end].successors.clear();
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      if (can_leave(blocks, block, exit_block)) continue;
      blocks[block].successors.push_back(end);
      blocks[end].predecessors.push_back(block);
    }
    const std::vector<std::uint32_t> found = immediate_postdominators(blocks);
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      const std::uint32_t expected = immediate_by_force(blocks, block);
      CHECK(found[block] == expected);
      inner += expected != exit_block ? 1 : 0;
    }
  }
  CHECK(inner > 1000);
}

TEST_CASE("graphs with endless loops still get post-dominators that every exiting path passes") {
  std::mt19937 random(8);
  unsigned stuck = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    const std::vector<BasicBlock> blocks = random_graph(random, 1 + random() % 12);
    const std::vector<std::uint32_t> found = immediate_postdominators(blocks);
    REQUIRE(found.size() == blocks.size());
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      const bool leaves = can_leave(blocks, block, exit_block);
      stuck += leaves ? 0 : 1;
      if (found[block] != exit_block) CHECK_FALSE(can_leave(blocks, block, found[block]));
      // The tree has no cycle except through the headers of endless loops.
      std::uint32_t at = block;
      for (std::size_t steps = 0; at != exit_block && steps <= blocks.size(); ++steps) at = found[at];
      if (at != exit_block) CHECK_FALSE(can_leave(blocks, at, exit_block));
    }
  }
  CHECK(stuck > 1000);
}

TEST_CASE("reverse post-order: each block once, before its successors except on back edges") {
  CHECK(reverse_post_order(graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})) == std::vector<std::uint32_t>{0, 2, 1, 3});
  CHECK(reverse_post_order(graph(4, {{0, 3}, {3, 1}, {1, 3}})) == std::vector<std::uint32_t>{0, 3, 1, 2});
  std::mt19937 random(9);
  for (unsigned round = 0; round < 200; ++round) {
    const auto blocks = random_graph(random, 1 + random() % 20);
    auto order = reverse_post_order(blocks);
    CHECK(order.front() == 0);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(blocks.size());
    std::iota(all.begin(), all.end(), 0U);
    CHECK(order == all);
  }
}

TEST_CASE("post-dominators of a chain of 100000 blocks are found") {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  constexpr std::uint32_t length = 100000;
  for (std::uint32_t i = 0; i + 1 < length; ++i) {
    edges.emplace_back(i, i + 1);
    if (i % 3 == 0 && i + 2 < length) edges.emplace_back(i, i + 2);
  }
  const auto found = immediate_postdominators(graph(length, edges));
  CHECK(found[0] == 2);
  CHECK(found[1] == 2);
  CHECK(found[length - 2] == length - 1);
  CHECK(found[length - 1] == exit_block);
}
