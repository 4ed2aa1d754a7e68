// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/spawning_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "blocks/dynamic_microkernel.hpp"
#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::random_programs {

namespace {

using contract::Outcome;
using contract::TimedOutcome;
using kernel::GoesOn;
using kernel::LocalArrays;
using kernel::MicrokernelOptions;
using kernel::SplitAt;

class Breaches {
 public:
  std::vector<std::string> found;

  void check_equal(std::string_view what, std::uint64_t expected, std::uint64_t value) {
    if (expected != value) found.push_back(fmt::format("{}: {} expected, {} found", what, expected, value));
  }

  void check_memory(std::string_view where, const Outcome& expected, const Outcome& run) {
    if (const std::string text = contract::difference(expected.memory, run.memory); !text.empty())
      found.push_back(fmt::format("memory of {}: {}", where, text));
  }

  void check_threads(const TimedOutcome& run, const contract::Case& test_case) {
    const auto& counts = run.totals.of<DynamicMicrokernelStatistics>();
    check_equal("threads that began", counts.threads_spawned, counts.full_warps * warp_size + counts.partial_threads);
    check_equal("threads of all kinds", test_case.threads() + counts.threads_spawned,
                run.totals.of<SmStatistics>().threads_launched);
    check_equal("chains that ended", test_case.threads(), counts.states_left);
  }

  void check_slots(const TimedOutcome& run, const GpuParameters& parameters) {
    const auto& scheduler = parameters.sm.scheduler;
    check_equal("issue slots",
                run.totals.of<GpuStatistics>().cycles * parameters.sms * scheduler.count * scheduler.dispatch,
                sum(run.totals.of<WarpSchedulerStatistics>().slots.values));
  }
};

}  // namespace

std::span<const MicrokernelOptions> spawning_ways() {
  static constexpr std::array<MicrokernelOptions, 6> ways = {
      {{SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::nowhere},
       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::nowhere},
       {SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::anywhere},
       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::anywhere},
       {SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::rounds},
       {SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::rounds, 12}}};
  return ways;
}

std::optional<SpawningCase> spawning_case(const Program& program, const contract::Case& original,
                                          const MicrokernelOptions& way) {
  try {
    kernel::Microkernels made = kernel::make_microkernels(text_of(program), original.name, "kernel", way);
    SpawningCase result{original, std::move(made.report), way.adaptive != GoesOn::nowhere};
    result.test_case.program = kernel::load_program_text(made.text, original.name, "kernel", extensions_of());
    result.test_case.ptx = std::move(made.text);
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

GpuParameters parameters_of(const SpawningCase& spawning, const contract::Shape& shape) {
  GpuParameters parameters = contract::parameters_of(shape, "dynamic_microkernel", spawning.test_case);
  auto& own = parameters.sm.schemes.of<DynamicMicrokernelParameters>();
  own.state_bytes = std::max(16U, spawning.report.state_bytes);
  own.lut_lines = std::max<std::uint64_t>(64, spawning.report.microkernels.size());
  return parameters;
}

std::vector<std::string> breaches_of_spawning(const SpawningCase& spawning, const Outcome& expected,
                                              const GpuParameters& parameters, std::uint64_t& threads) {
  constexpr std::uint64_t step_limit = 2'000'000;
  Breaches breaches;
  try {
    const Outcome scalar = contract::run_scalar(spawning.test_case, step_limit);
    breaches.check_memory("the scalar interpreter", expected, scalar);
    const TimedOutcome run = contract::run_timed(spawning.test_case, parameters);
    breaches.check_memory("the GPU", expected, run);
    if (!spawning.adaptive) {
      breaches.check_equal("thread instructions", scalar.thread_instructions, run.thread_instructions);
    }
    breaches.check_threads(run, spawning.test_case);
    breaches.check_slots(run, parameters);
    threads += run.totals.of<DynamicMicrokernelStatistics>().threads_spawned;
  } catch (const std::exception& error) {
    breaches.found.push_back(fmt::format("error: {}", error.what()));
  }
  return std::move(breaches.found);
}

}  // namespace reconverge::random_programs
