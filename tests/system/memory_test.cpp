// SPDX-License-Identifier: Apache-2.0
/// The memory use that a run reports, and its actual use.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <regex>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;

namespace {

constexpr double mebibyte = 1024 * 1024;
const std::string tree = RECONVERGE_SOURCE_DIR "/";

/// In MiB, as `validate` prints it.
double told(const ProgramResult& result) {
  std::smatch found;
  REQUIRE(std::regex_search(result.output, found, std::regex(R"(memory: about ([0-9.]+) (MiB|GiB))")));
  return std::stod(found[1]) * (found[2] == "GiB" ? 1024 : 1);
}

struct Case {
  std::string what;
  std::string file;
  std::vector<std::string> settings;
};

std::vector<std::string> words_of(const std::string& command, const Case& each) {
  std::vector<std::string> words{command, each.file};
  for (const std::string& setting : each.settings) words.insert(words.end(), {"--set", setting});
  return words;
}

/// A launch file whose buffers have `count` elements each, of four bytes.
std::string buffers_of(std::uint64_t count, const std::string& more) {
  const std::string number = std::to_string(count);
  return "name: buffers\nmachine: functional\nbuffers:\n  x: {type: f32, count: " + number +
         ", range: {}}\n  y: {type: f32, count: " + number + ", fill: 1}\nlaunches:\n  - {program: " + tree +
         "platforms/kernels/saxpy.ptx, grid: 1, block: 256, arguments: [2, x, y, 256]}\n" + more;
}

}  // namespace

TEST_CASE("a run takes no more memory than it was estimated to, and no less than half of that") {
  const TemporaryFolder place;
  static const std::string conference = tree + "yaml/experiments/conference.yaml";
  const std::string large =
      place.write("buffers.yaml",
                  buffers_of(std::uint64_t{1} << 24U, "outputs: [{buffer: x, npy: x.npy}, {buffer: y, raw: y.bin}]\n"));
  Case each = GENERATE(values<Case>({
      {"launches on a GPU", tree + "yaml/experiments/collatz.yaml", {}},
      {"large buffers", "", {}},
      {"a small scene and many rays",
       conference,
       {"workload.scene=box", "gpu.sms=4", "workload.width=192", "workload.height=160"}},
      {"a large scene and few rays",
       conference,
       {"workload.scene=conference_large", "gpu.sms=1", "workload.width=16", "workload.height=16"}},
      {"many SMs", conference, {"workload.scene=box", "gpu.sms=60", "workload.width=16", "workload.height=16"}},
      {"a megakernel",
       tree + "yaml/experiments/si/conference_diffuse.yaml",
       {"gpu.sms=2", "workload.width=128", "workload.height=96", "workload.sample_blocks=1"}},
  }));
  if (each.file.empty()) each.file = large;
  INFO(each.what);
  const ProgramResult valid = run_program(words_of("validate", each));
  INFO(valid.errors << valid.output);
  REQUIRE(valid.exit_code == 0);
  std::vector<std::string> run = words_of("run", each);
  run.insert(run.end(), {"--out", (place.path() / "out").string(), "--quiet"});
  const ProgramResult result = run_program(run);
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const double took = static_cast<double>(result.peak_bytes) / mebibyte;
  INFO("estimated " << told(valid) << " MiB, took " << took << " MiB");
  CHECK(told(valid) >= took);
  CHECK(told(valid) <= 2 * took);
}

TEST_CASE("a run that does not fit in memory is refused before it starts, unless forced") {
  const TemporaryFolder place;
  const ProgramOptions small{.folder = place.path(), .environment = {"RECONVERGE_MEMORY=100 MiB"}};
  const ProgramOptions enough{.folder = place.path(), .environment = {"RECONVERGE_MEMORY=2 GiB"}};
  const std::string rays = tree + "yaml/experiments/conference.yaml";
  place.write("many.yaml", buffers_of(1U << 23U, ""));  // 32 MiB each, on the host and on the device
  place.write("one.yaml", buffers_of(1U << 25U, ""));   // 128 MiB each
  for (const std::string& file : {rays, std::string("many.yaml"), std::string("one.yaml")}) {
    const ProgramResult result = run_program({"run", file, "--out", "out"}, small);
    INFO(file << result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains("RECONVERGE_MEMORY allows 100 MiB") && Contains("set RECONVERGE_MEMORY"));
    CHECK(names_in(place.path()) == std::vector<std::string>{"many.yaml", "one.yaml"});
    CHECK(run_program({"validate", file}, small).exit_code == 2);
    CHECK(run_program({"validate", file}, enough).exit_code == 0);
  }
}

TEST_CASE("rays that the machine has no memory to record are refused before they are traced") {
  const auto [scene, width] = GENERATE(table<std::string, std::string>({{"box", "640"}, {"conference_large", "64"}}));
  CAPTURE(scene);
  const TemporaryFolder place;
  const auto record = [&, scene = scene, width = width](const std::string& memory) {
    return run_program({"rays", "--scene", scene, "--width", width, "--height", "240", "--samples", "8", "--bounces",
                        "4", "--out", "a.rays", "--force"},
                       {.folder = place.path(), .environment = {"RECONVERGE_MEMORY=" + memory}});
  };
  const ProgramResult free = record("off");
  REQUIRE(free.exit_code == 0);
  const std::uint64_t took = free.peak_bytes / 1024;
  std::filesystem::remove(place.path() / "a.rays");
  const ProgramResult refused = record(fmt::format("{} KiB", took));
  INFO(took << " KiB: " << refused.errors);
  CHECK(refused.exit_code == 2);
  CHECK(is_one_complaint(refused.errors));
  CHECK_THAT(refused.errors, Contains("--max-rays"));
  CHECK(names_in(place.path()).empty());
  const ProgramResult enough = record(fmt::format("{} KiB", 2 * took));
  INFO(enough.errors);
  CHECK(enough.exit_code == 0);
}

TEST_CASE("a contents file that does not fit in memory is refused before it is read") {
  const TemporaryFolder place;
  const ProgramOptions small{.folder = place.path(), .environment = {"RECONVERGE_MEMORY=100 MiB"}};
  std::filesystem::resize_file(place.write("large", ""), std::uintmax_t{1} << 30U);
  const auto* source = GENERATE("npy: large", "raw: large, type: u8", "rays: large");
  place.write("run.yaml", "buffers: {x: {" + std::string(source) + "}}\nlaunches: []\n");
  const ProgramResult result = run_program({"validate", "run.yaml"}, small);
  INFO(result.errors);
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("run.yaml:1:") && Contains("RECONVERGE_MEMORY allows 100 MiB"));
}

TEST_CASE("a run that takes more than a gibibyte says so before it starts") {
  const TemporaryFolder place;
  place.write("large.yaml", buffers_of(1U << 26U, ""));
  const ProgramOptions here{.folder = place.path(), .environment = {"RECONVERGE_MEMORY=off"}};
  const ProgramResult result = run_program({"run", "large.yaml", "--out", "out", "--quiet"}, here);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.errors, Contains("reconverge: the run takes about 1.0 GiB (") && Contains("of memory"));
}
