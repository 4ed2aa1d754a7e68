// SPDX-License-Identifier: Apache-2.0
/// The Benes network in a whole stream processor: the model, the RTL, and both in lock step.

#include <catch2/catch.hpp>

#include "models/cosim/benes_network/network_ports.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

ProgramResult run(const std::string& experiment, const fs::path& out, const std::vector<std::string>& settings,
                  const ProgramOptions& options = {}) {
  std::vector<std::string> words{"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/" + experiment + ".yaml", "--out",
                                 out.string()};
  for (const std::string& setting : settings) {
    words.insert(words.end(), {"--set", "stream_processor.network." + setting});
  }
  return run_program(words, options);
}

bool is_built(unsigned register_every) {
  if (reconverge::twin::is_built<reconverge::NetworkPorts>({16, register_every})) return true;
  WARN("skipped: RECONVERGE_BENES_RTL has no 16," << register_every);
  return false;
}

}  // namespace

TEST_CASE("a stream processor has the same figures with model, RTL and lock step of its network") {
  const auto* const experiment = GENERATE("stream_julia", "stream_material_mapping", "stream_tessellation");
  const unsigned register_every = GENERATE(0U, 2U);
  if (!is_built(register_every)) return;
  const TemporaryFolder place;
  for (const std::string implementation : {"model", "rtl", "lockstep"}) {
    INFO(experiment << ' ' << register_every << ' ' << implementation);
    const fs::path out = place.path() / implementation;
    const ProgramResult result =
        run(experiment, out, {"implementation=" + implementation, "register_every=" + std::to_string(register_every)});
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(read_file(out / "report.json") == read_file(place.path() / "model" / "report.json"));
    CHECK(read_file(out / "report.csv") == read_file(place.path() / "model" / "report.csv"));
  }
}

TEST_CASE("RTL of a network that was not built is refused with a list of the RTL that was") {
  const TemporaryFolder place;
  const ProgramResult result =
      run("stream_julia", place.path() / "out", {"implementation=lockstep", "register_every=5"});
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("stream_processor.network.implementation") && Contains("RECONVERGE_BENES_RTL"));
  CHECK_FALSE(fs::exists(place.path() / "out"));
}

TEST_CASE("a difference in a network ends the run with cycle, port, values and waveform") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  ProgramOptions wrong;
  wrong.program = RECONVERGE_WITH_WRONG_RTL;
  const ProgramResult result = run("stream_julia", out, {"implementation=lockstep", "register_every=2"}, wrong);
  CHECK(result.exit_code == 3);
  CHECK(is_one_complaint(result.errors));
  INFO(result.errors);
  CHECK_THAT(result.errors, Contains(" in the model and ") && Contains(" in RTL") &&
                                Contains("waveform in " + (out / "difference.vcd").generic_string()));
}
