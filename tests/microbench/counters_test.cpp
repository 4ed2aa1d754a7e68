// SPDX-License-Identifier: Apache-2.0
// The counters of two small runs equal the stored counters, for any compiler and optimisation level. They change only
// with intended changes of timing.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {
namespace {

std::string listing(const std::string& run, const Statistics& totals) {
  std::ostringstream text;
  totals.visit([&](std::string_view block, const StatisticsView& statistics) {
    statistics.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
      text << run << ' ' << block << '.' << statistic.name;
      for (const std::uint64_t value : values) text << ' ' << value;
      text << '\n';
    });
  });
  return text.str();
}

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("two small runs match their recorded counters") {
  const GpuParameters machine = narrow_machine();
  const std::string now = listing("medley", run_medley(machine)) + listing("alone", run_alone(machine));
  const auto on_file = std::filesystem::path(RECONVERGE_SOURCE_DIR) / "tests/microbench/counters.txt";
  const auto made = std::filesystem::path(RECONVERGE_BINARY_DIR) / "counters.txt";
  std::ofstream(made) << now;
  INFO("if this change is intended: cp " << made.string() << " " << on_file.string());
  CHECK(now == read(on_file));
}

TEST_CASE("repeated runs have equal counters") {
  for (const char* change : {"sm.scheme=reconvergence_stack", "sm.scheme=mimd", "sm.scheme=thread_block_compaction",
                             "memory=fixed_latency"}) {
    const GpuParameters machine = narrow_machine({change});
    CHECK(listing("medley", run_medley(machine)) == listing("medley", run_medley(machine)));
  }
}

}  // namespace reconverge::tests
