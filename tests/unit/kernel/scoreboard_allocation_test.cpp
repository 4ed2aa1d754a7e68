// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/scoreboard_allocation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"
#include "tests/unit/kernel/random_code.hpp"

using namespace reconverge;
using namespace reconverge::kernel;

namespace {

using Code = std::vector<Accesses>;

bool touches(const Accesses& at, ValueId row) {
  return std::find(at.uses.begin(), at.uses.end(), row) != at.uses.end() ||
         std::find(at.definitions.begin(), at.definitions.end(), row) != at.definitions.end();
}

bool is_hazard(const Accesses& at, const Accesses& producer) {
  return std::any_of(producer.definitions.begin(), producer.definitions.end(),
                     [&](ValueId row) { return touches(at, row); });
}

/// Whether the instruction at `consumer` may be, by definition, the first to use a result of the instruction at
/// `producer`.
bool is_first_consumer(const std::vector<BasicBlock>& blocks, const Code& code, Pc producer, Pc consumer) {
  std::vector<bool> seen(code.size(), false);
  std::vector<Pc> pending;
  const auto go_on = [&](Pc pc) {
    const BasicBlock& block = blocks[block_of(blocks, pc)];
    if (pc + 1 < block.end) {
      pending.push_back(pc + 1);
    } else {
      for (const std::uint32_t successor : block.successors) pending.push_back(blocks[successor].first);
    }
  };
  go_on(producer);
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    if (seen[pc]) continue;
    seen[pc] = true;
    if (is_hazard(code[pc], code[producer])) {
      if (pc == consumer) return true;
    } else {
      go_on(pc);
    }
  }
  return false;
}

/// Follows a thread on a random path. Returns false if an instruction accesses a row that an operation in flight has
/// yet to write. Only a wait for a scoreboard completes operations: all that report to this scoreboard.
bool walk_is_safe(const std::vector<BasicBlock>& blocks, const Code& code, const std::vector<ScoreboardUse>& uses,
                  std::mt19937& random) {
  std::vector<Pc> under_way;
  std::uint32_t block = 0;
  for (unsigned steps = 0; steps < 60; ++steps) {
    for (Pc pc = blocks[block].first; pc < blocks[block].end; ++pc) {
      std::erase_if(under_way,
                    [&](Pc producer) { return (uses[pc].waits_for >> *uses[producer].reports_to & 1U) != 0; });
      for (const Pc producer : under_way) {
        if (is_hazard(code[pc], code[producer])) return false;
      }
      if (uses[pc].reports_to) under_way.push_back(pc);
    }
    const auto& successors = blocks[block].successors;
    if (successors.empty()) return true;
    block = successors[random() % successors.size()];
  }
  return true;
}

}  // namespace

TEST_CASE("a load reports to a scoreboard, and its first consumer waits for it") {
  const Program program = tests::load(
      "ld.param.u64 %rd1, [pa];\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+4];\nmov.u32 %r3, 5;\n"
      "add.u32 %r3, %r3, %r2;\nadd.u32 %r3, %r3, %r1;\nadd.u32 %r3, %r3, %r2;\nst.global.u32 [%rd1], %r3;\nret;");
  const std::vector<ScoreboardUse> uses = allocate_scoreboards(program);
  CHECK_FALSE(uses[0].reports_to);  // parameters have a known latency
  CHECK(uses[1].reports_to == 0);
  CHECK(uses[2].reports_to == 1);
  CHECK(uses[3].waits_for == 0);
  CHECK(uses[4].waits_for == 0b10);
  CHECK(uses[5].waits_for == 0b01);
  CHECK(uses[6].waits_for == 0);
  CHECK(uses[7].waits_for == 0);
  // With one scoreboard the two loads share it.
  const std::vector<ScoreboardUse> one = allocate_scoreboards(program, 1);
  CHECK(one[2].reports_to == 0);
  CHECK(one[4].waits_for == 1);
}

TEST_CASE("a scoreboard is free after the wait, and a write waits for a pending result that nothing reads") {
  const Program program = tests::load(
      "ld.param.u64 %rd1, [pa];\nld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 1;\nld.global.u32 %r3, [%rd1+8];\n"
      "add.u32 %r2, %r2, %r3;\natom.global.add.u32 %r4, [%rd1], %r2;\nmov.u32 %r4, 7;\nst.global.u32 [%rd1], %r4;\n"
      "st.global.u32 [%rd1+4], %r2;\nred.global.add.u32 [%rd1], 1;\nret;");
  const std::vector<ScoreboardUse> uses = allocate_scoreboards(program);
  CHECK(uses[1].reports_to == 0);
  CHECK(uses[3].reports_to == 0);
  CHECK(uses[5].reports_to == 0);
  CHECK(uses[6].waits_for == 1);
  CHECK_FALSE(uses[9].reports_to);
}

TEST_CASE("a load in a loop waits for its previous iteration") {
  const Program program = tests::load(
      "ld.param.u64 %rd1, [pa];\nL: ld.global.u32 %r1, [%rd1];\nadd.u64 %rd1, %rd1, 4;\nsetp.ne.u64 %p1, %rd1, 0;\n"
      "@%p1 bra L;\nst.global.u32 [%rd1], %r1;\nret;");
  const std::vector<ScoreboardUse> uses = allocate_scoreboards(program);
  CHECK(uses[1].waits_for == 1);
  CHECK(uses[5].waits_for == 1);
}

TEST_CASE("scoreboard allocation: random programs wait only for their results") {
  std::mt19937 random(20240930);
  unsigned waits = 0;
  unsigned shared = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const auto blocks = tests::random_graph(random, 1 + random() % 8, 3);
    const Code code = tests::random_accesses(random, blocks.size() * 3, 2 + random() % 8);
    std::vector<bool> long_operation;
    for (std::size_t pc = 0; pc < code.size(); ++pc) long_operation.push_back(random() % 2 == 0);
    const unsigned scoreboards = 1 + random() % 4;
    const auto uses = allocate_scoreboards(blocks, code, long_operation, scoreboards);
    for (Pc pc = 0; pc < code.size(); ++pc) {
      REQUIRE(uses[pc].reports_to.has_value() == (long_operation[pc] && !code[pc].definitions.empty()));
      std::uint32_t wanted = 0;
      for (Pc producer = 0; producer < code.size(); ++producer) {
        if (!uses[producer].reports_to) continue;
        REQUIRE(*uses[producer].reports_to < scoreboards);
        if (is_first_consumer(blocks, code, producer, pc)) wanted |= 1U << *uses[producer].reports_to;
        const bool same = producer < pc && uses[pc].reports_to == uses[producer].reports_to;
        if (same) ++shared;
      }
      REQUIRE(uses[pc].waits_for == wanted);
      waits += wanted != 0 ? 1 : 0;
    }
    for (unsigned walk = 0; walk < 20; ++walk) REQUIRE(walk_is_safe(blocks, code, uses, random));
    // The allocation is deterministic.
    const auto again = allocate_scoreboards(blocks, code, long_operation, scoreboards);
    REQUIRE(std::equal(uses.begin(), uses.end(), again.begin(), [](const ScoreboardUse& a, const ScoreboardUse& b) {
      return a.reports_to == b.reports_to && a.waits_for == b.waits_for;
    }));
  }
  CHECK(waits > 500);
  CHECK(shared > 500);
}
