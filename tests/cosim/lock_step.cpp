// SPDX-License-Identifier: Apache-2.0
/// Runs many cycles of dynamic ray shuffling's RTL in lock step with its model: one seed, or a range that can be
/// interrupted and resumed.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <map>
#include <thread>

#include "models/cosim/dynamic_ray_shuffling/bench/coverage.hpp"
#include "models/cosim/twin/lock_step_difference.hpp"
#include "tests/cosim/lock_step_runs.hpp"
#include "tests/random/campaign.hpp"

namespace {

using namespace reconverge;
using namespace reconverge::tests;
namespace fs = std::filesystem;

constexpr std::uint64_t cycles_a_seed = 400'000;

/// Seeds cycle through the configurations.
bool passes(std::uint64_t seed, const fs::path& folder) {
  RayCoverage coverage;
  const std::size_t configuration = seed % lock_step_configurations.size();
  fs::create_directories(folder);
  try {
    const std::uint64_t cycles =
        run_lock_step(configuration, seed / lock_step_configurations.size(), cycles_a_seed, coverage);
    std::ofstream(folder / "compared", std::ios::app) << fmt::format("{} {} {}\n", seed, configuration, cycles);
    return true;
  } catch (const LockStepDifference& difference) {
    const fs::path file = folder / fmt::format("seed_{}.vcd", seed);
    std::ofstream(file) << difference.waveform();
    fmt::print("seed {}: {}; waveform in {}\n", seed, difference.what(), file.string());
  } catch (const std::exception& error) {
    fmt::print("seed {}: {}\n", seed, error.what());
  }
  return false;
}

/// The cycles that all runs in the folder have compared. A seed that was interrupted and run again counts once.
void print_compared(const fs::path& folder) {
  std::map<std::uint64_t, std::pair<std::size_t, std::uint64_t>> seeds;
  std::ifstream in(folder / "compared");
  std::uint64_t seed = 0;
  std::size_t configuration = 0;
  std::uint64_t cycles = 0;
  while (in >> seed >> configuration >> cycles) seeds[seed] = {configuration, cycles};
  std::array<std::uint64_t, lock_step_configurations.size()> compared{};
  std::uint64_t all = 0;
  for (const auto& [number, run] : seeds) {
    compared.at(run.first) += run.second;
    all += run.second;
  }
  for (std::size_t i = 0; i < compared.size(); ++i) {
    fmt::print("{}: {} cycles compared\n", lock_step_configurations.at(i).name, compared.at(i));
  }
  fmt::print("dynamic ray shuffling in lock step: {} cycles compared in {} seeds\n", all, seeds.size());
}

int run_all(const random_programs::Campaign& campaign) {
  const auto result = random_programs::run_campaign(
      campaign, [&](std::uint64_t seed) { return passes(seed, campaign.folder); },
      [&](std::uint64_t seed, const char* how) { fmt::print("seed {} {}\n", seed, how); });
  print_compared(campaign.folder);
  return result.failures == 0 ? 0 : 1;
}

}  // namespace

// SystemC's library refers to it.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

int main(int argc, char** argv) {
  CLI::App app("Dynamic ray shuffling's RTL in lock step with its model; every output is compared in every cycle");
  app.require_subcommand(1);
  random_programs::Campaign campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  campaign.count = 260;
  campaign.seeds_a_range = 1;
  campaign.seconds_a_seed = 1200;  // many times what a seed takes on an idle machine
  campaign.folder = "lock_step";
  int result = 0;
  std::uint64_t seed = 0;
  CLI::App* one = app.add_subcommand("one", "a seed again");
  one->add_option("seed", seed)->required();
  one->add_option("--folder", campaign.folder, "for the waveform of a difference")->capture_default_str();
  one->callback([&] { result = passes(seed, campaign.folder) ? 0 : 1; });
  CLI::App* many = app.add_subcommand("many", "a range of seeds; goes on where the last run in the folder ended");
  many->add_option("--first", campaign.first, "the first seed")->capture_default_str();
  many->add_option("--count", campaign.count, fmt::format("how many, of {} cycles each", cycles_a_seed))
      ->capture_default_str();
  many->add_option("--jobs", campaign.jobs, "processes")->capture_default_str();
  many->add_option("--folder", campaign.folder, "for progress and waveforms")->capture_default_str();
  many->callback([&] { result = run_all(campaign); });
  CLI11_PARSE(app, argc, argv);
  return result;
}
