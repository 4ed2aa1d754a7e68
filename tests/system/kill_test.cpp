// SPDX-License-Identifier: Apache-2.0
/// SIGKILL at random moments of a sweep, which leaves no time to clean up, and --resume.

#include <sys/stat.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "models/core/digest.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> sweep(const std::string& out) {
  return {"run",      RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml",
          "--sweep",  "machine=timed,functional",
          "--sweep",  "gpu.sms=1,2,3",
          "--jobs",   "2",
          "--resume", "--out",
          out};
}

/// All files below a folder, by relative path, and their contents. Empty folders end in a slash.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_regular_file()) contents[name] = read_file(entry.path());
    if (entry.is_directory() && fs::is_empty(entry.path())) contents[name + '/'] = "";
  }
  return contents;
}

ino_t inode_of(const fs::path& file) {
  struct stat found {};
  return lstat(file.c_str(), &found) == 0 ? found.st_ino : 0;
}

/// Whether the report is complete; an existing manifest must describe the files in its folder.
bool is_whole(const fs::path& folder) {
  if (!fs::exists(folder / "manifest.json")) return false;
  const json::value manifest = json::parse(read_file(folder / "manifest.json"));
  const json::array& outputs = manifest.at("outputs").as_array();
  return std::all_of(outputs.begin(), outputs.end(), [&](const json::value& output) {
    const fs::path file = folder / std::string(output.at("file").as_string());
    return fs::exists(file) && reconverge::sha256_of_file(file) == std::string(output.at("sha256").as_string());
  });
}

/// Manifests of the runs that are complete and equal those in `wanted`.
std::map<std::string, ino_t> finished(const fs::path& out, const std::map<std::string, std::string>& wanted) {
  std::map<std::string, ino_t> manifests;
  for (const std::string& run : names_in(out)) {
    const std::string manifest = run + "/manifest.json";
    if (!wanted.contains(manifest) || read_file(out / manifest) != wanted.at(manifest)) continue;
    if (is_whole(out / run)) manifests[manifest] = inode_of(out / manifest);
  }
  return manifests;
}

unsigned kills() {
  const char* wanted = std::getenv("RECONVERGE_KILLS");
  return wanted == nullptr ? 10 : static_cast<unsigned>(std::stoul(wanted));
}

}  // namespace

TEST_CASE("a killed sweep resumes with --resume: no run is lost or repeated, no file is left") {
  const TemporaryFolder place;
  ProgramOptions options;
  options.folder = place.path();
  const auto begin = Clock::now();
  REQUIRE(run_program(sweep("undisturbed"), options).exit_code == 0);
  const auto whole_time = Clock::now() - begin;
  const std::map<std::string, std::string> wanted = contents_of(place.path() / "undisturbed");
  REQUIRE(wanted.size() > 6 * 4);
  // Reports of other runs, which these runs replace.
  std::vector<std::string> other = sweep("other");
  other.insert(other.end(), {"--set", "gpu.sm.warp_slots=32"});
  REQUIRE(run_program(other, options).exit_code == 0);

  const fs::path out = place.path() / "out";
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same moments each time, as far as possible
  std::uniform_real_distribution<double> share(0, 1);
  unsigned interrupted = 0;
  unsigned taken_over = 0;
  for (unsigned round = 0; interrupted < kills(); ++round) {
    REQUIRE(round < 3 * kills());
    fs::remove_all(out);
    if (round % 2 == 1) fs::copy(place.path() / "other", out, fs::copy_options::recursive);
    std::map<std::string, ino_t> earlier;
    for (unsigned kill = 0; kill <= round % 3; ++kill) {
      RunningProgram program(sweep("out"), options);
      std::this_thread::sleep_for(std::chrono::duration<double>(whole_time) * share(random));
      program.send(SIGKILL);
      const ProgramResult result = program.wait();
      INFO(result.errors);
      CHECK(result.errors.empty());
      interrupted += result.signal == SIGKILL ? 1 : 0;
      for (const auto& [manifest, inode] : earlier) CHECK(inode_of(out / manifest) == inode);
      earlier = finished(out, wanted);
    }
    taken_over += static_cast<unsigned>(earlier.size());
    const ProgramResult result = run_program(sweep("out"), options);
    INFO("round " << round << ": " << result.errors << result.output);
    REQUIRE(result.exit_code == 0);
    for (const auto& [manifest, inode] : earlier) CHECK(inode_of(out / manifest) == inode);
    CHECK(contents_of(out) == wanted);
  }
  CHECK(taken_over > 0);
  SUCCEED(interrupted << " kills, after which " << taken_over << " runs were taken over");
}
