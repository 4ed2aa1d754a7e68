// SPDX-License-Identifier: Apache-2.0
// PTX in the styles of people and compilers: small files with known answers (testbenches/corpus/styles, each with a
// launch file), on the untimed machine and on the timed GPU under every scheme.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/machines/machines.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::tests {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(RECONVERGE_SOURCE_DIR) / "testbenches/corpus/styles";

/// The launch files, sorted by name.
std::vector<std::string> styles() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") names.insert(entry.path().stem());
  }
  return {names.begin(), names.end()};
}

struct Exception {
  std::string_view style;
  std::string_view machine;
  std::string_view why;
};

/// What a machine cannot run and does not have to.
constexpr Exception exceptions[] = {
    {"persistent_shared", "gpu.sm.scheme=mimd", "lanes read what another has written without a barrier between"},
    {"persistent_work", "gpu.sm.scheme=mimd", "the same"},
    {"gcc_openmp", "gpu.sm.scheme=thread_block_compaction", "one warp makes others wait at barriers of other branches"},
};

bool is_left_out(std::string_view style, std::string_view machine) {
  return std::any_of(std::begin(exceptions), std::end(exceptions), [&](const Exception& one) {
    return style.substr(0, one.style.size()) == one.style && machine == one.machine;
  });
}

std::vector<std::string> machines() {
  std::vector<std::string> all = {"machine=functional"};
  for (const std::string_view scheme : contract::schemes) all.push_back(fmt::format("gpu.sm.scheme={}", scheme));
  return all;
}

/// The error when the launch file runs with this setting; nothing if the result is as expected.
std::string complaint(const std::string& style, const std::string& setting) {
  try {
    ExperimentParameters parameters;
    const std::vector<std::string> settings = {setting};
    const configuration::Configuration configuration = configuration::load(
        with_kinds(experiment_block), &parameters, folder / (style + ".yaml"), settings, launch::section_keys());
    const launch::LaunchPlan plan = launch::read_plan(configuration);
    const launch::PlanResult result = launch::run_plan(plan, find_machine(parameters.machine), parameters.gpu);
    if (plan.checks.empty()) return "the launch file expects nothing";
    std::string text = fmt::format("{}", fmt::join(plan.warnings, "; "));
    for (std::size_t i = 0; i < plan.checks.size(); ++i) {
      if (result.checks[i].agrees()) continue;
      const launch::Difference& first = result.checks[i].first.front();
      text +=
          fmt::format("{}: {} of {} differ, first [{}]: {}, expected {}; ", plan.buffers[plan.checks[i].buffer].name,
                      result.checks[i].differing, result.checks[i].values, first.index, first.got, first.expected);
    }
    return text;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("PTX of every style leaves the expected memory", "[styles]") {
  const std::vector<std::string> all = styles();
  CHECK(all.size() >= 60);
  for (const std::string& style : all) {
    for (const std::string& machine : machines()) {
      if (is_left_out(style, machine)) continue;
      INFO(style << ", " << machine);
      CHECK_THAT(complaint(style, machine), Catch::Equals(""));
    }
  }
}

TEST_CASE("every PTX file among the styles has a launch file", "[styles]") {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    INFO(entry.path().filename());
    CHECK(fs::exists(fs::path(entry.path()).replace_extension(".yaml")));
  }
}

}  // namespace reconverge::tests
