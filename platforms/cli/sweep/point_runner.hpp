// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs points on this host, each in a separate process, and makes their records.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/run/side_by_side.hpp"
#include "platforms/cli/sweep/sweep_plan.hpp"

namespace reconverge::cli {

struct PointRunner {
  const std::vector<sweep::Point>& points;
  const PointOptions& options;
  std::filesystem::path folder;  ///< of the sweep: reports are in `reports`, and unfinished ones in `work`
  std::size_t at_once = 1;
  const InterruptGuard& interrupt;
  bool shows_progress = false;

  std::function<std::optional<std::size_t>()> next;  ///< the point to start now (SideBySide)
  /// Nothing for a point that an interrupt ended.
  std::function<void(std::size_t point, std::optional<sweep::PointRecord> record)> ended;
  std::function<void(std::span<const TaskProgress> running)> progress;
  std::chrono::milliseconds wake;  ///< longest time between two calls of `progress`

  /// Returns when nothing runs and there is nothing to start.
  void run() const;
};

}  // namespace reconverge::cli
