// SPDX-License-Identifier: Apache-2.0
/// Several runs in parallel: the same bytes as in separate runs, in one table, in the order in which they were
/// requested.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool has_control_characters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' ' && c != '\n'; });
}

/// A kernel that prints `hi`, from as many threads as the name says.
std::string talk(const std::string& name, int threads) {
  return "name: " + name + "\nmachine: functional\nbuffers: {}\nlaunches:\n  - {program: talk.ptx, grid: 1, block: " +
         std::to_string(threads) + ", arguments: []}\n";
}

constexpr const char* talk_program = R"(.version 6.5
.target sm_75
.address_size 64
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);
.global .b8 format[] = {104, 105, 10, 0};
.visible .entry talk() {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  mov.u64 %rd1, format;
  mov.u64 %rd2, 0;
  call (%r1), vprintf, (%rd1, %rd2);
  ret;
}
)";

}  // namespace

TEST_CASE("the reports of a sweep are byte-identical to those of separate runs") {
  const TemporaryFolder place;
  const std::vector<std::string> sweep{"--sweep", "gpu.sm.scheduler.policy=greedy_then_oldest,loose_round_robin",
                                       "--sweep", "gpu.sm.warp_slots=16, 6",
                                       "--jobs",  "2"};
  std::vector<std::string> words = small_run(sweep);
  // small_run sets warp_slots, which is swept here.
  words.erase(std::find(words.begin(), words.end(), "gpu.sm.warp_slots=16") - 1,
              std::find(words.begin(), words.end(), "gpu.sm.warp_slots=16") + 1);
  std::vector<std::string> alone(words.begin(), words.end() - static_cast<std::ptrdiff_t>(sweep.size()));
  const ProgramResult result = run_program(joined(words, {"--out", (place.path() / "all").string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(result.errors.empty());
  CHECK_FALSE(has_control_characters(result.output));
  CHECK(names_in(place.path() / "all").size() == 5);
  for (const std::string policy : {"greedy_then_oldest", "loose_round_robin"}) {
    for (const std::string slots : {"16", "6"}) {
      const std::string name = "gpu.sm.scheduler.policy=" + policy + ",gpu.sm.warp_slots=" + slots;
      const fs::path single = place.path() / "alone" / name;
      REQUIRE(run_program(joined(alone, {"--set", "gpu.sm.scheduler.policy=" + policy, "--set",
                                         "gpu.sm.warp_slots=" + slots, "--out", single.string()}))
                  .exit_code == 0);
      check_same(single, place.path() / "all" / name);
    }
  }
}

TEST_CASE("several experiments write the same files and bytes as separate runs") {
  const TemporaryFolder alone;
  const TemporaryFolder together;
  const std::vector<std::string> files{experiments + "collatz.yaml", experiments + "saxpy.yaml"};
  for (const std::string& file : files) {
    REQUIRE(run_program({"run", file, "--set", "gpu.sms=3"}, {alone.path()}).exit_code == 0);
  }
  const ProgramResult result =
      run_program({"run", files[0], files[1], "--jobs", "2", "--set", "gpu.sms=3"}, {together.path()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(names_in(together.path() / "out") == std::vector<std::string>{"collatz", "runs.csv", "saxpy"});
  for (const auto* name : {"collatz", "saxpy"}) {
    // If a file is given by an absolute path, the text names it.
    check_same(alone.path() / "out" / name, together.path() / "out" / name);
  }
}

TEST_CASE("the table has one row per run in the order of the sweep regardless of end order") {
  const TemporaryFolder place;
  // The first run is the longest, and the last ends long before it.
  const std::vector<std::string> sweep{"--sweep", "workload.samples=24,4,1", "--sweep", "gpu.sms=2,1"};
  std::vector<std::string> words = small_run(sweep);
  words.erase(std::find(words.begin(), words.end(), "gpu.sms=2") - 1,
              std::find(words.begin(), words.end(), "gpu.sms=2") + 1);
  const fs::path first = place.path() / "first";
  const fs::path second = place.path() / "second";
  const ProgramResult side_by_side = run_program(joined(words, {"--jobs", "6", "--out", first.string()}));
  const ProgramResult in_turn = run_program(joined(words, {"--jobs", "1", "--out", second.string()}));
  INFO(side_by_side.errors << in_turn.errors);
  REQUIRE(side_by_side.exit_code == 0);
  REQUIRE(in_turn.exit_code == 0);
  const std::string table = read_file(first / "runs.csv");
  CHECK(table == read_file(second / "runs.csv"));
  const std::vector<std::string> lines = lines_of(table);
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] ==
        "folder,experiment,workload.samples,gpu.sms,status,cycles,ray_rate,thread_ipc,simd_efficiency,"
        "warp_instructions,speedup,slots_memory,l1_hit_rate,l2_hit_rate");
  const std::vector<std::string> settings{"24,2", "24,1", "4,2", "4,1", "1,2", "1,1"};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    CHECK_THAT(lines[i + 1], Contains(",conference," + settings[i] + ",ok,"));
  }
  CHECK_THAT(side_by_side.output, StartsWith("samples  sms  status ") && Contains("\n24       2    ok ") &&
                                      Contains("Mrays/s") && Contains("warp instr.") && Contains("runs.csv\n"));
}

TEST_CASE("the figures of the table match the reports") {
  const TemporaryFolder place;
  const ProgramResult result = run_program(
      {"run", experiments + "saxpy.yaml", "--sweep", "machine=timed,functional", "--quiet"}, {place.path()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(result.output.empty());
  const fs::path out = place.path() / "out" / "saxpy-sweep";
  const std::vector<std::string> lines = lines_of(read_file(out / "runs.csv"));
  REQUIRE(lines.size() == 3);
  const std::string report = read_file(out / "machine=timed" / "report.csv");
  std::string expected = "machine=timed,saxpy,timed,ok";
  for (const std::string_view figure : {"cycles", "ray_rate", "thread_ipc", "simd_efficiency", "warp_instructions",
                                        "speedup", "slots_memory", "l1_hit_rate", "l2_hit_rate"}) {
    expected += ',';
    if (figure == "speedup") expected += '1';  // relative to itself
    if (figure == "ray_rate" || figure == "speedup") continue;
    const std::string begin = "\ntotal,," + std::string(figure) + ',';
    REQUIRE_THAT(report, Contains(begin));
    const std::size_t value = report.find(begin) + begin.size();
    expected += report.substr(value, report.find(',', value) - value);
  }
  CHECK(lines[1] == expected);
  CHECK(lines[2] == "machine=functional,saxpy,functional,ok,,,,1,2560,,,,");
}

TEST_CASE("notes on figures of the reports appear once below the table") {
  const TemporaryFolder place;
  const std::vector<std::string> words{"run",     experiments + "collatz.yaml",
                                       "--out",   place.path() / "out",
                                       "--sweep", "gpu.sm.scheme=reconvergence_stack,mimd",
                                       "--sweep"};
  const auto printed = [&](const std::string& sms, const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.push_back("gpu.sms=" + sms);
    all.insert(all.end(), more.begin(), more.end());
    std::string text = run_program(all).output;
    if (more.empty()) std::ranges::replace(text, '\n', ' ');
    return text;
  };
  const std::string one = printed("1", {});
  CHECK_THAT(one, Contains("scheme=mimd, sms=1: Under mimd each lane issues by itself"));
  CHECK_THAT(one, !Contains("has such a note") && !Contains("reconvergence_stack, sms=1: "));
  const std::string two = printed("1,2,4", {"--force"});
  CHECK(two.find("Under mimd") == two.rfind("Under mimd"));
  CHECK_THAT(two, Contains("2 other runs have such a note"));
  const json::value document = json::parse(printed("1", {"--force", "--json"}));
  const json::array& runs = document.at("runs").as_array();
  CHECK(runs.at(0).at("notes").as_object().empty());
  CHECK(runs.at(1).at("notes").at("simd").as_string().starts_with("Under mimd"));
}

TEST_CASE("kernel output is in the order of the runs with their names in front") {
  const TemporaryFolder place;
  place.write("talk.ptx", talk_program);
  place.write("long.yaml", talk("long", 600));
  place.write("short.yaml", talk("short", 2));
  const ProgramResult result = run_program({"run", "long.yaml", "short.yaml", "--jobs", "2"}, {place.path()});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, StartsWith("long:\n[talk] hi\n") &&
                                Contains("[talk] hi\n\nshort:\n[talk] hi\n[talk] hi\n\nexperiment  status"));
  CHECK(std::count(result.output.begin(), result.output.end(), '\n') > 602);
}

TEST_CASE("the configurations of a sweep are dumped in order without a run") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_program({"run", experiments + "saxpy.yaml", "--sweep", "gpu.sms=1,2", "--dump-config"}, {place.path()});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, StartsWith("# sms=1\n") && Contains("sms: 1  # command line") &&
                                Contains("\n---\n# sms=2\n") && Contains("sms: 2  # command line"));
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("progress of several runs is one line on a terminal") {
  const TemporaryFolder place;
  std::vector<std::string> words = small_run({"--sweep", "workload.seed=1,2,3", "--jobs", "2"});
  ProgramOptions terminal;
  terminal.terminal = true;
  const ProgramResult shown = run_program(joined(words, {"--out", (place.path() / "out").string()}), terminal);
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.output, Contains("\r\x1b[K0 of 3 runs ended; seed=1; seed=2") && Contains(" runs ended; seed="));
  // The progress line is cleared before the table is printed.
  CHECK_THAT(shown.output, Contains("\r\x1b[Kseed  status"));
}
