// SPDX-License-Identifier: Apache-2.0
/// --trace and --log in whole runs: they contain all that the report counts; and refusals.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "platforms/trace/sm_trace.hpp"
#include "platforms/trace/warp_log.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::string file_of(const std::string& experiment) {
  return RECONVERGE_SOURCE_DIR "/yaml/experiments/" + experiment + ".yaml";
}

std::vector<std::string> words(const std::string& experiment, const fs::path& out,
                               const std::vector<std::string>& more) {
  std::vector<std::string> all{"run", file_of(experiment), "--out", out.string(), "--quiet"};
  for (const char* setting : {"gpu.sms=2", "workload.scene=conference_small", "workload.width=64", "workload.height=48",
                              "workload.samples=1", "workload.bounces=1"}) {
    all.insert(all.end(), {"--set", setting});
  }
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::uint64_t sum(const json::value& counts) {
  std::uint64_t sum = 0;
  for (const auto& count : counts.as_array()) sum += count.to_number<std::uint64_t>();
  return sum;
}

const std::vector<std::string> whole{"--trace-window", "0:1000000000"};

const std::string collatz = file_of("collatz");
const std::string lock = RECONVERGE_SOURCE_DIR "/examples/divergence_bug/lock.yaml";

/// Lines of a log by event.
std::map<std::string, std::uint64_t> events_of(const std::string& log) {
  std::map<std::string, std::uint64_t> events;
  std::istringstream in(log);
  for (std::string text; std::getline(in, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream words(text);
    std::string event;
    for (int i = 0; i < 9; ++i) words >> event;
    ++events[event];
  }
  return events;
}

}  // namespace

TEST_CASE("a trace of a whole run of dynamic ray shuffling has all that its report counts") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "warps.pftrace").string();
  std::vector<std::string> more{"--trace", file};
  more.insert(more.end(), whole.begin(), whole.end());
  REQUIRE(run_program(words("drs_shuffling", place.path() / "out", more)).exit_code == 0);
  const json::value report = json::parse(read_file(place.path() / "out" / "report.json"));
  const json::object& counters = report.at("total").at("counters").as_object();
  const trace::Trace trace = trace::from_perfetto(read_file(file));

  std::uint64_t instructions = 0, with_row = 0, misses = 0, launches = 0;
  std::map<std::string, std::uint64_t> moved;  // registers, by the end of the track's name
  for (const trace::Slice& slice : trace.slices) {
    const std::string& category = trace.name(slice.category);
    const std::string& track = trace.tracks[slice.track].name;
    instructions += category == trace::instruction_category ? 1 : 0;
    with_row += category == trace::instruction_category && trace.find(slice, "row of rays") != nullptr ? 1 : 0;
    launches += category == trace::launch_category ? 1 : 0;
    misses += track == "l1 misses" && trace.name(slice.name) == "miss" ? 1 : 0;
    if (category == trace::swap_category) moved[track.substr(track.rfind(' ') + 1)] += slice.end - slice.begin;
  }
  CHECK(instructions == sum(counters.at("gpu.sm.scheduler").at("active_lanes")));
  CHECK(misses == counters.at("gpu.sm.l1").at("misses").to_number<std::uint64_t>());
  CHECK(launches == report.at("stages").as_array().size());
  const json::value& rays = counters.at("gpu.sm.dynamic_ray_shuffling");
  CHECK(moved["reads"] == rays.at("register_reads").to_number<std::uint64_t>());
  CHECK(moved["writes"] == rays.at("register_writes").to_number<std::uint64_t>());
  CHECK(moved["reads"] > 0);
  CHECK(with_row > 0);
}

TEST_CASE("a trace changes nothing in the report, and two runs give the same bytes") {
  const TemporaryFolder place;
  for (const std::string name : {"first", "second"}) {
    REQUIRE(run_program(words("conference", place.path() / name,
                              {"--trace", (place.path() / (name + ".pftrace")).string(), "--trace-window", "50:900"}))
                .exit_code == 0);
  }
  const std::string bytes = read_file(place.path() / "first.pftrace");
  CHECK(bytes == read_file(place.path() / "second.pftrace"));
  for (const trace::Slice& slice : trace::from_perfetto(bytes).slices) {
    if (slice.begin < 50 || slice.end > 901) FAIL("a slice reaches out of the window");
  }
  REQUIRE(run_program(words("conference", place.path() / "without", {})).exit_code == 0);
  CHECK(read_file(place.path() / "without" / "report.json") == read_file(place.path() / "first" / "report.json"));
}

TEST_CASE("a run without a trace is refused and leaves no file") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "warps.pftrace").string();
  const auto refused = [&](const std::vector<std::string>& arguments, int code, const std::string& why) {
    const ProgramResult result = run_program(arguments);
    INFO(result.errors);
    CHECK(result.exit_code == code);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(why));
    CHECK_FALSE(fs::exists(file));
  };
  const fs::path out = place.path() / "out";
  refused({"run", file_of("saxpy"), "--out", out.string(), "--set", "machine=functional", "--trace", file}, 2,
          "set machine to timed");
  refused({"run", file_of("stream_julia"), "--out", out.string(), "--trace", file}, 2, "set machine to timed");
  refused(words("conference", out, {"--trace", file, "--sweep", "gpu.sms=1,2"}), 2, "one run");
  refused(words("conference", out, {"--trace", file, "--resume"}), 2, "--resume");
  refused(words("conference", out, {"--trace", file, "--trace-window", "9"}), 2, "window of cycles");
  refused(words("conference", out, {"--trace-window", "0:9"}), 2, "--trace-window requires --trace");
  CHECK_FALSE(fs::exists(out));
  refused(words("conference", out, {"--trace", file, "--trace-window", "900000000:900000001"}), 4, "nothing ran");
  // A limit that ended the run is reported rather than a window that it did not reach.
  refused(words("conference", out, {"--trace", file, "--trace-window", "900:901", "--max-cycles", "100"}), 6,
          "nothing ran");
  refused(words("conference", out, {"--trace", (place.path() / "no_folder" / "warps.pftrace").string()}), 4,
          "no_folder");
}

TEST_CASE("a log of a whole run has all that its report counts, and changes nothing in it") {
  const TemporaryFolder place;
  const auto run = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", collatz, "--quiet", "--profile", "--out", (place.path() / name).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    REQUIRE(run_program(arguments).exit_code == 0);
    return read_file(place.path() / name / "report.json");
  };
  const fs::path file = place.path() / "collatz.log";
  const std::vector<std::string> logged{"--log", file.string(), "--log-window", "0:1000000000"};
  const std::string text = run("with", logged);
  CHECK(text == run("without", {}));
  const std::string log = read_file(file);
  CHECK(log.starts_with(trace::log_mark));
  run("with", logged);  // an earlier log is replaced
  CHECK(log == read_file(file));
  CHECK(names_in(place.path()) == std::vector<std::string>{"collatz.log", "with", "without"});

  const json::value report = json::parse(text);
  std::uint64_t divergent = 0;
  for (const auto& launch : report.at("launches").as_array()) {
    for (const auto& instruction : launch.at("profile").at("instructions").as_array()) {
      const auto* const branch = instruction.as_object().if_contains("branch");
      if (branch != nullptr) divergent += branch->at("divergent").to_number<std::uint64_t>();
    }
  }
  auto events = events_of(log);
  CHECK(divergent > 0);
  CHECK(events["diverge"] == divergent);
  CHECK(events["issue"] == sum(report.at("total").at("counters").at("gpu.sm.scheduler").at("active_lanes")));
}

TEST_CASE("a run that its program ends leaves the log of the cycles before") {
  const TemporaryFolder place;
  const fs::path file = place.path() / "lock.log";
  const ProgramResult result = run_program({"run", lock, "--quiet", "--out", (place.path() / "out").string(), "--log",
                                            file.string(), "--log-window", "0:1999"});
  CHECK(result.exit_code == 3);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("livelock") && Contains("lock.log"));
  auto events = events_of(read_file(file));
  CHECK(events["diverge"] >= 1);
  CHECK(events["issue"] > 10);
  CHECK(names_in(place.path()) == std::vector<std::string>{"lock.log"});
}

TEST_CASE("a log that cannot be written ends the program before the run, and a pipe gets its lines") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const auto refused = [&](const std::string& file, const std::vector<std::string>& more, int code,
                           const std::string& why) {
    std::vector<std::string> arguments{"run", collatz, "--quiet", "--out", out.string(), "--log", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_program(arguments);
    INFO(result.errors);
    CHECK(result.exit_code == code);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(why));
  };
  const std::string file = (place.path() / "warps.log").string();
  refused("/dev/full", {}, 4, "/dev/full: No space left");
  refused((place.path() / "no_folder" / "warps.log").string(), {}, 4, "no_folder");
  refused(place.write("foreign.log", "somebody's"), {}, 4, "--force");
  refused(file, {"--set", "machine=functional"}, 2, "set machine to timed");
  refused(file, {"--sweep", "gpu.sms=1,2"}, 2, "one run");
  refused(file, {"--resume"}, 2, "--resume");
  refused(file, {"--log-window", "9:8"}, 2, "window of cycles");
  refused(file, {"--force", "--trace", (place.path() / "." / "warps.log").string()}, 2, "--trace and --log both write");
  CHECK_FALSE(fs::exists(out));
  refused(file, {"--log-window", "900000000:900000001"}, 4, "nothing ran");
  CHECK_FALSE(fs::exists(file));

  // A trace window in which nothing ran does not cost the log.
  const std::string trace = (place.path() / "warps.pftrace").string();
  refused(file, {"--trace", trace, "--trace-window", "900000000:900000001"}, 4, "nothing ran");
  CHECK_FALSE(fs::exists(trace));
  CHECK(events_of(read_file(file))["issue"] > 0);

  // Standard output is a pipe of the test.
  const ProgramResult piped =
      run_program({"run", collatz, "--quiet", "--out", out.string(), "--log", "/dev/stdout", "--log-window", "0:999"});
  CHECK(piped.exit_code == 0);
  CHECK(piped.output.starts_with(trace::log_mark));
  CHECK(events_of(piped.output)["issue"] > 0);
}
