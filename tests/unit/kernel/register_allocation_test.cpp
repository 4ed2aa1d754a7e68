// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/register_allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/decode/decode.hpp"
#include "models/kernel/syntax/parser.hpp"
#include "tests/unit/kernel/graphs.hpp"
#include "tests/unit/kernel/ptx.hpp"
#include "tests/unit/kernel/random_code.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;
using tests::random_accesses;
using tests::random_graph;

namespace {

std::uint32_t rows_of(ValueClass value_class) { return value_class == ValueClass::wide ? 2 : 1; }

bool overlap(const Allocation& allocation, const std::vector<ValueClass>& values, ValueId a, ValueId b) {
  if ((values[a] == ValueClass::predicate) != (values[b] == ValueClass::predicate)) return false;
  return allocation.row[a] < allocation.row[b] + rows_of(values[b]) &&
         allocation.row[b] < allocation.row[a] + rows_of(values[a]);
}

/// Blocks that are reachable from the entry or from a block without predecessors (a spawned micro-kernel).
std::vector<bool> reachable_blocks(std::span<const BasicBlock> blocks) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::uint32_t> pending;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    if (block == 0 || blocks[block].predecessors.empty()) pending.push_back(block);
  }
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    if (seen[block]) continue;
    seen[block] = true;
    pending.insert(pending.end(), blocks[block].successors.begin(), blocks[block].successors.end());
  }
  return seen;
}

/// Checks an allocation against liveness by definition; returns the maximum number of rows that are live at once.
std::uint32_t check_by_force(std::span<const BasicBlock> blocks, std::span<const Accesses> code,
                             const std::vector<ValueClass>& values, const Allocation& allocation) {
  std::uint32_t most = 0;
  const std::vector<bool> reachable = reachable_blocks(blocks);
  for (Pc pc = 0; pc < code.size(); ++pc) {
    if (!reachable[block_of(blocks, pc)]) continue;
    // A value is live after `pc` if some successor reads it. A result occupies its row even if nothing reads it.
    std::vector<Pc> next;
    const BasicBlock& block = blocks[block_of(blocks, pc)];
    if (pc + 1 < block.end)
      next.push_back(pc + 1);
    else
      for (const std::uint32_t successor : block.successors) next.push_back(blocks[successor].first);
    std::vector<ValueId> live;
    for (ValueId value = 0; value < values.size(); ++value) {
      const bool is_result =
          std::find(code[pc].definitions.begin(), code[pc].definitions.end(), value) != code[pc].definitions.end();
      const bool is_read =
          std::any_of(next.begin(), next.end(), [&](Pc at) { return tests::is_read_from(blocks, code, at, value); });
      if (is_result || is_read) live.push_back(value);
    }
    std::uint32_t rows = 0;
    for (std::size_t i = 0; i < live.size(); ++i) {
      if (values[live[i]] != ValueClass::predicate) rows += rows_of(values[live[i]]);
      for (std::size_t j = 0; j < i; ++j) {
        CHECK_FALSE(overlap(allocation, values, live[i], live[j]));
      }
    }
    most = std::max(most, rows);
  }
  return most;
}

void check_shape(const std::vector<ValueClass>& values, const Allocation& allocation) {
  for (ValueId value = 0; value < values.size(); ++value) {
    if (values[value] == ValueClass::predicate) {
      CHECK(allocation.row[value] < allocation.predicates);
    } else {
      CHECK(allocation.row[value] + rows_of(values[value]) <= allocation.register_rows);
    }
    if (values[value] == ValueClass::wide) CHECK(allocation.row[value] % 2 == 0);
  }
}

Draft draft_of(const Module& module) {
  Draft draft = decode(module, module.functions.front(), {});
  fill_blocks(draft.program, draft.labels);
  return draft;
}

}  // namespace

TEST_CASE("values that are never live together share a register") {
  const Program chain = load("mov.u32 %r1, 1;\nadd.s32 %r2, %r1, 1;\nadd.s32 %r3, %r2, 1;\nst.global.u32 [%rd1], %r3;");
  CHECK(chain.register_rows == 3);  // the pair of the address, and one row
  CHECK(chain.predicates == 0);
  const Program both = load("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;");
  CHECK(both.register_rows == 4);
}

TEST_CASE("pairs start at even rows, and single values fill the gaps") {
  const Program program = load(
      "ld.param.u32 %r1, [pb];\nld.param.u64 %rd1, [pa];\nld.param.u32 %r2, [pb];\nst.global.v2.u32 [%rd1], {%r1, "
      "%r2};");
  CHECK(program.register_rows == 4);
  CHECK(program.instructions[1].destination[0].row() % 2 == 0);
}

TEST_CASE("a value that is written under a guard has a separate register") {
  const Program program =
      load("mov.u32 %r1, 1;\n@%p1 mov.u32 %r2, 2;\nadd.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;");
  CHECK(program.instructions[0].destination[0] != program.instructions[1].destination[0]);
}

TEST_CASE("an unused result does not overwrite a live value") {
  const Program program = load("mov.u32 %r1, 1;\nmov.u32 %r9, 2;\nst.global.u32 [%rd1], %r1;");
  CHECK(program.instructions[0].destination[0] != program.instructions[1].destination[0]);
}

TEST_CASE("the results of one instruction have separate registers, also from its sources") {
  const Program program = load(
      "ld.global.v2.u64 {%rd2, %rd3}, [%rd1];\nst.global.v2.u64 [%rd2], {%rd3, %rd2};\n"
      "setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3;");
  const Instruction& load_pair = program.instructions[0];
  CHECK(load_pair.destination[0] != load_pair.source[0]);
  CHECK(load_pair.destination[1] != load_pair.source[0]);
  CHECK(load_pair.destination[0] != load_pair.destination[1]);
  const Instruction& compare = program.instructions[2];
  CHECK(compare.destination[0] != compare.destination[1]);
  CHECK(compare.destination[0] != compare.source[2]);
  CHECK(compare.destination[1] != compare.source[2]);
}

TEST_CASE("in random programs no two values that are live at once overlap") {
  std::mt19937 random(13);
  std::uint32_t most = 0;
  for (unsigned round = 0; round < 120; ++round) {
    const Pc length = 1 + random() % 5;
    auto blocks = random_graph(random, 1 + random() % 8, length);
    std::vector<ValueClass> values(2 + random() % 12);
    for (ValueClass& value : values) value = static_cast<ValueClass>(random() % 3);
    const auto code = random_accesses(random, blocks.size() * length, values.size());
    const Allocation allocation = allocate_registers(blocks, code, values);
    check_shape(values, allocation);
    const std::uint32_t pressure = check_by_force(blocks, code, values, allocation);
    CHECK(most_rows_live(blocks, code, values) >= pressure);
    CHECK(allocation.register_rows >= pressure);
    most = std::max(most, pressure);
  }
  CHECK(most > 8);
}

TEST_CASE("straight-line code of single values takes no more rows than are live at once") {
  std::mt19937 random(17);
  for (unsigned round = 0; round < 60; ++round) {
    // Each value is written once, before it is read. In this case greedy colouring is optimal.
    const std::size_t count = 30;
    auto blocks = tests::graph(1, {}, static_cast<Pc>(count));
    std::vector<Accesses> code(count);
    for (ValueId value = 0; value < count; ++value) {
      code[value].definitions.push_back(value);
      for (unsigned uses = random() % 3; uses != 0 && value != 0; --uses) {
        code[value].uses.push_back(static_cast<ValueId>(random() % value));
      }
    }
    const std::vector<ValueClass> values(count, ValueClass::narrow);
    const Allocation allocation = allocate_registers(blocks, code, values);
    CHECK(allocation.register_rows == check_by_force(blocks, code, values, allocation));
  }
}

TEST_CASE("register allocation of a compiled kernel is sound and deterministic") {
  std::string body =
      "ld.param.u64 %rd1, [pa];\nld.param.u32 %r1, [pb];\nmov.f32 %f1, 0f00000000;\nmov.u32 %r2, 0;\n"
      "L: mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f2, [%rd3];\n"
      "setp.lt.f32 %p1, %f2, 0f00000000;\n@%p1 bra N;\nfma.rn.f32 %f1, %f2, %f2, %f1;\nbra M;\n"
      "N: sub.f32 %f1, %f1, %f2;\nM: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, %r1;\n@%p2 bra L;\n"
      "st.global.f32 [%rd1], %f1;\nret;";
  const Module module = parse_module(tests::kernel_text(body), "t.ptx");
  const Draft draft = draft_of(module);
  const auto code = accesses_of(draft);
  const Allocation allocation = allocate_registers(draft.program.blocks, code, draft.values);
  check_shape(draft.values, allocation);
  CHECK(check_by_force(draft.program.blocks, code, draft.values, allocation) == 7);
  CHECK(allocation.register_rows == 7);
  CHECK(allocation.predicates == 1);
  CHECK(allocate_registers(draft.program.blocks, code, draft.values).row == allocation.row);
}

TEST_CASE("a kernel with too many registers is refused") {
  std::string body;
  for (unsigned i = 0; i < 8200; ++i) body += fmt::format(".reg .b64 %w{0}; mov.u64 %w{0}, %rd1;\n", i);
  body += "mov.u64 %rd2, %w0;\n";
  for (unsigned i = 1; i < 8200; ++i) body += fmt::format("add.s64 %rd2, %rd2, %w{};\n", i);
  const std::string message = tests::refusal(body);
  CHECK(message.find("t.ptx: kernel 'k' needs 16400 registers and 0 predicates a thread; at most 16382 of each") == 0);
}
