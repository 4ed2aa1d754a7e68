// Micro-kernels that are made of random programs, on the timed GPU that has them: the memory of the program itself, and
// as many thread instructions as the scalar interpreter executes. RECONVERGE_RANDOM_MICROKERNELS says how many programs
// (120).

#include "models/kernel/transform/microkernels.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "blocks/dynamic_microkernel.hpp"
#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/random/alone.hpp"

namespace reconverge {
namespace {

using contract::Case;
using contract::Outcome;

/// The same launch of micro-kernels; none where they cannot be made.
struct Spawning {
  Case test_case;
  std::uint32_t state_bytes = 0;
  std::size_t microkernels = 0;
};

std::optional<Spawning> spawning(const random_programs::Program& program, const Case& original,
                                 const kernel::MicrokernelOptions& options) {
  try {
    const kernel::Microkernels made =
        kernel::make_microkernels(random_programs::text_of(program), original.name, "kernel", options);
    Spawning result{original, made.report.state_bytes, made.report.microkernels.size()};
    result.test_case.program = kernel::load_program_text(made.text, original.name, "kernel", extensions_of());
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void check(const Spawning& made, const Outcome& expected, std::uint64_t seed, std::uint64_t& threads) {
  const auto shapes = contract::shapes();
  GpuParameters parameters =
      contract::parameters_of(shapes[seed % shapes.size()], "dynamic_microkernel", made.test_case);
  auto& own = parameters.sm.schemes.of<DynamicMicrokernelParameters>();
  own.state_bytes = std::max(16U, made.state_bytes);
  own.lut_lines = std::max<std::uint64_t>(64, made.microkernels);
  const Outcome scalar = contract::run_scalar(made.test_case, 2'000'000);
  CHECK_THAT(contract::difference(expected.memory, scalar.memory), Catch::Equals(""));
  const contract::TimedOutcome timed = contract::run_timed(made.test_case, parameters);
  CHECK_THAT(contract::difference(expected.memory, timed.memory), Catch::Equals(""));
  CHECK(timed.thread_instructions == scalar.thread_instructions);
  threads += timed.totals.of<DynamicMicrokernelStatistics>().threads_spawned;
}

}  // namespace

TEST_CASE("random programs leave the same memory as their micro-kernels on the timed GPU", "[random]") {
  const char* const wanted = std::getenv("RECONVERGE_RANDOM_MICROKERNELS");
  const std::uint64_t count = wanted == nullptr ? 120 : std::strtoull(wanted, nullptr, 10);
  std::uint64_t run = 0;
  std::uint64_t threads = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program = random_programs::without_company(random_programs::generate(seed));
    const Case original = random_programs::case_of(program);
    std::optional<Outcome> expected;
    for (const auto split : {kernel::SplitAt::loops, kernel::SplitAt::branches}) {
      const std::optional<Spawning> made = spawning(program, original, {split, 0, true});
      if (!made) continue;
      if (!expected) expected = contract::run_scalar(original, 2'000'000);
      INFO(fmt::format("seed {}, {}", seed, split == kernel::SplitAt::loops ? "loops" : "branches"));
      try {
        check(*made, *expected, seed, threads);
      } catch (const std::exception& error) {
        FAIL_CHECK(error.what());
      }
      ++run;
    }
  }
  CHECK(run > count / 2);
  CHECK(threads > 100 * run);
}

}  // namespace reconverge
