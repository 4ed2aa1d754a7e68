// SPDX-License-Identifier: Apache-2.0
// Random programs must leave the same memory on every machine. Environment: RECONVERGE_RANDOM_PROGRAMS is the number of
// programs (1000), RECONVERGE_RANDOM_SEED the first seed (1). A failure prints its seed and a smaller program that also
// fails.

#include <algorithm>
#include <catch2/catch.hpp>

#include "testbenches/contract/agreement.hpp"
#include "testbenches/random/shrink.hpp"
#include "tests/repetition.hpp"

namespace reconverge {
namespace {

using kernel::Opcode;
using random_programs::Failure;
using random_programs::Program;
using random_programs::Reached;

constexpr unsigned parts = 4;

}  // namespace

// One test for each part, so that ctest runs several at once.
TEMPLATE_TEST_CASE_SIG("random programs leave the same memory everywhere", "[random]", ((unsigned Part), Part), 0, 1, 2,
                       3) {
  const std::uint64_t first = tests::from_environment("RECONVERGE_RANDOM_SEED", 1);
  const std::uint64_t count = tests::from_environment("RECONVERGE_RANDOM_PROGRAMS", 500);
  Reached reached;
  unsigned failures = 0;
  std::uint64_t run = 0;
  for (std::uint64_t seed = first + Part; seed < first + count && failures < 3; seed += parts) {
    const auto program = random_programs::generate(seed);
    ++run;
    if (const auto failure = random_programs::check(program, reached)) {
      ++failures;
      WARN("seed " << seed << " fails on " << failure->machine << "; looking for a smaller program");
      FAIL_CHECK(random_programs::report(program, *failure, random_programs::smallest(program, *failure)));
    }
  }
  if (failures != 0 || run < 100) return;
  // The generator must continue to make divergent programs.
  CHECK(reached.divergent_branches > 20 * run);
  CHECK(reached.nested > run);
  CHECK(reached.barriers > run);
  CHECK(reached.refills > 0);
  CHECK(reached.thread_instructions > 1000 * run);
  for (const Opcode opcode : {Opcode::call, Opcode::ret, Opcode::exit, Opcode::brx, Opcode::bar, Opcode::vote,
                              Opcode::shfl, Opcode::match, Opcode::redux, Opcode::elect, Opcode::video, Opcode::atom,
                              Opcode::red, Opcode::prmt, Opcode::lop3, Opcode::fma}) {
    CAPTURE(kernel::name_of(opcode));
    CHECK(reached.opcodes.contains(opcode));
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
  // A stand-in for a machine that fails on every program with a store of bytes.
  const auto fails = [](const Program& program) {
    return random_programs::text_of(program).find("st.global.u8") != std::string::npos;
  };
  unsigned shrunk = 0;
  for (std::uint64_t seed = 1; shrunk < 5; ++seed) {
    const auto program = random_programs::generate(seed);
    if (!fails(program)) continue;
    const auto smaller = random_programs::shrunk(program, fails);
    CHECK(fails(smaller));
    // In the kernel itself, or in a function that it calls.
    CHECK(smaller.body.size() == 1);
    CHECK(smaller.body.front().arms.empty());
    CHECK(smaller.threads() == 1);
    CHECK(smaller.results << (32 - random_programs::result_count) == 0);
    ++shrunk;
  }
}

}  // namespace reconverge
