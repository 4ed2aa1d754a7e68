// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Prints figures as lines of JSON, for programs to collect.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace reconverge {

/// One line for each figure, the median of its repetitions, as soon as it is available.
class LineReporter : public benchmark::BenchmarkReporter {
 public:
  LineReporter(std::string unit, std::function<double(const Run&)> figure)
      : LineReporter([unit = std::move(unit)](const Run&) { return unit; }, std::move(figure)) {}
  LineReporter(std::function<std::string(const Run&)> unit, std::function<double(const Run&)> figure)
      : unit_(std::move(unit)), figure_(std::move(figure)) {}

  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Aggregate || run.aggregate_name != "median") continue;
      std::cout << fmt::format(R"({{"name": "{}", "value": {:.0f}, "unit": "{}", "command": "scripts/bench"}})",
                               run.run_name.function_name, figure_(run), unit_(run))
                << std::endl;
    }
  }

 private:
  std::function<std::string(const Run&)> unit_;
  std::function<double(const Run&)> figure_;
};

}  // namespace reconverge
