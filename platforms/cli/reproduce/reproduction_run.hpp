// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs the experiments of pages into a store, judges their claims and writes their documents.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/sweep/sweep_plan.hpp"

namespace reconverge::cli {

struct ReproductionOptions {
  std::vector<std::string> pages;  ///< empty: all
  std::string scale = "quick";     ///< exact, quick or full
  std::string folder = "out/reproduction";
  std::string summary;  ///< of the JSON figures in this folder; nothing runs
  std::optional<std::size_t> jobs;
  PointOptions each;
  std::vector<std::string> overrides;  ///< --set, for every experiment
  bool quiet = false;
  bool json = false;
};

/// The names of all pages, in their order.
std::vector<std::string> page_names();

/// check_failed: a claim that does not depend on the scale is outside, and its page names no cause. Throws InputError
/// and report::OutputError.
ExitCode reproduce(const ReproductionOptions& options);

}  // namespace reconverge::cli
