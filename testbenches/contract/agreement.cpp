// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/agreement.hpp"

#include <fmt/format.h>

#include "blocks/mimd.hpp"
#include "blocks/reconvergence_stack.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "testbenches/random/shrink.hpp"

namespace reconverge::random_programs {

namespace {

using contract::Case;
using contract::Outcome;

/// Counts as endless for one thread: far more steps than any generated program takes.
constexpr std::uint64_t step_limit = 2'000'000;

std::optional<Failure> compare(const std::string& machine, const Outcome& expected, const Outcome& found) {
  const std::string text = contract::difference(expected.memory, found.memory);
  if (!text.empty()) return Failure{machine, "memory", text};
  if (expected.thread_instructions == found.thread_instructions) return std::nullopt;
  return Failure{machine, "count",
                 fmt::format("{} thread instructions expected, {} found", expected.thread_instructions,
                             found.thread_instructions)};
}

void note(const Statistics& totals, Reached& reached) {
  reached.divergent_branches += totals.of<ReconvergenceStackStatistics>().divergent_branches;
  for (std::size_t depth = 3; depth < totals.of<ReconvergenceStackStatistics>().depth.size(); ++depth) {
    reached.nested += totals.of<ReconvergenceStackStatistics>().depth[depth];
  }
  reached.barriers += totals.of<SmStatistics>().barriers;
  reached.refills += totals.of<MimdStatistics>().refills;
}

}  // namespace

Case case_of(const Program& program) {
  Case result;
  result.name = fmt::format("seed {}", program.seed);
  result.program = kernel::load_program_text(text_of(program), result.name, "kernel");
  result.grid = program.grid;
  result.block = program.block;
  result.dynamic_shared_bytes = program.dynamic_shared_bytes();
  result.output_bytes = program.threads() * slice_words * 4;
  return result;
}

std::optional<Failure> check(const Program& program, Reached& reached, const Fault& fault, const Schemes& schemes) {
  std::string machine = "loading";
  try {
    Case test_case = case_of(program);
    for (const auto& instruction : test_case.program.instructions) reached.opcodes.insert(instruction.opcode);
    machine = "scalar interpreter";
    const Outcome expected = contract::run_scalar(test_case, step_limit);
    reached.thread_instructions += expected.thread_instructions;
    if (fault) fault(test_case.program);
    machine = "functional machine";
    if (auto failure = compare(machine, expected, contract::run_functional(test_case))) return failure;
    for (std::size_t i = 0; i < schemes.names.size(); ++i) {
      const std::string_view scheme = schemes.names[i];
      const auto shapes = contract::shapes();
      // All shapes occur even if only every eighth seed runs.
      const std::size_t turn = program.seed + program.seed / shapes.size() + i;
      const auto& shape = shapes[turn % shapes.size()];
      machine = fmt::format("{} ({})", scheme, shape.name);
      const auto run = contract::run_timed(test_case, contract::parameters_of(shape, scheme, test_case), schemes.kinds);
      if (auto failure = compare(machine, expected, run)) return failure;
      note(run.totals, reached);
    }
  } catch (const std::exception& error) {
    return Failure{machine, "error", error.what()};
  }
  return std::nullopt;
}

Program smallest(const Program& program, const Failure& failure, const Fault& fault, const Schemes& schemes) {
  Reached ignored;
  return shrunk(program, [&](const Program& candidate) {
    const auto again = check(candidate, ignored, fault, schemes);
    return again && again->machine == failure.machine && again->what == failure.what;
  });
}

std::string report(const Program& program, const Failure& failure, const Program& smaller) {
  return fmt::format(
      "seed {0} fails on {1}: {2}\nagain: tests/random/random_programs run {0}\n"
      "smaller, {3} x {4} x {5} blocks of {6} x {7} x {8} threads:\n{9}",
      program.seed, failure.machine, failure.text, smaller.grid.x, smaller.grid.y, smaller.grid.z, smaller.block.x,
      smaller.block.y, smaller.block.z, text_of(smaller));
}

}  // namespace reconverge::random_programs
