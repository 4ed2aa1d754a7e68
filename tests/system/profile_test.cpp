// SPDX-License-Identifier: Apache-2.0
/// `run --profile --interval` and `profile`: sums against the counters of the same report, on every machine.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr const char* tree = RECONVERGE_SOURCE_DIR "/";

json::value report_in(const fs::path& folder) { return json::parse(read_file(folder / "report.json")); }

std::uint64_t number(const json::value& value) { return value.to_number<std::uint64_t>(); }

std::uint64_t sum_of(const json::value& numbers) {
  std::uint64_t sum = 0;
  for (const json::value& one : numbers.as_array()) sum += number(one);
  return sum;
}

std::vector<std::uint64_t> columns_of(const json::value& rows) {
  std::vector<std::uint64_t> sums;
  for (const json::value& row : rows.as_array()) {
    sums.resize(row.as_array().size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += number(row.at(i));
  }
  return sums;
}

std::size_t place_of(const json::array& names, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(names, json::value(name)) - names.begin());
}

void check_profile(const json::value& launch, const json::value& bins) {
  const json::value& profile = launch.at("profile");
  const json::value& scheduler = launch.at("counters").at("gpu.sm.scheduler");
  std::uint64_t executions = 0;
  std::uint64_t threads = 0;
  std::uint64_t lost = 0;
  std::uint64_t hits = 0;
  std::uint64_t reads = 0;
  const json::array& causes = profile.at("causes").as_array();
  std::vector<std::uint64_t> stalls(causes.size());
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += number(profile.at("stalls_of_no_warp").at(i));
  for (const json::value& row : profile.at("instructions").as_array()) {
    executions += number(row.at("executions"));
    threads += number(row.at("threads"));
    lost += number(row.at("lost_lanes"));
    for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += number(row.at("stalls").at(i));
    if (!row.as_object().contains("memory")) continue;
    hits += number(row.at("memory").at("hits"));
    reads += number(row.at("memory").at("hits")) + number(row.at("memory").at("misses")) +
             number(row.at("memory").at("merges"));
  }
  const json::value& figures = launch.at("figures");
  CHECK(threads == number(figures.at("thread_instructions")));
  if (number(profile.at("lanes")) == 32) {
    CHECK(executions == number(figures.at("warp_instructions")));
    CHECK(lost == 32 * executions - threads);
  } else {
    CHECK(executions == threads);
    CHECK(lost == 0);
  }
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    CAPTURE(causes[i].as_string().c_str());
    CHECK(stalls[i] == number(scheduler.at("slots").at(place_of(bins.as_array(), causes[i].as_string()))));
  }
  CHECK(causes.size() + 2 == bins.as_array().size());
  std::uint64_t cache_hits = 0;
  std::uint64_t cache_reads = 0;
  for (const char* cache : {"gpu.sm.l1", "gpu.sm.texture_cache", "gpu.sm.constant_cache"}) {
    const json::value& counters = launch.at("counters").at(cache);
    cache_hits += number(counters.at("hits"));
    cache_reads += number(counters.at("hits")) + number(counters.at("misses")) + number(counters.at("merges"));
  }
  CHECK(hits == cache_hits);
  CHECK(reads == cache_reads);
}

void check_timeline(const json::value& launch) {
  const json::value& timeline = launch.at("timeline");
  const json::value& counters = launch.at("counters");
  const std::size_t intervals = timeline.at("begin").as_array().size();
  CHECK(number(timeline.at("cycles")) == number(launch.at("figures").at("cycles")));
  const std::vector<std::uint64_t> slots = columns_of(timeline.at("slots"));
  const json::array& expected = counters.at("gpu.sm.scheduler").at("slots").as_array();
  REQUIRE(slots.size() == expected.size());
  for (std::size_t i = 0; i < slots.size(); ++i) CHECK(slots[i] == number(expected[i]));
  REQUIRE(timeline.at("slots").as_array().size() == intervals);
  REQUIRE(timeline.at("lanes").as_array().size() == intervals);
  for (std::size_t i = 0; i < intervals; ++i) {
    CHECK(sum_of(timeline.at("lanes").at(i)) == sum_of(timeline.at("slots").at(i)));
    CHECK(timeline.at("lanes").at(i).as_array().size() == 10);
  }
  for (const auto& [name, cache] : timeline.at("caches").as_object()) {
    const json::value& of = counters.at(name == "l2" ? "gpu.l2" : "gpu.sm." + std::string(name));
    CHECK(cache.at("hits").as_array().size() == intervals);
    CHECK(sum_of(cache.at("hits")) == number(of.at("hits")));
    CHECK(sum_of(cache.at("accesses")) == number(of.at("hits")) + number(of.at("misses")) + number(of.at("merges")));
  }
  CHECK(sum_of(timeline.at("dram_bytes")) ==
        number(counters.at("gpu.l2").at("bytes_from_memory")) + number(counters.at("gpu.l2").at("bytes_to_memory")));
}

/// Every launch or stage has both, and their sums equal its counters. Returns the number of launches and stages.
std::size_t check_report(const json::value& report, const char* list) {
  const json::value& bins = report.at("definitions").at("counters").at("gpu.sm.scheduler").at("slots").at("bins");
  for (const json::value& launch : report.at(list).as_array()) {
    CAPTURE(launch.at("name").as_string().c_str());
    check_profile(launch, bins);
    check_timeline(launch);
  }
  return report.at(list).as_array().size();
}

void succeed(const ProgramResult& result) {
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
}

}  // namespace

TEST_CASE("profiles and intervals of launches add up, and change nothing else") {
  const TemporaryFolder place;
  const std::string file = std::string(tree) + "yaml/experiments/collatz.yaml";
  const auto* const scheme =
      GENERATE("reconvergence_stack", "mimd", "thread_block_compaction", "convergence_barrier", "subwarp_interleaving");
  CAPTURE(scheme);
  const std::string setting = fmt::format("gpu.sm.scheme={}", scheme);
  succeed(
      run_program({"run", file, "--set", setting, "--profile", "--interval", "500", "--out", "on"}, {place.path()}));
  succeed(run_program({"run", file, "--set", setting, "--out", "off"}, {place.path()}));
  json::value on = report_in(place.path() / "on");
  CHECK(check_report(on, "launches") == 2);
  for (json::value& launch : on.at("launches").as_array()) {
    launch.as_object().erase("profile");
    launch.as_object().erase("timeline");
  }
  CHECK(on == report_in(place.path() / "off"));
  const std::string csv = read_file(place.path() / "on" / "divergence.csv");
  CHECK_THAT(csv, StartsWith("cycle,slots,empty,waiting,W0:4,"));
  CHECK_THAT(read_file(place.path() / "on" / "divergence.svg"), Contains("sum of steps"));
}

TEST_CASE("profiles of ray tracing add up with micro-kernels, shuffling and a traversal unit") {
  const TemporaryFolder place;
  const auto* const experiment = GENERATE("conference", "dmk_microkernels", "dmk_automatic", "drs_shuffling",
                                          "conference_mimd", "turing_trace_unit");
  CAPTURE(experiment);
  succeed(run_program({"run",       fmt::format("{}yaml/experiments/{}.yaml", tree, experiment),
                       "--set",     "workload.width=16",
                       "--set",     "workload.height=12",
                       "--set",     "workload.samples=1",
                       "--set",     "workload.bounces=1",
                       "--set",     "stop_after=0 cycles",
                       "--set",     "gpu.sms=1",
                       "--set",     "workload.scene=box",
                       "--profile", "--interval",
                       "1000",      "--out",
                       "out"},
                      {place.path()}));
  const json::value report = report_in(place.path() / "out");
  CHECK(check_report(report, "stages") >= 2);
  if (experiment != std::string_view("drs_shuffling")) return;
  // Warps wait for rows of rays before these instructions, not after the instructions that they have issued.
  std::uint64_t lost = 0;
  for (const json::value& stage : report.at("stages").as_array()) {
    const json::value& profile = stage.at("profile");
    const std::size_t shuffling = place_of(profile.at("causes").as_array(), "shuffling");
    for (const json::value& row : profile.at("instructions").as_array()) {
      const std::uint64_t slots = number(row.at("stalls").at(shuffling));
      lost += slots;
      const std::string text(row.at("text").as_string());
      if (slots != 0) CHECK_THAT(text, Contains("rdctrl") || Contains("%ray_state"));
    }
  }
  CHECK(lost > 0);
}

TEST_CASE("the machine without time has executions, threads and branches") {
  const TemporaryFolder place;
  const std::string file = std::string(tree) + "yaml/experiments/collatz.yaml";
  succeed(run_program({"run", file, "--set", "machine=functional", "--profile", "--out", "out"}, {place.path()}));
  const json::value report = report_in(place.path() / "out");
  for (const json::value& launch : report.at("launches").as_array()) {
    const json::value& profile = launch.at("profile");
    CHECK(profile.at("causes").as_array().empty());
    std::uint64_t executions = 0;
    std::uint64_t threads = 0;
    std::uint64_t to_targets = 0;
    for (const json::value& row : profile.at("instructions").as_array()) {
      executions += number(row.at("executions"));
      threads += number(row.at("threads"));
      if (!row.as_object().contains("branch")) continue;
      std::uint64_t to = 0;
      for (const json::value& target : row.at("branch").at("targets").as_array()) to += number(target.at("threads"));
      CHECK(to == number(row.at("threads")));
      to_targets += to;
    }
    CHECK(executions == number(launch.at("figures").at("warp_instructions")));
    CHECK(threads == number(launch.at("figures").at("thread_instructions")));
    CHECK(to_targets > 0);
  }
  const ProgramResult table = run_program({"profile", "out"}, {place.path()});
  succeed(table);
  CHECK_THAT(table.output, Contains("collatz: kernel collatz of ") && Contains("threads to"));
  CHECK_THAT(table.output, !Contains("lost slots"));
}

TEST_CASE("recordings that a machine does not support are refused before any run") {
  const TemporaryFolder place;
  const std::string file = std::string(tree) + "yaml/experiments/julia.yaml";
  const auto complaint = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--out", "out"});
    const ProgramResult result = run_program(words, {place.path()});
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK(names_in(place.path()).empty());
    return result.errors;
  };
  CHECK_THAT(complaint({"run", file, "--set", "machine=streams", "--profile"}),
             Contains("profile: ") && Contains("the machine is streams") && Contains("set machine to timed"));
  CHECK_THAT(complaint({"run", file, "--set", "machine=multi_pass", "--interval", "10"}),
             Contains("timeline: ") && Contains("the machine is multi_pass"));
  CHECK_THAT(complaint({"run", file, "--set", "machine=functional", "--interval", "10"}),
             Contains("the machine is functional"));
  CHECK_THAT(complaint({"run", file, "--interval", "0"}), Contains("--interval"));
}

TEST_CASE("repeated launches add up, and sweeps are profiled run by run") {
  const TemporaryFolder place;
  place.write("run.yaml", fmt::format("gpu: {{sms: 1}}\nbuffers:\n  x: {{type: f32, count: 1000}}\n"
                                      "  y: {{type: f32, count: 1000}}\nlaunches:\n- repeat: 3\n  launches:\n"
                                      "  - {{program: {}platforms/kernels/saxpy.ptx, threads: 1000, block: 128, "
                                      "arguments: [2.0, x, y, 1000]}}\n",
                                      tree));
  succeed(run_program(
      {"run", "run.yaml", "--profile", "--interval", "100", "--out", "out", "--sweep", "gpu.sm.scheduler.count=1,4"},
      {place.path()}));
  std::size_t reports = 0;
  for (const std::string& name : names_in(place.path() / "out")) {
    if (!fs::is_directory(place.path() / "out" / name)) continue;
    ++reports;
    const json::value report = report_in(place.path() / "out" / name);
    CHECK(check_report(report, "launches") == 1);
    CHECK(number(report.at("launches").at(0).at("runs")) == 3);
  }
  CHECK(reports == 2);
}

TEST_CASE("profile shows a report's table, one launch of it, or why it cannot") {
  const TemporaryFolder place;
  const std::string file = std::string(tree) + "yaml/experiments/collatz.yaml";
  succeed(run_program({"run", file, "--profile", "--out", "on"}, {place.path()}));
  succeed(run_program({"run", file, "--out", "off"}, {place.path()}));
  const auto show = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "profile");
    return run_program(words, {place.path()});
  };
  const ProgramResult all = show({"on", "--top", "3"});
  succeed(all);
  CHECK_THAT(all.output, Contains("collatz: kernel collatz of ") && Contains("sum of steps: kernel reduce_sum of "));
  CHECK(std::ranges::count(all.output, '\n') == 2 * 6 + 1);
  const ProgramResult one = show({"on", "--launch", "sum of steps", "--by", "line", "--top", "0"});
  succeed(one);
  CHECK_THAT(one.output, StartsWith("sum of steps: ") && Contains("bar.sync") && Contains("barrier"));

  const ProgramResult none = show({"on", "--launch", "sum of step"});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.errors, Contains("did you mean sum of steps?"));
  const ProgramResult order = show({"on", "--by", "cost"});
  CHECK(order.exit_code == 2);
  CHECK_THAT(order.errors, Contains("--by: cost not in {lost,stalls,line}"));
  const ProgramResult off = show({"off"});
  CHECK(off.exit_code == 2);
  CHECK_THAT(off.errors,
             Contains("off/report.json: the report has no profile; run the experiment again with --profile"));
  const ProgramResult nowhere = show({"nowhere"});
  CHECK(nowhere.exit_code == 2);
  CHECK(is_one_complaint(nowhere.errors));
}

TEST_CASE("a profile quotes no file that is neither below its program nor below a --source-root") {
  const TemporaryFolder place;
  const std::string secret = place.write("home/secret.txt", "user:password\n");
  place.write("kernels/k.ptx", fmt::format(".version 6.4\n.target sm_70\n.address_size 64\n.file 1 \"{}\"\n"
                                           ".file 2 \"/build/of/others/beside.cu\"\n"
                                           ".visible .entry k()\n{{\n.reg .b32 %r<9>;\n.loc 1 1 0\n"
                                           "mov.u32 %r1, 1;\n.loc 2 1 0\nmov.u32 %r2, 2;\nret;\n}}\n",
                                           secret));
  place.write("kernels/beside.cu", "int x = 2;\n");
  place.write("run.yaml", "gpu: {sms: 1}\nlaunches: [{program: kernels/k.ptx, grid: 1, block: 32}]\n");
  const ProgramOptions here{place.path()};
  const ProgramResult closed = run_program({"run", "run.yaml", "--profile", "--out", "closed"}, here);
  succeed(closed);
  CHECK_THAT(closed.errors, StartsWith("reconverge: warning: ") && Contains("secret.txt' is not below the folder of") &&
                                Contains("--source-root"));
  CHECK(std::ranges::count(closed.errors, '\n') == 1);
  const auto sources = [&](const char* folder) {
    const json::value report = report_in(place.path() / folder);
    std::string texts;
    for (const json::value& row : report.at("launches").at(0).at("profile").at("instructions").as_array()) {
      if (row.as_object().contains("source")) texts += json::serialize(row.at("source")) + '\n';
    }
    return texts;
  };
  CHECK_THAT(sources("closed"), StartsWith("{\"file\":\"secret.txt\",\"line\":1,\"text\":\"\"}\n"
                                           "{\"file\":\"beside.cu\",\"line\":1,\"text\":\"int x = 2;\"}\n"));
  for (const std::string& name : names_in(place.path() / "closed")) {
    CHECK_THAT(read_file(place.path() / "closed" / name), !Contains("password") && !Contains(place.path().string()));
  }

  const ProgramResult open =
      run_program({"run", "run.yaml", "--profile", "--out", "open", "--source-root", "home"}, here);
  succeed(open);
  CHECK(open.errors.empty());
  CHECK_THAT(sources("open"), StartsWith("{\"file\":\"secret.txt\",\"line\":1,\"text\":\"user:password\"}\n"));
  CHECK(run_program({"run", "run.yaml", "--source-root", "nowhere"}, here).exit_code == 2);
}
