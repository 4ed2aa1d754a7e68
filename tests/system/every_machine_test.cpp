// SPDX-License-Identifier: Apache-2.0
/// The comparison of every_machine.yaml: ray shuffling, which has its own kernels, leaves the same results as a
/// reconvergence stack.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

/// Runs an experiment of that list, leaves its outputs in a folder of the same name, and returns its report.
json::value run_machine(const TemporaryFolder& place, const std::string& name,
                        const std::vector<std::string>& settings) {
  const fs::path out = place.path() / name;
  std::vector<std::string> words{"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/every_machine/" + name + ".yaml",
                                 "--quiet", "--out", out.string()};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  const ProgramResult result = run_program(words);
  INFO(name << ": " << result.errors);
  REQUIRE(result.exit_code == 0);
  return json::parse(read_file(out / "report.json"));
}

double simd_efficiency(const json::value& part) { return part.at("figures").at("simd_efficiency").as_double(); }

}  // namespace

TEST_CASE("the Julia set by ray shuffling is that of a reconvergence stack, by fuller warps") {
  const TemporaryFolder place;
  const json::value stack = run_machine(place, "julia_stack", {});
  const json::value shuffling = run_machine(place, "julia_shuffling", {});
  const std::string colours = read_file(place.path() / "julia_shuffling/colours.bin");
  CHECK(colours.size() == std::size_t{192} * 192 * sizeof(float));
  CHECK(colours == read_file(place.path() / "julia_stack/colours.bin"));
  CHECK(simd_efficiency(shuffling.at("launches").at(1)) > 2 * simd_efficiency(stack.at("launches").at(1)));
}

TEST_CASE("ray shuffling in a kd-tree has Embree's hits, the same picture and fuller warps") {
  const TemporaryFolder place;
  const std::vector<std::string> small{"workload.width=96", "workload.height=72", "workload.bounces=2"};
  const json::value stack = run_machine(place, "kd_tree_stack", small);
  const json::value shuffling = run_machine(place, "kd_tree_shuffling", small);
  CHECK(shuffling.at("hits").at("mismatches") == 0);
  CHECK(shuffling.at("hits").at("checked") == shuffling.at("workload").at("rays"));
  CHECK(read_file(place.path() / "kd_tree_shuffling/picture.png") ==
        read_file(place.path() / "kd_tree_stack/picture.png"));
  CHECK(simd_efficiency(shuffling.at("tracing")) > 1.4 * simd_efficiency(stack.at("tracing")));
}
