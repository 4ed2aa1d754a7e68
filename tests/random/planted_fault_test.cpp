// SPDX-License-Identifier: Apache-2.0 The random programs must find bugs: each fault here is planted in the program
// that the machines run, and must be found soon and shrunk to a few instructions.

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "testbenches/contract/agreement.hpp"
#include "tests/repetition.hpp"

namespace reconverge {
namespace {

using kernel::Instruction;
using kernel::Opcode;
using random_programs::Failure;
using random_programs::Fault;
using random_programs::Reached;

/// Changes every instruction of `opcode`.
Fault in_each(Opcode opcode, void (*change)(Instruction&)) {
  return [=](kernel::Program& program) {
    for (Instruction& instruction : program.instructions) {
      if (instruction.opcode == opcode) change(instruction);
    }
  };
}

struct Planted {
  const char* name;
  Fault fault;
  std::size_t instructions;  // of the smaller program, at most
};

const Planted planted[] = {
    {"bfe does not extend the sign",
     in_each(Opcode::bfe,
             [](Instruction& bfe) {
               if (bfe.type == kernel::DataType::s32) bfe.type = kernel::DataType::u32;
             }),
     30},
    {"subtractions have their operands the wrong way round",
     in_each(Opcode::sub, [](Instruction& sub) { std::swap(sub.source[0], sub.source[1]); }), 30},
    {"branches forget that their guard is negated",
     in_each(Opcode::bra, [](Instruction& bra) { bra.guard_negated = false; }), 40},
    {"guards of stores have no effect", in_each(Opcode::st, [](Instruction& st) { st.guard = {}; }), 40},
    {"lanes meet at the end only", in_each(Opcode::bra, [](Instruction& bra) { bra.reconvergence = kernel::no_pc; }),
     60},
    {"barriers are passed at once", in_each(Opcode::bar, [](Instruction& bar) { bar.opcode = Opcode::nop; }), 60},
    {"jump tables are rotated by one",
     [](kernel::Program& program) {
       for (auto& table : program.branch_tables) std::rotate(table.begin(), table.begin() + 1, table.end());
     },
     60},
    {"all pointers lead to one function",
     [](kernel::Program& program) {
       for (std::size_t i = 2; i < program.functions.size(); ++i) {
         program.functions[i].first = program.functions[1].first;
       }
     },
     100},
    {"vote.any is vote.all",
     in_each(Opcode::vote,
             [](Instruction& vote) {
               if (static_cast<kernel::VoteMode>(vote.variant) == kernel::VoteMode::any) {
                 vote.variant = static_cast<std::uint8_t>(kernel::VoteMode::all);
               }
             }),
     40},
};

}  // namespace

// Some programs hide a fault better than others: the best of three counts. The search ends once one is small enough;
// RECONVERGE_REDUCED_PROGRAMS is the minimum number of programs to shrink.
TEST_CASE("random programs find planted faults and show them in few instructions", "[random]") {
  const std::uint64_t least = tests::from_environment("RECONVERGE_REDUCED_PROGRAMS", 1);
  for (const Planted& each : planted) {
    CAPTURE(each.name);
    Reached ignored;
    unsigned found = 0;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::string text;
    const auto enough = [&] { return found == 3 || (found >= least && fewest <= each.instructions); };
    for (std::uint64_t seed = 1; seed < 300 && !enough(); ++seed) {
      CAPTURE(seed);
      const auto program = random_programs::generate(seed);
      const std::optional<Failure> failure = random_programs::check(program, ignored, each.fault);
      if (!failure) continue;
      ++found;
      const auto smaller = random_programs::smallest(program, *failure, each.fault);
      const auto again = random_programs::check(smaller, ignored, each.fault);
      REQUIRE(again);
      CHECK(again->machine == failure->machine);
      CHECK_FALSE(random_programs::check(smaller, ignored));  // without the fault the program is correct
      const std::size_t instructions = random_programs::case_of(smaller).program.instructions.size();
      if (instructions < fewest) text = random_programs::text_of(smaller);
      fewest = std::min(fewest, instructions);
    }
    CAPTURE(text);
    CHECK(found >= least);
    CHECK(fewest <= each.instructions);
  }
}

}  // namespace reconverge
