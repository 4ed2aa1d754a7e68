// SPDX-License-Identifier: Apache-2.0
// random_programs: the program of a seed, as text or on every machine; or a campaign of many seeds.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <thread>

#include "testbenches/contract/agreement.hpp"
#include "tests/random/campaign.hpp"

namespace {

using namespace reconverge;
using namespace reconverge::random_programs;

std::filesystem::path file_of(const std::filesystem::path& folder, std::uint64_t seed, std::string_view ending) {
  return folder / fmt::format("seed_{}.{}", seed, ending);
}

/// Runs the seed everywhere; if it fails, shrinks the program and writes the result.
bool passes(std::uint64_t seed, const std::filesystem::path& folder) {
  const Program program = generate(seed);
  Reached ignored;
  const auto failure = check(program, ignored);
  if (!failure) return true;
  const Program smaller = smallest(program, *failure);
  std::filesystem::create_directories(folder);
  std::ofstream(file_of(folder, seed, "ptx"))
      << fmt::format(
             "// From seed {}; grid {} {} {}, block {} {} {}, {} bytes of dynamic shared memory. Fails on {}.\n", seed,
             smaller.grid.x, smaller.grid.y, smaller.grid.z, smaller.block.x, smaller.block.y, smaller.block.z,
             smaller.dynamic_shared_bytes(), failure->machine)
      << text_of(smaller);
  std::ofstream(file_of(folder, seed, "txt")) << report(program, *failure, smaller);
  fmt::print("seed {} fails on {}: {}\nsee {} and .ptx\n", seed, failure->machine, failure->text,
             file_of(folder, seed, "txt").string());
  return false;
}

void write_crash(std::uint64_t seed, const char* how, const std::filesystem::path& folder) {
  std::ofstream(file_of(folder, seed, "ptx")) << text_of(generate(seed));
  std::ofstream(file_of(folder, seed, "txt")) << fmt::format("seed {} {}\n", seed, how);
  fmt::print("seed {} {}\n", seed, how);
}

int run_all(const Campaign& campaign) {
  const CampaignResult result = run_campaign(
      campaign, [&](std::uint64_t seed) { return passes(seed, campaign.folder); },
      [&](std::uint64_t seed, const char* how) { write_crash(seed, how, campaign.folder); });
  fmt::print("seeds {} to {}: {} failed\n", campaign.first, result.next - 1, result.failures);
  return result.failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random programs: seeds 1, 2, ... are always the same programs", "random_programs");
  app.require_subcommand(1);
  std::uint64_t seed = 1;
  std::filesystem::path folder = "random_failures";
  int result = 0;

  CLI::App* print = app.add_subcommand("print", "the PTX of a seed");
  print->add_option("seed", seed)->required();
  print->callback([&] { fmt::print("{}", text_of(generate(seed))); });

  CLI::App* run = app.add_subcommand("run", "one seed on every machine; a smaller program where it fails");
  run->add_option("seed", seed)->required();
  run->add_option("--folder", folder, "for what fails")->capture_default_str();
  run->callback([&] {
    result = passes(seed, folder) ? 0 : 1;
    if (result == 0) fmt::print("seed {}: every machine agrees\n", seed);
  });

  Campaign campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  campaign.folder = folder;
  CLI::App* many = app.add_subcommand("many", "a range of seeds; goes on where the last run in the folder ended");
  many->add_option("--first", campaign.first, "the first seed")->capture_default_str();
  many->add_option("--count", campaign.count, "how many")->capture_default_str();
  many->add_option("--jobs", campaign.jobs, "processes")->capture_default_str();
  many->add_option("--folder", campaign.folder, "for progress and what fails")->capture_default_str()->take_last();
  many->add_option("--seconds", campaign.seconds_a_seed, "a seed may take")->capture_default_str();
  many->callback([&] { result = run_all(campaign); });

  CLI11_PARSE(app, argc, argv);
  return result;
}

// SystemC's library has a main that calls this; the program's main replaces that.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
