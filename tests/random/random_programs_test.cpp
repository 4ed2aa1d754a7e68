// Random programs must leave the same memory on every machine. Environment: RECONVERGE_RANDOM_PROGRAMS says how many
// (200), RECONVERGE_RANDOM_SEED the first seed (1). A failure prints its seed and a smaller program that fails too.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "models/core/error.hpp"
#include "models/kernel/load_program.hpp"
#include "testbenches/random/program_tree.hpp"
#include "testbenches/random/shrink.hpp"
#include "tests/contract/machines.hpp"

namespace reconverge {
namespace {

using contract::Case;
using contract::Outcome;

/// What the programs reached, so that a generator that lost its teeth is noticed.
struct Reached {
  std::uint64_t divergent_branches = 0;
  std::uint64_t nested = 0;  // divergent branches with more than one path waiting
  std::uint64_t barriers = 0;
  std::uint64_t refills = 0;
  std::uint64_t thread_instructions = 0;
};

struct Failure {
  std::string machine;  ///< equal failures of smaller programs are the same failure
  std::string text;
};

Case case_of(const random_programs::Program& program) {
  Case result;
  result.name = fmt::format("seed {}", program.seed);
  result.program = kernel::load_program_text(random_programs::text_of(program), result.name, "kernel");
  result.grid = program.grid;
  result.block = program.block;
  result.output_bytes = program.threads() * random_programs::slice_words * 4;
  return result;
}

std::optional<Failure> compare(const std::string& machine, const Outcome& expected, const Outcome& found) {
  std::string text = contract::difference(expected.memory, found.memory);
  if (text.empty() && expected.thread_instructions != found.thread_instructions) {
    text = fmt::format("{} thread instructions expected, {} found", expected.thread_instructions,
                       found.thread_instructions);
  }
  if (text.empty()) return std::nullopt;
  return Failure{machine, text};
}

/// Runs the program everywhere; each scheme in a shape that the seed picks.
std::optional<Failure> check(const random_programs::Program& program, Reached& reached) {
  std::string machine = "loading";
  try {
    const Case test_case = case_of(program);
    machine = "scalar interpreter";
    const Outcome expected = contract::run_scalar(test_case);
    reached.thread_instructions += expected.thread_instructions;
    machine = "functional machine";
    if (auto failure = compare(machine, expected, contract::run_functional(test_case))) return failure;
    for (const SmScheme scheme : contract::schemes) {
      const auto shapes = contract::shapes();
      const auto& shape = shapes[(program.seed + static_cast<std::size_t>(scheme)) % shapes.size()];
      machine = fmt::format("{} ({})", to_string(scheme), shape.name);
      const auto run = contract::run_timed(test_case, contract::parameters_of(shape, scheme, test_case));
      if (auto failure = compare(machine, expected, run)) return failure;
      reached.divergent_branches += run.totals.reconvergence_stack.divergent_branches;
      for (std::size_t depth = 3; depth < run.totals.reconvergence_stack.depth.size(); ++depth) {
        reached.nested += run.totals.reconvergence_stack.depth[depth];
      }
      reached.barriers += run.totals.sm.barriers;
      reached.refills += run.totals.mimd.refills;
    }
  } catch (const std::exception& error) {
    return Failure{machine, error.what()};
  }
  return std::nullopt;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

std::string report(const random_programs::Program& program, const Failure& failure) {
  WARN("seed " << program.seed << " fails on " << failure.machine << "; looking for a smaller program");
  Reached ignored;
  const auto smaller = random_programs::shrunk(program, [&](const random_programs::Program& candidate) {
    const auto again = check(candidate, ignored);
    return again && again->machine == failure.machine;
  });
  const auto last = check(smaller, ignored);
  return fmt::format("seed {} fails on {}: {}\nsmaller, {} blocks of {} threads: {}\n{}", program.seed, failure.machine,
                     failure.text, smaller.grid.count(), smaller.block.count(), last ? last->text : "",
                     random_programs::text_of(smaller));
}

}  // namespace

TEST_CASE("random programs leave the same memory everywhere", "[random]") {
  const std::uint64_t first = from_environment("RECONVERGE_RANDOM_SEED", 1);
  const std::uint64_t count = from_environment("RECONVERGE_RANDOM_PROGRAMS", 200);
  Reached reached;
  unsigned failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 3; ++seed) {
    const auto program = random_programs::generate(seed);
    if (const auto failure = check(program, reached)) {
      ++failures;
      FAIL_CHECK(report(program, *failure));
    }
  }
  if (failures == 0 && count >= 100) {
    CHECK(reached.divergent_branches > 20 * count);
    CHECK(reached.nested > count);
    CHECK(reached.barriers > count);
    CHECK(reached.refills > 0);
    CHECK(reached.thread_instructions > 1000 * count);
  }
}

TEST_CASE("a seed always gives the same program", "[random]") {
  for (const std::uint64_t seed : {1U, 2U, 77U}) {
    CHECK(random_programs::text_of(random_programs::generate(seed)) ==
          random_programs::text_of(random_programs::generate(seed)));
  }
  CHECK(random_programs::text_of(random_programs::generate(1)) !=
        random_programs::text_of(random_programs::generate(2)));
}

TEST_CASE("the shrinker keeps only what makes a program fail", "[random]") {
  // Stands for a machine that fails on every program with a store of bytes.
  const auto fails = [](const random_programs::Program& program) {
    return random_programs::text_of(program).find("st.global.u8") != std::string::npos;
  };
  unsigned shrunk = 0;
  for (std::uint64_t seed = 1; shrunk < 5; ++seed) {
    const auto program = random_programs::generate(seed);
    if (!fails(program)) continue;
    const auto smaller = random_programs::shrunk(program, fails);
    CHECK(fails(smaller));
    CHECK(smaller.body.size() == 1);
    CHECK(smaller.body.front().arms.empty());
    ++shrunk;
  }
}

}  // namespace reconverge
