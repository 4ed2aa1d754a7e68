// SPDX-License-Identifier: Apache-2.0
/// Ownership of the output folder: one run at a time, and no files of other programs or users.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <map>

#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

ProgramOptions in(const TemporaryFolder& place, bool terminal = false) {
  ProgramOptions options;
  options.folder = place.path();
  options.terminal = terminal;
  return options;
}

void expect_refusal(const TemporaryFolder& place, const std::vector<std::string>& words, int code,
                    const std::vector<std::string>& parts) {
  const ProgramResult result = run_program(words, in(place));
  INFO(result.errors << result.output);
  CHECK(result.exit_code == code);
  CHECK(is_one_complaint(result.errors));
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
}

/// The system may not provide it, as in some containers.
bool tells_locks() { return !read_file("/proc/locks").empty(); }

}  // namespace

TEST_CASE("a second run of a folder is refused only while the first one is alive") {
  const TemporaryFolder place;
  write_endless(place);
  {
    RunningProgram first({"run", "endless.yaml", "--out", "out"}, in(place, true));
    REQUIRE(first.wait_for({"endless: "}));
    expect_refusal(place, {"run", saxpy, "--out", "out"}, 4, {"error: out: another run"});
    if (tells_locks()) {
      expect_refusal(place, {"run", saxpy, "--out", "out/"}, 4, {"process " + std::to_string(first.process())});
    }
    expect_refusal(place, {"run", saxpy, collatz, "--out", "out"}, 4, {"error: out: another run"});
    first.send(SIGKILL);
    first.wait();
  }
  CHECK(run_program({"run", saxpy, "--out", "out"}, in(place)).exit_code == 0);
  CHECK(names_in(place.path() / "out").size() == 5);
}

TEST_CASE("several runs lock the folder of their tables and the folders of active runs") {
  const TemporaryFolder place;
  write_endless(place);
  RunningProgram first({"run", "endless.yaml", "--sweep", "gpu.sms=1,2", "--jobs", "2", "--out", "out"},
                       in(place, true));
  REQUIRE(first.wait_for({"; sms=1: endless 0 %", "; sms=2: endless 0 %"}));
  expect_refusal(place, {"run", saxpy, "--sweep", "gpu.sms=3", "--out", "out"}, 4, {"error: out: another run"});
  expect_refusal(place, {"run", saxpy, "--out", "out/gpu.sms=2"}, 4, {"error: out/gpu.sms=2: another run"});
  first.send(SIGINT);
  CHECK(first.wait().exit_code == 130);
  CHECK(names_in(place.path() / "out") == std::vector<std::string>{"gpu.sms=1", "gpu.sms=2", "runs.csv"});
}

TEST_CASE("a file that no earlier report wrote is refused before the run, by name, unless forced") {
  const TemporaryFolder place;
  const std::vector<std::string> words{"run", saxpy, "--out", "out"};
  const auto forced = [&] { return run_program({"run", saxpy, "--out", "out", "--force"}, in(place)).exit_code; };
  std::string named = "manifest.json";
  SECTION("an output of a launch") { place.write("out/" + (named = "y.npy"), "mine"); }
  SECTION("a report that was edited") {
    REQUIRE(run_program(words, in(place)).exit_code == 0);
    REQUIRE(run_program(words, in(place)).exit_code == 0);  // a report without edits is replaced
    named = "report.csv";
    place.write("out/report.csv", read_file(place.path() / "out" / "report.csv") + "remark\n");
  }
  SECTION("a manifest of something else") { place.write("out/manifest.json", R"({"name": "app", "outputs": []})"); }
  const std::vector<std::string> before = names_in(place.path() / "out");
  const ProgramResult result = run_program(words, in(place));
  INFO(result.errors);
  CHECK(result.exit_code == 4);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("error: out/" + named + ": ") && Contains("--force"));
  CHECK(result.output.empty());
  CHECK(names_in(place.path() / "out") == before);
  CHECK(forced() == 0);
}

TEST_CASE("a report with a name that is not UTF-8 is recognised and resumed") {
  const TemporaryFolder place;
  place.write("\xe9.yaml", "extends: " + saxpy + "\n");
  std::vector<std::string> words{"run", "\xe9.yaml", "--out", "out"};
  for (unsigned i = 0; i < 2; ++i) CHECK(run_program(words, in(place)).exit_code == 0);
  words.emplace_back("--resume");
  CHECK_THAT(run_program(words, in(place)).output, Catch::StartsWith("the report of this run is in out already"));
}

TEST_CASE("a link in the folder's place is refused, and a planted one elsewhere is not followed") {
  const TemporaryFolder place;
  place.write("precious", "x");
  fs::create_directory(place.path() / "real");
  fs::create_symlink("real", place.path() / "out");
  expect_refusal(place, {"run", saxpy, "--out", "out"}, 4, {"error: out: is a symbolic link", "real"});
  CHECK(names_in(place.path() / "real").empty());
  for (const auto* name : {".manifest.json.tmp", ".schema.json.tmp", "box.rays.unfinished"}) {
    fs::create_symlink("precious", place.path() / name);
  }
  CHECK(run_program({"run", saxpy, "--out", ".", "--force"}, in(place)).exit_code == 0);
  CHECK(run_program({"schema", "--out", "schema.json"}, in(place)).exit_code == 0);
  CHECK(run_program({"rays", "--scene", "box", "--width", "8", "--height", "8", "--out", "box.rays"}, in(place))
            .exit_code == 0);
  CHECK(read_file(place.path() / "precious") == "x");
}

TEST_CASE("a large file from another program is refused without being read") {
  const TemporaryFolder place;
  constexpr std::uintmax_t large = std::uintmax_t{2} << 30U;
  ProgramOptions options = in(place);
  options.cpu_seconds = 20;
  const auto expect = [&](const std::string& name, const std::vector<std::string>& more) {
    fs::resize_file(place.write("out/" + name, ""), large);
    std::vector<std::string> words{"run", saxpy, "--out", "out"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_program(words, options);
    INFO(result.errors);
    CHECK(result.exit_code == 4);
    CHECK_THAT(result.errors, Contains("error: out/" + name + ": is there and is n"));
    CHECK(result.peak_bytes < large / 4);
    fs::remove(place.path() / "out" / name);
  };
  expect("y.npy", {});
  expect("manifest.json", {});
  expect("runs.csv", {"--sweep", "gpu.sms=1,2"});
}

TEST_CASE("standard output under another name is written to, and its name stays") {
  const TemporaryFolder place;
  fs::create_symlink("/proc/self/fd/1", place.path() / "link");  // as /dev/stdout
  const ProgramResult result = run_program({"schema", "--out", "link"}, in(place));
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.output == run_program({"schema"}).output);
  CHECK(fs::is_symlink(place.path() / "link"));
}

TEST_CASE("vectors go to a folder, and to no other place") {
  const TemporaryFolder place;
  const std::string file = place.write("file", "mine\n");
  place.write("taken/replay.sv", "mine\n");
  const auto refuses = [](const std::string& out, const std::string& text) {
    const ProgramResult result = run_program({"vectors", "dmk", "--cycles", "10", "--out", out});
    INFO(result.errors);
    CHECK(result.exit_code == 4);
    CHECK(result.output.empty());
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(text));
  };
  refuses(file, "is not a folder");
  refuses(file + "/below", "the folder cannot be made");
  refuses("/proc/none", "the folder cannot be made");
  refuses((place.path() / "taken").string(), "replay.sv: is there and is not");
  CHECK(names_in(place.path() / "taken") == std::vector<std::string>{"replay.sv"});

  const std::string made = (place.path() / "new/folder").string();
  CHECK(run_program({"vectors", "dmk", "--cycles", "10", "--out", made}).exit_code == 0);
  CHECK(names_in(made) == std::vector<std::string>{"parameters.svh", "replay.sv", "vectors.txt"});
}

TEST_CASE("without a current folder, an output in it is refused") {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "gone";
  fs::create_directory(folder);
  const std::string experiment = RECONVERGE_SOURCE_DIR "/yaml/experiments/collatz.yaml";
  for (const std::string& command : {std::string("vectors dmk --cycles 10"), "run " + experiment}) {
    ProgramOptions options{folder};
    options.program = "/bin/sh";
    const ProgramResult result =
        run_program({"-c", "rmdir ../gone; exec '" RECONVERGE_PROGRAM "' " + command + " --out out"}, options);
    INFO(result.errors);
    CHECK(result.exit_code == 4);
    CHECK(is_one_complaint(result.errors));
    fs::create_directory(folder);
  }
}

TEST_CASE("an output without a name, or with a control character in it, is refused") {
  const TemporaryFolder place;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", saxpy, "--out"},
                                             {"run", saxpy, "--trace"},
                                             {"run", saxpy, "--wave"},
                                             {"run", saxpy, "--log"},
                                             {"schema", "--out"},
                                             {"rays", "--out"},
                                             {"vectors", "dynamic_microkernel", "--out"},
                                             {"compile", "a.cu", "--out"},
                                             {"report", "out", "--out"}}) {
    for (const std::string name : {"", "a\x1b[2Jb", "a\nb", "a\x7f", "a\xc2\x9b"}) {
      std::vector<std::string> all = words;
      all.push_back(name);
      expect_refusal(place, all, 2, {words.back(), name.empty() ? "empty name" : "control character"});
    }
  }
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("a control character in a name is refused with its place") {
  const TemporaryFolder place;
  place.write("k.ptx", traversal_with("  ret;\n"));
  const auto expect = [&](const std::string& text, const std::vector<std::string>& parts) {
    place.write("run.yaml", text);
    expect_refusal(place, {"run", "run.yaml"}, 2, parts);
  };
  const std::string launch = "launches:\n- {program: k.ptx, grid: 1, block: 1, arguments: []";
  expect("name: \"a\\0b\"\nbuffers: {}\n" + launch + "}\n", {"run.yaml:1:7", "'a\\x00b'"});
  expect("name: \"a\\nb\"\nbuffers: {}\n" + launch + "}\n", {"run.yaml:1:7", "cannot name a folder"});
  expect("name: \"a\\x9Bb\"\nbuffers: {}\n" + launch + "}\n", {"run.yaml:1:7", "'a\\xc2\\x9bb'"});
  expect("buffers: {}\n" + launch + ", name: \"\\e[2J\"}\n", {"run.yaml:3:", "'\\x1b[2J'"});
  expect("buffers: {\"x\\0\": {type: u8, count: 1}}\n" + launch + "}\n", {"run.yaml:1:11", "'x\\x00'"});
  expect("buffers: {x: {type: u8, count: 1}}\nlaunches:\n- {program: \"k.ptx\\0.ptx\", grid: 1, block: 1}\n",
         {"run.yaml:3:13", "'k.ptx\\x00.ptx'"});
  expect("buffers: {x: {type: u8, count: 1}}\nlaunches: []\noutputs: [{buffer: x, raw: \"a\\0\"}]\n",
         {"run.yaml:3:28", "'a\\x00'"});
  CHECK(names_in(place.path()) == std::vector<std::string>{"k.ptx", "run.yaml"});
}

TEST_CASE("terminal control characters are made visible in messages and kernel output") {
  const TemporaryFolder place;
  expect_refusal(place, {"run", "\x1b[31mred\x1b[0m.yaml"}, 2, {"\\x1b[31mred\\x1b[0m.yaml"});
  // "\x1b[2J\tä\r\n", and a byte that is no UTF-8.
  place.write("talk.ptx", talk("27, 91, 50, 74, 9, 195, 164, 13, 10, 255, 10, 0"));
  place.write("talk.yaml", "machine: functional\nbuffers: {}\nlaunches:\n- {program: talk.ptx, grid: 1, block: 1}\n");
  for (const bool terminal : {false, true}) {
    const ProgramResult result = run_program({"run", "talk.yaml", "--out", "out"}, in(place, terminal));
    INFO(result.errors << result.output);
    CHECK(result.exit_code == 0);
    const std::string end = terminal ? "\r\n" : "\n";
    CHECK_THAT(result.output, Contains("[talk] \\x1b[2J\tä\\x0d" + end) && Contains("[talk] \\xff" + end));
    CHECK(result.output.find("\x1b[2J") == std::string::npos);
  }
}

namespace {

/// The bytes of all files of a folder, by name.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : names_in(folder)) files[name] = read_file(folder / name);
  return files;
}

/// An experiment with one more file of each kind below its folder and in it, and a second kernel of the same shape.
void write_tree(const TemporaryFolder& place) {
  const fs::path saxpy_ptx = fs::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels/saxpy.ptx";
  for (const auto* name : {"kernels/saxpy.ptx", "kernels/other.ptx"}) place.write(name, read_file(saxpy_ptx));
  place.write("machine.yaml", "gpu: {sms: 1}\n");
  place.write("exp/ones.raw", std::string(256, '\0'));
  place.write("exp/run.yaml",
              "extends: ../machine.yaml\nname: here\nprofile: true\nbuffers:\n"
              "  x: {type: f32, raw: ones.raw}\n  y: {type: f32, count: 64}\nlaunches:\n"
              "- {program: ../kernels/saxpy.ptx, kernel: saxpy, grid: 1, block: 64, arguments: [2.0, x, y, 64]}\n"
              "expected: [{buffer: y, raw: ones.raw}]\n");
  fs::create_directories(place.path() / "a" / "b");
}

/// A folder, and how the experiment and the second kernel are named from there.
struct Standpoint {
  const char* folder;
  std::string file;
  std::string program;
};

std::vector<Standpoint> standpoints(const TemporaryFolder& place) {
  return {{"exp", "run.yaml", "../kernels/other.ptx"},
          {".", "./exp/run.yaml", "kernels/other.ptx"},
          {"a/b", "../../exp/run.yaml", "../../kernels/other.ptx"},
          {"a", (place.path() / "exp/run.yaml").string(), (place.path() / "kernels/other.ptx").string()}};
}

}  // namespace

TEST_CASE("a report is the same wherever the program is started, and however files are named") {
  const TemporaryFolder place;
  write_tree(place);
  const auto run = [&](const Standpoint& from, const std::string& out, std::vector<std::string> more) {
    const std::vector<std::string> words{"run", from.file, "--out", (place.path() / out).string()};
    more.insert(more.begin(), words.begin(), words.end());
    ProgramOptions options;
    options.folder = place.path() / from.folder;
    const ProgramResult result = run_program(more, options);
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    return result.output;
  };
  std::map<std::string, std::string> first;
  std::map<std::string, std::string> first_of_other;
  for (const Standpoint& from : standpoints(place)) {
    CAPTURE(from.folder);
    run(from, "out", {});
    run(from, "other", {"--set", "launches[0].program=" + from.program});
    const auto report = contents(place.path() / "out");
    const auto other = contents(place.path() / "other");
    if (first.empty()) first = report;
    if (first_of_other.empty()) first_of_other = other;
    CHECK(report == first);
    CHECK(other == first_of_other);
  }
  for (const auto& [name, bytes] : first) CHECK_THAT(bytes, !Contains(place.path().string()));
  const auto report = boost::json::parse(first.at("report.json"));
  CHECK(report.at("launches").at(0).at("profile").at("program") == "../kernels/saxpy.ptx");
  CHECK(report.at("expected").at(0).at("against") == "ones.raw");
  CHECK_THAT(first.at("effective.yaml"), Contains("sms: 1  # ../machine.yaml:1:12"));
  const auto manifest = boost::json::parse(first_of_other.at("manifest.json"));
  CHECK(manifest.at("command") ==
        boost::json::value{"reconverge", "run", "run.yaml", "--set", "launches[0].program=../kernels/other.ptx"});
  CHECK(manifest.at("inputs").at(0).at("path") == "../kernels/other.ptx");
  // An existing report is recognised from every folder.
  for (const Standpoint& from : standpoints(place)) {
    CAPTURE(from.folder);
    CHECK_THAT(run(from, "out", {"--resume"}), Contains("already"));
    CHECK_THAT(run(from, "other", {"--resume", "--set", "launches[0].program=" + from.program}), Contains("already"));
  }
}

TEST_CASE("a report of ray tracing is the same wherever the program is started") {
  const TemporaryFolder place;
  const fs::path tree = RECONVERGE_SOURCE_DIR;
  const auto run = [&](const fs::path& folder, const fs::path& experiment, const fs::path& program) {
    std::vector<std::string> words = small_run(
        {"--profile", "--out", (place.path() / "out").string(), "--set", "workload.trace_program=" + program.string()});
    words[1] = experiment.string();
    ProgramOptions options;
    options.folder = folder;
    const ProgramResult result = run_program(words, options);
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    return contents(place.path() / "out");
  };
  const char* const conference = "yaml/experiments/conference.yaml";
  const char* const kernel = "platforms/kernels/trace_while_while.ptx";
  const auto first = run(tree, conference, kernel);
  CHECK(run(place.path(), tree / conference, tree / kernel) == first);
  CHECK(run(tree / "yaml/experiments", "conference.yaml", fs::path("../..") / kernel) == first);
  CHECK_THAT(first.at("report.json"), Contains("\"../../platforms/kernels/trace_while_while.ptx\""));
}
