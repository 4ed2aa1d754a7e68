// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Experiments of the tree that most tests run, and their reports.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <string>

#include "tests/system/program.hpp"

namespace reconverge::tests {

inline const std::string experiments = RECONVERGE_SOURCE_DIR "/yaml/experiments/";
inline const std::string saxpy = experiments + "saxpy.yaml";
inline const std::string collatz = experiments + "collatz.yaml";

inline boost::json::value report_in(const std::filesystem::path& folder) {
  return boost::json::parse(read_file(folder / "report.json"));
}

/// The values of `total`, by name.
inline boost::json::value figures_in(const std::filesystem::path& folder) {
  return report_in(folder).at("total").at("figures");
}

}  // namespace reconverge::tests
