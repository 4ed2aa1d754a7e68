// SPDX-License-Identifier: Apache-2.0 Campaigns with stand-ins for programs: the seeds that are run, the response to
// the death of a process, and the seed at which a run resumes.

#include "tests/random/campaign.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace reconverge {
namespace {

using random_programs::Campaign;
using random_programs::run_campaign;

/// A temporary folder, removed at the end. Processes record the seeds that they run as files in it.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(std::filesystem::temp_directory_path() / ("reconverge_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "run");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void note(std::uint64_t seed) const { std::ofstream(path_ / "run" / std::to_string(seed), std::ios::app) << '.'; }
  /// How often a seed was run.
  std::uintmax_t runs(std::uint64_t seed) const {
    const auto file = path_ / "run" / std::to_string(seed);
    return std::filesystem::exists(file) ? std::filesystem::file_size(file) : 0;
  }

 private:
  std::filesystem::path path_;
};

Campaign campaign_in(const Folder& folder, std::uint64_t count) {
  Campaign campaign;
  campaign.first = 10;
  campaign.count = count;
  campaign.jobs = 3;
  campaign.seconds_a_seed = 1;
  campaign.folder = folder.path();
  return campaign;
}

}  // namespace

TEST_CASE("a campaign runs each seed once even if other seeds fail", "[random]") {
  const Folder folder("campaign_once");
  constexpr std::uint64_t wrong = 17;
  constexpr std::uint64_t crash = 600;
  constexpr std::uint64_t endless = 1100;
  constexpr std::uint64_t says_endless = 1200;
  std::vector<std::string> dead;
  const auto result = run_campaign(
      campaign_in(folder, 1600),
      [&](std::uint64_t seed) {
        folder.note(seed);
        if (seed == crash) std::_Exit(3);
        if (seed == endless) std::this_thread::sleep_for(std::chrono::minutes(10));
        if (seed == says_endless) std::_Exit(Campaign::endless_status);
        return seed != wrong;
      },
      [&](std::uint64_t seed, const char* how) { dead.push_back(std::to_string(seed) + " " + how); });
  CHECK(result.next == 1610);
  CHECK(result.failures == 4);
  std::sort(dead.begin(), dead.end());
  CHECK(dead == std::vector<std::string>{"1100 took too long", "1200 does not end", "600 crashed"});
  std::uint64_t once = 0;
  for (std::uint64_t seed = 10; seed < 1610; ++seed) once += folder.runs(seed) == 1 ? 1 : 0;
  CHECK(once == 1600);
  CHECK(folder.runs(9) + folder.runs(1610) == 0);
}

TEST_CASE("a campaign resumes where it ended and stops after enough failures", "[random]") {
  const Folder folder("campaign_again");
  const auto no_crash = [](std::uint64_t /*seed*/, const char* /*how*/) {};
  const auto run = [&](std::uint64_t count, bool passes) {
    return run_campaign(
        campaign_in(folder, count),
        [&](std::uint64_t seed) {
          folder.note(seed);
          return passes;
        },
        no_crash);
  };
  CHECK(run(700, true).next == 710);
  const auto more = run(1400, true);
  CHECK(more.next == 1410);
  CHECK(more.failures == 0);
  CHECK(folder.runs(709) == 1);
  CHECK(folder.runs(1409) == 1);
  const auto failing = run(50'000, false);
  // Processes that run seeds when the twentieth fails may also fail.
  CHECK(failing.failures >= 20);
  CHECK(failing.failures < 40);
  CHECK(failing.next < 1'440);
}

}  // namespace reconverge
