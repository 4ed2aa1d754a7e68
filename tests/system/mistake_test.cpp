// SPDX-License-Identifier: Apache-2.0
/// Mistakes that people make on the command line and in files, and the advice in the messages.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string yaml = RECONVERGE_SOURCE_DIR "/yaml/";
const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

/// Expects exit code 2 and one line with all of `parts`.
void expect_told(const TemporaryFolder& place, const std::vector<std::string>& words,
                 const std::vector<std::string>& parts) {
  const ProgramResult result = run_program(words, {place.path()});
  INFO(result.errors << result.output);
  CHECK(result.exit_code == 2);
  CHECK(is_one_complaint(result.errors));
  CHECK(result.output.empty());
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
}

void expect_told_of_cache(const TemporaryFolder& place, const std::string& setting,
                          const std::vector<std::string>& parts) {
  expect_told(place, {"validate", yaml + "experiments/collatz.yaml", "--set", "gpu." + setting}, parts);
}

}  // namespace

TEST_CASE("a source file in place of PTX is refused with how to compile it") {
  const TemporaryFolder place;
  place.write("a.cu", "__global__ void k() {}\n");
  place.write("a.cl", "__kernel void k() {}\n");
  place.write("a.cpp", "int main() {}\n");
  place.write("a.yaml", "name: a\n");
  place.write("program", std::string("\x7f"
                                     "ELF\2\1\1",
                                     7));
  place.write("wide.ptx", std::string("\xff\xfe.\0v\0e\0", 8));
  expect_told(place, {"inspect", "entries", "a.cu"}, {"a.cu: this is CUDA C++", "reconverge compile a.cu"});
  expect_told(place, {"inspect", "program", "a.cl"}, {"OpenCL C", "reconverge compile a.cl"});
  expect_told(place, {"transform", "microkernels", "a.cu", "--out", "b.ptx"}, {"reconverge compile a.cu"});
  expect_told(place, {"inspect", "cfg", "a.cpp"}, {"a C++ source", ".cu", "reconverge compile"});
  expect_told(place, {"inspect", "cfg", "a.yaml"}, {"this is YAML", "`program:`"});
  expect_told(place, {"inspect", "cfg", "program"}, {"machine code", "nvcc -ptx"});
  expect_told(place, {"inspect", "cfg", "wide.ptx"}, {"UTF-16", "UTF-8"});
  place.write("run.yaml", "launches: [{program: a.cu, threads: 32, block: 32, arguments: []}]\n");
  expect_told(place, {"run", "run.yaml"}, {"reconverge compile a.cu"});
}

TEST_CASE("an exposure that makes no picture is refused") {
  const TemporaryFolder place;
  for (const char* exposure : {"nan", "-nan", "inf", "-1", "0", "1e9", "bright"}) {
    CAPTURE(exposure);
    expect_told(place, {"scene-stats", "box", "--picture", "a.png", std::string("--exposure=") + exposure},
                {"--exposure", "is no number from 0.001 to 1000"});
  }
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("messages shorten long values") {
  const TemporaryFolder place;
  const std::string value(5000, 'x');
  const auto told = [&](const std::vector<std::string>& words) {
    const ProgramResult result = run_program(words, {place.path()});
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains("xxx..."));
    CHECK(result.errors.size() < 1000);
  };
  const std::string saxpy = yaml + "experiments/saxpy.yaml";
  told({"validate", saxpy, "--set", "gpu.sms=" + value});
  told({"run", saxpy, "--sweep", "gpu.sms=1," + value});
  told({"run", saxpy, saxpy, "--columns", value});
  told({"scene-stats", "box", "--picture", "a.png", "--exposure", value});
  told({"scene-stats", "box", "--picture", "a.png", "--width=" + value});
  told({"run", saxpy, "--" + value});
  told({value});
  place.write("a.yaml", "gpu: {sms: '" + value + "'}\n");
  told({"validate", "a.yaml"});
}

TEST_CASE("a program in place of an experiment is refused with what a launch file is") {
  const TemporaryFolder place;
  for (const char* name : {"a.ptx", "a.cu", "a.cl"}) {
    place.write(name, "");
    expect_told(place, {"run", name}, {std::string(name) + ": this is a program", "docs/launch.md"});
  }
}

TEST_CASE("a misspelt command suggests the nearest and a missing one lists all") {
  const TemporaryFolder place;
  place.write("file.yaml", "name: a\n");
  expect_told(place, {"rnu"}, {"there is no command 'reconverge rnu'; did you mean run?"});
  expect_told(place, {"run", "a.yaml", "--quite"},
              {"there is no option --quite; did you mean --quiet?; see reconverge run --help"});
  expect_told(place, {"inspect", "cfg", "a.ptx", "--jsn=1"}, {"there is no option --jsn; did you mean --json?"});
  expect_told(place, {"inspect", "ocupancy", "a.ptx"}, {"'reconverge inspect ocupancy'; did you mean occupancy?"});
  expect_told(place, {"transform", "microkernel", "a.ptx"}, {"did you mean microkernels?"});
  expect_told(place, {}, {"a command is missing after 'reconverge'", "run", "compile"});
  expect_told(place, {"inspect"}, {"a command is missing after 'reconverge inspect'", "entries"});
  expect_told(place, {"file.yaml"}, {"file.yaml is a file; write a command before it", "reconverge COMMAND file.yaml"});
  expect_told(place, {"--set", "gpu.sms=1", "run", "file.yaml"},
              {"the option --set is before the command", "reconverge COMMAND ... --set"});
  expect_told(place, {"run"}, {"FILE is required; see reconverge run --help"});
  expect_told(place, {"run", "--colour", "file.yaml"}, {"--colour"});
  CHECK(run_program({"--help"}).exit_code == 0);
  CHECK(run_program({"inspect", "--help"}).exit_code == 0);
  CHECK(run_program({"--version"}).exit_code == 0);
}

TEST_CASE("a tab that indents a line of YAML is named with its place") {
  const TemporaryFolder place;
  place.write("tab.yaml", "gpu:\n  sm:\n \twarp_slots: 8\n");
  expect_told(place, {"run", "tab.yaml"}, {"tab.yaml:3:2: ", "a tab indents the line", "use spaces"});
  place.write("tab.yaml", "buffers:\n\tx: {type: u32, count: 4}\n");
  expect_told(place, {"run", "tab.yaml"}, {"tab.yaml:2:1: ", "use spaces"});
  // A tab elsewhere is not this error, even if something else is wrong.
  place.write("tab.yaml", "gpu:\t{sms: 1\n");
  const ProgramResult result = run_program({"run", "tab.yaml"}, {place.path()});
  CHECK_THAT(result.errors, Contains("not YAML") && !Contains("tab indents"));
}

TEST_CASE("an impossible cache is refused with the nearest possible one") {
  const TemporaryFolder place;
  expect_told_of_cache(place, "l2.capacity=100KiB",
                       {"gpu.l2.capacity", "16 ways of 128-byte lines in 24 slices", "a capacity of 100 KiB",
                        "make capacity 96 KiB or 144 KiB"});
  expect_told_of_cache(place, "l2.capacity=1000 B", {"make capacity 48 KiB, a multiple of slices x ways x line"});
  expect_told_of_cache(place, "l2.ways=7", {"or ways 4 or 8"});
  expect_told_of_cache(place, "sm.l1.line=96B", {"a line of 96 bytes", "64 B or 128 B"});
  expect_told_of_cache(place, "l2.slices=13", {"make slices 12 or 24, a multiple of gpu.dram.channels"});
  expect_told_of_cache(place, "l2.interleave=100B", {"such as 128 B"});
  expect_told_of_cache(place, "sm.l1.capacity=17KiB", {"make capacity 16896 B or 17664 B"});
  expect_told_of_cache(place, "sm.texture_cache.ways=5", {"or ways 4 or 6"});
  // The suggestion in the message is valid.
  for (const char* setting : {"gpu.l2.capacity=96KiB", "gpu.l2.capacity=144KiB", "gpu.l2.ways=4", "gpu.l2.ways=8",
                              "gpu.sm.texture_cache.ways=4", "gpu.sm.texture_cache.ways=6"}) {
    INFO(setting);
    CHECK(run_program({"validate", yaml + "experiments/collatz.yaml", "--set", setting}).exit_code == 0);
  }
}

TEST_CASE("messages distinguish a folder for a file and blanks in a setting and broken YAML") {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "folder");
  place.write("run.yaml", "launches: [{program: folder, threads: 32, block: 32, arguments: []}]\n");
  expect_told(place, {"validate", "run.yaml"}, {"launches[0].program: 'folder' is a folder", "name a file in it"});
  expect_told(place, {"validate", "run.yaml", "--set", "gpu.sms = 2"}, {"blanks", "path=value"});
  expect_told(place, {"validate", "run.yaml", "--set", "gpu.sms"}, {"write for example gpu.sm.warp_slots=16"});
  place.write("run.yaml", "buffers:\n  x: {type: u32, count: 4}\n   y: {type: u32, count: 4}\n");
  expect_told(place, {"validate", "run.yaml"}, {"not YAML", "begin in one column"});
}

TEST_CASE("every platform of the tree validates by itself") {
  for (const auto& file : fs::directory_iterator(yaml + "platforms")) {
    const ProgramResult result = run_program({"validate", file.path().string()});
    INFO(file.path() << result.errors);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.output, Contains("a platform without a workload; it can be built"));
  }
}

TEST_CASE("validate refuses an unbuildable platform and run refuses a platform without an experiment") {
  const TemporaryFolder place;
  place.write("platform.yaml", "gpu:\n  l2:\n    capacity: 100 KiB\n");
  expect_told(place, {"validate", "platform.yaml"}, {"platform.yaml:3:15: ", "gpu.l2.capacity"});
  place.write("platform.yaml", "gpu: {sms: 2}\n");
  expect_told(place, {"run", "platform.yaml"}, {"a platform does not run by itself", "`workload:`", "`launches:`"});
}

TEST_CASE("inspect uses the platform of an experiment and asks for one experiment of a list") {
  const TemporaryFolder place;
  const auto inspect = [&](const std::string& platform) {
    return run_program({"inspect", "occupancy", kernels + "saxpy.ptx", "--platform", platform});
  };
  const ProgramResult own = inspect(yaml + "platforms/gtx780.yaml");
  CHECK(own.exit_code == 0);
  const ProgramResult launches = inspect(yaml + "experiments/collatz.yaml");
  INFO(launches.errors);
  CHECK(launches.exit_code == 0);
  CHECK(launches.output == own.output);
  expect_told(place, {"inspect", "occupancy", kernels + "saxpy.ptx", "--platform", yaml + "experiments/drs.yaml"},
              {"drs.yaml: this is a list of experiments", "give one of them, e.g. "});
}

TEST_CASE("the hint for bytes that are no array leads to a file that runs") {
  const TemporaryFolder place;
  place.write("four.bin", std::string(4, '\1'));
  const auto with = [&](const std::string& key) {
    place.write("run.yaml", "buffers:\n  x: {type: f32, count: 1, fill: 1}\n  y: {type: f32, count: 1, " + key +
                                ": four.bin}\nlaunches:\n- {program: " + kernels +
                                "saxpy.ptx, threads: 1, block: 32, arguments: [2, x, y, 1]}\n");
  };
  with("npy");
  expect_told(place, {"validate", "run.yaml"}, {"run.yaml:3:", "this is not a .npy file", "`raw:`"});
  with("raw");
  CHECK(run_program({"validate", "run.yaml"}, {place.path()}).exit_code == 0);
}

TEST_CASE("defaults of another machine are warned of, and marked") {
  const TemporaryFolder place;
  const std::string turing = RECONVERGE_SOURCE_DIR "/yaml/platforms/turing.yaml";
  const std::string file = place.write("mixed.yaml", "extends: " + turing + "\ngpu: {memory: hierarchy}\n");
  const ProgramResult mixed = run_program({"validate", file});
  CHECK(mixed.exit_code == 0);
  CHECK_THAT(mixed.errors, Catch::StartsWith("reconverge: warning: ") &&
                               Contains(" parameters have defaults of another machine, the GTX 780") &&
                               Contains("gpu.crossbar (") && Contains("gpu.dram (") && Contains("gpu.l2 ("));
  CHECK(std::count(mixed.errors.begin(), mixed.errors.end(), '\n') == 1);

  const ProgramResult dump = run_program({"run", file, "--dump-config"});
  std::size_t marked = 0;
  const std::string mark = "# default of another machine; ";
  for (std::size_t at = dump.output.find(mark); at != std::string::npos; at = dump.output.find(mark, at + 1)) ++marked;
  CHECK(marked > 30);
  CHECK_THAT(mixed.errors, Contains("warning: " + std::to_string(marked) + " parameters have defaults"));

  for (const std::string& whole : {turing, std::string(RECONVERGE_SOURCE_DIR "/yaml/platforms/gtx780.yaml")}) {
    INFO(whole);
    CHECK(run_program({"validate", whole}).errors.empty());
    CHECK(run_program({"run", whole, "--dump-config"}).output.find(mark) == std::string::npos);
  }
}
