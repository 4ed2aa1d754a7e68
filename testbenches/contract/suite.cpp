// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/suite.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge::contract {

namespace {

class Books {
 public:
  std::vector<std::string> breaches;

  void check_equal(std::string_view what, std::uint64_t expected, std::uint64_t found) {
    if (expected != found) breaches.push_back(fmt::format("{}: {} expected, {} found", what, expected, found));
  }

  void check(const TimedOutcome& run, const Outcome& expected, const Case& test_case, const GpuParameters& parameters) {
    const auto& scheduler = run.totals.of<WarpSchedulerStatistics>();
    const auto& gpu = run.totals.of<GpuStatistics>();
    const std::uint64_t slots =
        gpu.cycles * parameters.sms * parameters.sm.scheduler.count * parameters.sm.scheduler.dispatch;
    check_equal("thread instructions", expected.thread_instructions, run.thread_instructions);
    check_equal("threads launched", test_case.threads(), run.totals.of<SmStatistics>().threads_launched);
    check_equal("blocks launched", test_case.grid.count(), gpu.blocks_launched);
    check_equal("issue slots", slots, sum(scheduler.slots.values));
    check_equal("instructions by active lanes", scheduler.slots[WarpSchedulerSlots::issued],
                sum(scheduler.active_lanes));
  }
};

}  // namespace

std::vector<std::string> breaches(const Case& test_case, const Outcome& expected, const Shape& shape,
                                  std::string_view scheme, SchemeList kinds) {
  Books books;
  try {
    const GpuParameters parameters = parameters_of(shape, scheme, test_case);
    const TimedOutcome run = run_timed(test_case, parameters, kinds);
    if (const std::string text = difference(expected.memory, run.memory); !text.empty()) {
      books.breaches.push_back("memory: " + text);
    }
    books.check(run, expected, test_case, parameters);
    const TimedOutcome again = run_timed(test_case, parameters, kinds, 3);
    if (counters(again.totals) != counters(run.totals)) {
      books.breaches.emplace_back("a second run, on three threads, has other counters");
    }
    if (again.memory != run.memory) books.breaches.emplace_back("a second run, on three threads, has other memory");
  } catch (const std::exception& error) {
    books.breaches.push_back(fmt::format("error: {}", error.what()));
  }
  return std::move(books.breaches);
}

std::vector<std::string> breaches(const Case& test_case, const Outcome& expected, const MachineKind& machine,
                                  SchemeList kinds) {
  std::vector<std::string> breaches;
  try {
    const TimedOutcome run = run_on(test_case, machine, kinds);
    if (const std::string text = difference(expected.memory, run.memory); !text.empty()) {
      breaches.push_back("memory: " + text);
    }
    const TimedOutcome again = run_on(test_case, machine, kinds);
    if (counters(again.totals) != counters(run.totals) || again.thread_instructions != run.thread_instructions) {
      breaches.emplace_back("a second run has other counters");
    }
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    breaches.push_back(fmt::format("error: {}", error.what()));
  }
  return breaches;
}

}  // namespace reconverge::contract
