// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Experiments of the tree that most tests run, and their reports.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
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

/// Both folders hold the same files with the same bytes, and are not empty.
inline void check_same(const std::filesystem::path& first, const std::filesystem::path& second) {
  INFO(first << " and " << second);
  const std::vector<std::string> names = names_in(first);
  CHECK(names.size() >= 4);
  CHECK(names == names_in(second));
  for (const std::string& name : names) {
    INFO(name);
    CHECK((read_file(first / name) == read_file(second / name)));
  }
}

}  // namespace reconverge::tests
