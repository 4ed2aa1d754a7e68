// SPDX-License-Identifier: Apache-2.0
// Random programs with races between blocks: what they leave in memory depends on timing, but not on the number of host
// threads. Environment: RECONVERGE_RACY_PROGRAMS is the number of programs (200; 20 in short forms),
// RECONVERGE_RANDOM_SEED the first seed (1).

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/random/program_tree.hpp"
#include "tests/repetition.hpp"

namespace reconverge {
namespace {

/// Programs that once failed: 3222 jumps into a loop that it leaves only by edges without post-dominators.
constexpr std::uint64_t known_seeds[] = {3222};

/// The program with one slice of output for the threads of all blocks that have the same number in their block.
contract::Case racy_case(const random_programs::Program& program) {
  contract::Case result = random_programs::case_of(program);
  std::string text = random_programs::text_of(program);
  const std::string apart = "mul.wide.u32 %a0, %gid,";
  const std::string together = "mul.wide.u32 %a0, %thread,";
  for (std::size_t at = 0; (at = text.find(apart, at)) != std::string::npos; at += together.size()) {
    text.replace(at, apart.size(), together);
  }
  result.program = kernel::load_program_text(text, result.name, "kernel");
  return result;
}

GpuParameters parameters_of(const contract::Case& test_case, std::uint64_t seed) {
  const std::string_view scheme = contract::schemes[seed % std::size(contract::schemes)];
  GpuParameters parameters = contract::parameters_of(contract::shapes().front(), scheme, test_case);
  parameters.sms = 2 + seed % 7;
  return parameters;
}

}  // namespace

TEST_CASE("racy programs leave the same memory and counters on any number of threads", "[threads]") {
  const std::uint64_t first = tests::from_environment("RECONVERGE_RANDOM_SEED", 1);
  const std::uint64_t count = tests::from_environment("RECONVERGE_RACY_PROGRAMS", tests::short_form() ? 20 : 200);
  std::uint64_t racy = 0;
  std::vector<std::uint64_t> seeds(std::begin(known_seeds), std::end(known_seeds));
  for (std::uint64_t seed = first; seed < first + count; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const contract::Case test_case = racy_case(random_programs::generate(seed));
    const GpuParameters parameters = parameters_of(test_case, seed);
    const auto run = contract::run_timed(test_case, parameters);
    for (const unsigned threads : {2U, 3U, 8U}) {
      CAPTURE(threads);
      const auto again = contract::run_timed(test_case, parameters, built_in_schemes(), threads);
      REQUIRE(again.memory == run.memory);
      REQUIRE(contract::counters(again.totals) == contract::counters(run.totals));
    }
    // Another timing shows that there was a race.
    GpuParameters slower = parameters;
    slower.sms = parameters.sms == 2 ? 3 : 2;
    racy += contract::run_timed(test_case, slower).memory != run.memory ? 1 : 0;
  }
  CHECK(racy > count / 4);
}

}  // namespace reconverge
