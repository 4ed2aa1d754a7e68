// SPDX-License-Identifier: Apache-2.0
// `--threads`: the files and the output of a run do not depend on it.

#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;

namespace {

/// A run on five SMs with all recordings, and where it writes.
std::vector<std::string> recorded_run(const std::filesystem::path& folder, unsigned threads,
                                      const std::vector<std::string>& more) {
  std::vector<std::string> words = small_run({"--set", "gpu.sms=5", "--profile", "--interval", "500", "--trace",
                                              "t.json", "--log", "l.txt", "--out", "r", "--threads"});
  words.push_back(std::to_string(threads));
  words.insert(words.end(), more.begin(), more.end());
  for (std::string& word : words) {
    if (word == "t.json" || word == "l.txt" || word == "r") word = (folder / word).string();
  }
  return words;
}

}  // namespace

TEST_CASE("report, picture, profile, history, trace and log are the same on any number of threads") {
  const std::vector<std::string> more = GENERATE(
      std::vector<std::string>{}, std::vector<std::string>{"--max-cycles", "5000"},
      std::vector<std::string>{"--set", "gpu.sm.scheme=subwarp_interleaving", "--set", "gpu.memory=fixed_latency"});
  const TemporaryFolder place;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    CAPTURE(threads);
    const std::filesystem::path folder = place.path() / std::to_string(threads);
    std::filesystem::create_directory(folder);
    const ProgramResult result = run_program(recorded_run(folder, threads, more));
    INFO(result.errors);
    CHECK(result.exit_code == (more.empty() || more[0] != "--max-cycles" ? 0 : 6));
    if (threads == 1) continue;
    check_same(place.path() / "1" / "r", folder / "r");
    for (const std::string file : {"t.json", "l.txt"}) {
      CHECK((read_file(place.path() / "1" / file) == read_file(folder / file)));
    }
  }
}

TEST_CASE("a number of threads outside its range is refused") {
  const ProgramResult result = run_program({"run", saxpy, "--threads", "0"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("--threads"));
}
