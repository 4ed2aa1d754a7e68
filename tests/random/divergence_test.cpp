// SPDX-License-Identifier: Apache-2.0
// No branch that the divergence analysis calls uniform may split a warp of the untimed machine, in random programs.
// Environment: as in random_programs_test.cpp.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/random/program_tree.hpp"
#include "tests/repetition.hpp"

namespace reconverge {
namespace {

struct Counts {
  std::uint64_t uniform = 0;    // conditional branches executed that the analysis calls uniform
  std::uint64_t divergent = 0;  // that it does not, and that split
  std::string split;            // a branch that proves the analysis wrong
};

class BranchCounter final : public SmObserver {
 public:
  BranchCounter(const kernel::Program& program, Counts& counts)
      : program_(program), divergence_(kernel::analyse_divergence(program)), counts_(counts) {}

  void branched(const BranchNote& note) override {
    const kernel::Instruction& branch = program_.instructions[note.place.pc];
    if (branch.opcode == kernel::Opcode::call) return;
    const bool splits = note.taken != 0 && note.taken != note.path;
    if (divergence_.branch[note.place.pc]) {
      counts_.divergent += splits ? 1 : 0;
    } else if (branch.guard.present()) {
      ++counts_.uniform;
      if (splits) counts_.split = fmt::format("{}:{}", program_.file, branch.line);
    }
  }

 private:
  const kernel::Program& program_;
  kernel::Divergence divergence_;
  Counts& counts_;
};

void count_branches(const random_programs::Program& source, const kernel::Program& program, Counts& counts) {
  FunctionalMachine machine;
  BranchCounter counter(program, counts);
  machine.observe_sms(&counter);
  const std::vector<std::uint32_t> words = contract::random_words();
  const std::array<Argument, 3> arguments{
      machine.memory().upload("input", std::span<const std::uint32_t>(words)),
      machine.memory().allocate("output", source.threads() * random_programs::slice_words * 4),
      machine.memory().allocate("sums", contract::sum_words * 4)};
  machine.run(make_launch(program, source.grid, source.block, arguments, source.dynamic_shared_bytes()));
}

}  // namespace

TEST_CASE("a branch that is called uniform never splits a warp", "[random]") {
  const std::uint64_t first = tests::from_environment("RECONVERGE_RANDOM_SEED", 1);
  const std::uint64_t count = tests::from_environment("RECONVERGE_RANDOM_PROGRAMS", 200);
  Counts counts;
  for (std::uint64_t seed = first; seed < first + count && counts.split.empty(); ++seed) {
    random_programs::Program source = random_programs::generate(seed);
    source.uniform_registers = 6;  // so that some of its branches are uniform
    const std::string text = random_programs::text_of(source);
    count_branches(source, kernel::load_program_text(text, fmt::format("seed {}", seed), "kernel"), counts);
    if (!counts.split.empty()) FAIL(counts.split << " is called uniform and splits a warp\n" << text);
  }
  // The generator must continue to make both kinds of branches.
  if (count >= 100) {
    CHECK(counts.uniform > 10 * count);
    CHECK(counts.divergent > 5 * count);
  }
}

}  // namespace reconverge
