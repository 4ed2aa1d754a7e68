// SPDX-License-Identifier: Apache-2.0
/// --json: one document on standard output instead of the text.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

json::value document_of(const std::vector<std::string>& words, int exit_code = 0) {
  const ProgramResult result = run_program(words);
  INFO(result.errors);
  CHECK(result.exit_code == exit_code);
  CHECK(result.errors.empty());
  return json::parse(result.output);
}

json::value inspected(const std::string& kind, const std::string& file = "collatz.ptx") {
  const json::value document = document_of({"inspect", kind, kernels + file, "--json"});
  CHECK_THAT(std::string(document.at("file").as_string()), Catch::EndsWith(file));
  return document;
}

}  // namespace

TEST_CASE("run --json prints the report of one run") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const std::vector<std::string> words{"run", saxpy, "--json", "--out", out.string()};
  const ProgramResult result = run_program(words);
  CHECK(result.exit_code == 0);
  CHECK(result.output == read_file(out / "report.json"));
  std::vector<std::string> resumed = words;
  resumed.emplace_back("--resume");
  CHECK(run_program(resumed).output == result.output);
  const json::value limited = document_of({"run", saxpy, "--json", "--max-cycles", "100", "--out", out.string()}, 6);
  CHECK(limited.at("partial") == true);
}

TEST_CASE("run --json writes kernel output to standard error") {
  const TemporaryFolder place;
  place.write("talk.ptx", talk("104, 105, 10, 0"));
  place.write("talk.yaml",
              "name: talk\nmachine: functional\nbuffers: {}\n"
              "launches:\n  - {program: talk.ptx, grid: 1, block: 1, arguments: []}\n");
  const ProgramResult result = run_program({"run", "talk.yaml", "--json", "--out", "out"}, {place.path()});
  CHECK(result.exit_code == 0);
  CHECK(result.output == read_file(place.path() / "out" / "report.json"));
  CHECK(result.errors == "[talk] hi\n");
  CHECK(run_program({"run", "talk.yaml", "--quiet", "--force", "--out", "out"}, {place.path()}).errors.empty());
}

TEST_CASE("run --json of rays is their report, too") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program(small_run({"--json", "--out", out.string()}));
  CHECK(result.exit_code == 0);
  CHECK(result.output == read_file(out / "report.json"));
}

TEST_CASE("run --json of several runs has a row for each, with the figures of the table") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const json::value document =
      document_of({"run", saxpy, "--sweep", "gpu.sms=1,15", "--columns", "cycles,ray_rate,speedup", "--max-cycles",
                   "1300", "--json", "--out", out.string()},
                  6);
  CHECK(document.at("format") == "reconverge runs");
  CHECK(document.at("folder").as_string() == out.generic_string());
  CHECK(document.at("comparison").is_null());
  REQUIRE(document.at("runs").as_array().size() == 2);
  const json::value& stopped = document.at("runs").at(0);
  CHECK(stopped.at("status") == "limit reached");
  CHECK(stopped.at("exit_code") == 6);
  CHECK(stopped.at("figures").at("speedup").is_null());
  const json::value& whole = document.at("runs").at(1);
  CHECK(whole.at("experiment") == "saxpy");
  CHECK(whole.at("settings") == json::object({{"gpu.sms", "15"}}));
  CHECK(whole.at("status") == "ok");
  CHECK(whole.at("exit_code") == 0);
  CHECK(whole.at("figures").at("ray_rate").is_null());
  const std::string folder(whole.at("folder").as_string());
  const json::value report = report_in(out / folder);
  CHECK(whole.at("figures").at("cycles") == report.at("total").at("figures").at("cycles"));
}

TEST_CASE("validate --json describes a valid experiment and prints nothing for an invalid one") {
  const json::value valid = document_of({"validate", saxpy, "--set", "gpu.sms=2", "--json"}).at(0);
  CHECK(valid.at("experiment") == "saxpy");
  CHECK(valid.at("kind") == "launches");
  CHECK(valid.at("buffers") == 2);
  CHECK(valid.at("launches") == 1);
  CHECK(valid.at("parameters").as_int64() > 50);
  CHECK(valid.at("overrides") == json::array({"gpu.sms=2"}));
  const json::value rays = document_of({"validate", experiments + "conference.yaml", "--json"}).at(0);
  CHECK(rays.at("kind") == "rays");
  CHECK(rays.at("triangles") == 286529);
  const ProgramResult refused = run_program({"validate", saxpy, "--set", "gpu.sms=many", "--json"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.output.empty());
  CHECK(is_one_complaint(refused.errors));
}

TEST_CASE("inspect --json has the code of a kernel and the results of the passes") {
  const json::value program = inspected("program");
  CHECK(program.at("kernel") == "collatz");
  CHECK(program.at("registers") == 7);
  const std::size_t instructions = program.at("instructions").as_array().size();
  CHECK(program.at("blocks").as_array().back().at("end") == instructions);
  CHECK(program.at("instructions").at(3).at("pc") == 3);
  CHECK(inspected("cfg").at("blocks") == program.at("blocks"));
  CHECK(inspected("functions").at("functions").at(0).at("function") == "collatz");
  const json::value loops = inspected("loops");
  REQUIRE(loops.at("loops").as_array().size() == 1);
  CHECK(loops.at("loops").at(0).at("depth") == 1);
  CHECK(loops.at("loops").at(0).at("within").is_null());
  CHECK(inspected("liveness").at("instructions").as_array().size() == instructions);
  CHECK(inspected("scoreboards").at("instructions").as_array().size() == instructions);
  const json::value divergence = inspected("divergence");
  const json::value meetings = inspected("reconvergence");
  CHECK(divergence.at("branches").as_array().size() == meetings.at("branches").as_array().size());
  CHECK(divergence.at("branches").at(0).at("pc") == meetings.at("branches").at(0).at("pc"));
  CHECK_FALSE(inspected("barriers").at("actions").as_array().empty());
}

TEST_CASE("inspect --json has the parts of a kernel, its occupancy and its parameters") {
  const json::value streams = inspected("stream");
  CHECK(streams.at("arcs").at(0).at("to").as_int64() < std::int64_t(streams.at("nodes").as_array().size()));
  CHECK(streams.at("by_hand") == false);
  const json::value passes = inspected("passes");
  CHECK_FALSE(passes.at("kernels").as_array().empty());
  CHECK_FALSE(passes.at("arrays").at(0).at("rows").as_array().empty());
  const json::value occupancy =
      document_of({"inspect", "occupancy", kernels + "saxpy.ptx", "--block", "192", "--json"});
  REQUIRE(occupancy.at("block_sizes").as_array().size() == 1);
  CHECK(occupancy.at("block_sizes").at(0).at("block") == 192);
  const json::value& size = occupancy.at("block_sizes").at(0);
  CHECK(size.at("threads").as_int64() == 192 * size.at("blocks").as_int64());
  const json::value entries = inspected("entries", "shade.ptx");
  CHECK(entries.at("entries").as_array().size() > 1);
  CHECK(entries.at("entries").at(0).at("refused").is_null());
  CHECK(entries.at("entries").at(0).at("parameters").at(0).at("bytes") == 8);
  const ProgramResult both = run_program({"inspect", "cfg", kernels + "saxpy.ptx", "--json", "--dot"});
  CHECK(both.exit_code == 2);
  CHECK(is_one_complaint(both.errors));
}

TEST_CASE("every list has JSON") {
  for (const auto* kind : {"blocks", "parameters", "statistics", "figures", "scenes"}) {
    INFO(kind);
    const json::value rows = document_of({"list", kind, "--json"});
    REQUIRE_FALSE(rows.as_array().empty());
    CHECK(rows.at(0).is_object());
  }
}
