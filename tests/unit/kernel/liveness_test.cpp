// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/liveness.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"
#include "tests/unit/kernel/random_code.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::graph;
using tests::random_accesses;
using tests::random_graph;

namespace {

Accesses access(std::initializer_list<ValueId> definitions, std::initializer_list<ValueId> uses,
                bool conditional = false) {
  Accesses result;
  result.definitions.assign(definitions.begin(), definitions.end());
  result.uses.assign(uses.begin(), uses.end());
  result.conditional = conditional;
  return result;
}

std::string shown(const ValueSet& set) {
  std::string text;
  for (auto value = set.find_first(); value != ValueSet::npos; value = set.find_next(value)) {
    text += std::to_string(value) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("liveness of a loop matches a calculation by hand") {
  // Block 0 defines i and n. Block 1 is the loop: s = s + i; i = i + 1; p = i < n. Block 2 uses s.
  const ValueId i = 0;
  const ValueId n = 1;
  const ValueId s = 2;
  const ValueId p = 3;
  auto blocks = graph(3, {{0, 1}, {1, 1}, {1, 2}}, 3);
  const std::vector<Accesses> code = {access({i}, {}),     access({n}, {}),  access({s}, {}),
                                      access({s}, {s, i}), access({i}, {i}), access({p}, {i, n}),
                                      access({}, {p}),     access({}, {s}),  access({}, {})};
  const Liveness liveness = compute_liveness(blocks, code, 4);
  CHECK(shown(liveness.live_in[0]).empty());
  CHECK(shown(liveness.live_out[0]) == "0 1 2 ");
  CHECK(shown(liveness.live_in[1]) == "0 1 2 ");
  CHECK(shown(liveness.live_out[1]) == "0 1 2 3 ");
  CHECK(shown(liveness.live_in[2]) == "2 3 ");
  CHECK(shown(liveness.live_out[2]).empty());
}

TEST_CASE("a guarded write keeps the old value alive") {
  const auto blocks = graph(1, {}, 3);
  const std::vector<Accesses> guarded = {access({0}, {}), access({0}, {1}, true), access({}, {0})};
  CHECK(shown(compute_liveness(blocks, guarded, 2).live_in[0]) == "1 ");
  ValueSet live(2);
  live.set(0);
  step_back(guarded[1], live);
  CHECK(shown(live) == "0 1 ");
  const std::vector<Accesses> always = {access({}, {}), access({0}, {1}), access({}, {0})};
  CHECK(shown(compute_liveness(blocks, always, 2).live_in[0]) == "1 ");
}

TEST_CASE("in random programs a value is live exactly where some path reads it before a write") {
  std::mt19937 random(11);
  unsigned live_points = 0;
  for (unsigned round = 0; round < 150; ++round) {
    const Pc length = 1 + random() % 4;
    const auto blocks = random_graph(random, 1 + random() % 10, length);
    const std::size_t values = 1 + random() % 6;
    const auto code = random_accesses(random, blocks.size() * length, values);
    const Liveness liveness = compute_liveness(blocks, code, values);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      ValueSet live = liveness.live_out[block];
      for (Pc pc = blocks[block].end; pc-- > blocks[block].first;) {
        step_back(code[pc], live);
        for (ValueId value = 0; value < values; ++value) {
          const bool expected = tests::is_read_from(blocks, code, pc, value);
          CHECK(live.test(value) == expected);
          live_points += expected ? 1 : 0;
        }
      }
      CHECK(live == liveness.live_in[block]);
    }
  }
  CHECK(live_points > 1000);
}

TEST_CASE("liveness of rows agrees with liveness of values") {
  const Program program = tests::load(
      "ld.param.u64 %rd1, [pa];\nld.param.u32 %r1, [pb];\nmov.u32 %r2, 0;\n"
      "L: add.s32 %r2, %r2, %r1;\nsetp.lt.s32 %p1, %r2, 100;\n@%p1 bra L;\nst.global.u32 [%rd1], %r2;\nret;");
  const auto code = accesses_of(program);
  const std::size_t rows = program.register_rows + program.predicates;
  const Liveness liveness = compute_liveness(program.blocks, code, rows);
  REQUIRE(program.blocks.size() == 3);
  CHECK(liveness.live_in[0].none());
  CHECK(liveness.live_in[1].count() == 4);  // the pair of %rd1, %r1, %r2
  CHECK(liveness.live_in[2].count() == 3);
  CHECK(liveness.live_in[2].test(program.instructions[6].source[0].row()));
  CHECK(liveness.live_in[2].test(program.instructions[6].source[0].row() + 1));
}
