// SPDX-License-Identifier: Apache-2.0
/// `reconverge report`: a page and a line, or an error and nothing else.

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* saxpy = RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml";
constexpr const char* collatz = RECONVERGE_SOURCE_DIR "/yaml/experiments/collatz.yaml";

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().string()] = read(entry.path());
  }
  return files;
}

/// A folder with the report of a run in `out`.
class PageFolder : public TemporaryFolder {
 public:
  explicit PageFolder(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", saxpy, "--out", "out", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(call(words).exit_code == 0);
  }
  ProgramResult call(const std::vector<std::string>& words) const {
    ProgramOptions options;
    options.folder = path();
    return run_program(words, options);
  }
};

}  // namespace

TEST_CASE("a page is written next to the report and leaves it unchanged") {
  const PageFolder place;
  const auto before = contents(place.path() / "out");
  const ProgramResult result = place.call({"report", "out"});
  CHECK(result.exit_code == 0);
  CHECK(result.output == "Page in out.html: 1 run\n");
  CHECK(result.errors.empty());
  CHECK(contents(place.path() / "out") == before);
  const std::string page = read(place.path() / "out.html");
  CHECK_THAT(page, Contains("<title>saxpy</title>"));
  CHECK(place.call({"report", "./out/", "--title", "Mine & yours", "--out", "other.html"}).exit_code == 0);
  CHECK_THAT(read(place.path() / "other.html"), Contains("<title>Mine &amp; yours</title>"));
}

TEST_CASE("several runs are read by their table and a failed run is left out with a note") {
  const PageFolder place({"--sweep", "gpu.sms=1,2"});
  CHECK(place.call({"report", "out"}).output == "Page in out.html: 2 runs\n");
  fs::remove(place.path() / "out" / "gpu.sms=2" / "report.json");
  const ProgramResult result = place.call({"report", "out"});
  CHECK(result.exit_code == 0);
  CHECK(result.output == "Page in out.html: 1 run\n");
  CHECK_THAT(result.errors, Contains("reconverge: warning: out/gpu.sms=2: there is no report.json"));
}

TEST_CASE("a file that is not a report is refused and no page is written") {
  const PageFolder place;
  place.write("broken/report.json", "{\"format\": ");
  place.write("empty/readme", "");
  const auto before = contents(place.path());
  const auto refusal = [&](const std::vector<std::string>& words) {
    const ProgramResult result = place.call(words);
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    return result.errors;
  };
  CHECK_THAT(refusal({"report", "out", "broken", "--out", "p.html"}),
             Contains("error: broken/report.json:1:12: this is not JSON"));
  CHECK_THAT(refusal({"report", "nowhere"}), Contains("error: nowhere: there is no such folder; give"));
  CHECK_THAT(refusal({"report", "empty"}), Contains("error: empty: there is neither report.json nor runs.csv in it"));
  CHECK_THAT(refusal({"report"}), Contains("OUT is required"));
  CHECK_THAT(refusal({"report", "out", "--out", ""}), Contains("error: --out: an empty name is no place"));
  CHECK_THAT(refusal({"report", "out", "--out", "out/page.html"}),
             Contains("error: out/page.html: this is in the folder of a report"));
  CHECK(contents(place.path()) == before);
}

TEST_CASE("a page that cannot be written leaves the earlier one") {
  const PageFolder place;
  REQUIRE(place.call({"report", "out"}).exit_code == 0);
  const std::string earlier = read(place.path() / "out.html");
  ProgramOptions options;
  options.folder = place.path();
  options.file_size_limit = 1000;
  const ProgramResult result = run_program({"report", "out"}, options);
  CHECK(result.exit_code == 4);
  CHECK_THAT(result.errors, Contains("out.html: File too large"));
  CHECK(read(place.path() / "out.html") == earlier);
}

TEST_CASE("a page takes no place but that of an earlier one") {
  const PageFolder place({"--trace", "saxpy.pftrace"});
  const fs::path mine = place.write("out.html", "<html>mine</html>");
  const auto refused = [&](const std::vector<std::string>& words, const std::string& file) {
    const std::string before = read(place.path() / file);
    const ProgramResult result = place.call(words);
    CHECK(result.exit_code == 4);
    CHECK_THAT(result.errors, Contains(file + ": is there and is not "));
    CHECK(read(place.path() / file) == before);
  };
  refused({"report", "out"}, "out.html");
  refused({"report", "out", "--trace", "saxpy.pftrace", "--out", "saxpy.pftrace"}, "saxpy.pftrace");
  refused({"run", saxpy, "--trace", "out/report.json", "--out", "out"}, "out/report.json");
  CHECK(place.call({"report", "out", "--force"}).exit_code == 0);
  CHECK_THAT(read(mine), Contains("<title>saxpy</title>"));
  CHECK(place.call({"report", "out"}).exit_code == 0);
}

TEST_CASE("a trace shows its warps only on the page of its run") {
  const PageFolder place({"--trace", "saxpy.pftrace", "--trace-window", "0:999"});
  REQUIRE(place.call({"report", "out", "--trace", "saxpy.pftrace"}).exit_code == 0);
  CHECK_THAT(read(place.path() / "out.html"), Contains("\"warps\":{\"begin\":") && Contains("SM 0 warp slot 0"));

  REQUIRE(place.call({"run", collatz, "--out", "other", "--quiet"}).exit_code == 0);
  const ProgramResult foreign = place.call({"report", "other", "--trace", "saxpy.pftrace"});
  CHECK(foreign.exit_code == 2);
  CHECK_THAT(foreign.errors, Contains("saxpy.pftrace: this is the trace of another run"));
  // Of the same kernel on another machine.
  REQUIRE(place.call({"run", saxpy, "--set", "gpu.sms=2", "--out", "other", "--force", "--quiet"}).exit_code == 0);
  CHECK(place.call({"report", "other", "--trace", "saxpy.pftrace"}).exit_code == 2);
  place.write("broken.pftrace", "no trace");
  const ProgramResult broken = place.call({"report", "out", "--trace", "broken.pftrace"});
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.errors, Contains("error: broken.pftrace: no trace of Reconverge"));
  // Whichever run comes first.
  REQUIRE(place.call({"report", "other", "out", "--trace", "saxpy.pftrace", "--out", "both.html"}).exit_code == 0);
  CHECK_THAT(read(place.path() / "both.html"), Contains("\"warps\":{\"begin\":"));
  const ProgramResult more = place.call({"report", "out", "--trace", "saxpy.pftrace", "--trace", "saxpy.pftrace"});
  CHECK(more.exit_code == 2);
  CHECK_THAT(more.errors, Contains("there is a trace of the run in out already"));
  CHECK_FALSE(fs::exists(place.path() / "other.html"));
}

TEST_CASE("a page with too much data is refused with its size and advice before it is read") {
  const PageFolder place;
  place.write("large.pftrace", "");
  fs::resize_file(place.path() / "large.pftrace", std::uintmax_t{3} << 29U);  // that take no space on the disk
  const ProgramResult large = place.call({"report", "out", "--trace", "large.pftrace"});
  CHECK(large.exit_code == 2);
  CHECK_THAT(large.errors, Contains("the files of the page have 1.5 GiB in all, and a page is made of 1.0 GiB at most; "
                                    "give fewer folders or traces"));
  ProgramOptions options;
  options.folder = place.path();
  options.environment = {"RECONVERGE_MEMORY=10 MiB"};
  const ProgramResult small = run_program({"report", "out"}, options);
  CHECK(small.exit_code == 2);
  CHECK_THAT(small.errors,
             Contains("the page would take about") && Contains("RECONVERGE_MEMORY allows 10 MiB; give fewer"));
  CHECK_FALSE(fs::exists(place.path() / "out.html"));
}

TEST_CASE("a page takes no more memory than it was estimated to, and no less than half of that") {
  const PageFolder place;
  REQUIRE(place.call({"run", collatz, "--out", "long", "--quiet", "--profile", "--interval", "4"}).exit_code == 0);
  ProgramOptions options;
  options.folder = place.path();
  options.environment = {"RECONVERGE_MEMORY=1 MiB"};
  const std::string refusal = run_program({"report", "long"}, options).errors;
  std::smatch told;
  REQUIRE(std::regex_search(refusal, told, std::regex("would take about ([0-9]+) MiB")));
  const double estimate = std::stod(told[1]) * 1024 * 1024;
  const ProgramResult result = place.call({"report", "long"});
  REQUIRE(result.exit_code == 0);
  CHECK(static_cast<double>(result.peak_bytes) <= estimate);
  CHECK(static_cast<double>(result.peak_bytes) >= estimate / 2);
}

TEST_CASE("a page names no folder of the host and is the same in any working directory") {
  const PageFolder place;
  REQUIRE(place.call({"report", "out", "--out", "first.html"}).exit_code == 0);
  const std::string folder = (place.path() / "out").string();
  REQUIRE(place.call({"report", folder, "--out", (place.path() / "second.html").string()}).exit_code == 0);
  CHECK(read(place.path() / "first.html") == read(place.path() / "second.html"));
  fs::create_directory(place.path() / "pages");
  REQUIRE(place.call({"report", folder, "--out", "pages/third.html"}).exit_code == 0);
  for (const char* page : {"second.html", "pages/third.html"}) {
    CHECK(read(place.path() / page).find(place.path().string()) == std::string::npos);
  }
}
