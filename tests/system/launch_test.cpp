// SPDX-License-Identifier: Apache-2.0
/// Launches from a file: the shipped examples on every machine, what is written, and every way to fail.

#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "platforms/launch/npy.hpp"
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

const std::vector<std::string> collatz_report{"effective.yaml", "manifest.json", "report.csv",
                                              "report.json",    "steps.npy",     "total.bin"};

/// saxpy over 8 elements, y = 2 x + 1, with more keys.
std::string small_saxpy(const std::string& more = {}, const std::string& arguments = "[2, x, y, 8]") {
  return "buffers:\n  x: {type: f32, count: 8, range: {}}\n  y: {type: f32, count: 8, fill: 1}\n"
         "launches:\n  - {program: " +
         kernels + "saxpy.ptx, grid: 1, block: 32, arguments: " + arguments + "}\n" + more;
}

ProgramResult run_text(const TemporaryFolder& place, const std::string& text,
                       const std::vector<std::string>& more = {}) {
  place.write("run.yaml", text);
  std::vector<std::string> words{"run", "run.yaml", "--out", "out"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words, {place.path()});
}

void expect_refusal(const std::string& text, int exit_code, const std::vector<std::string>& parts,
                    const std::vector<std::string>& more = {}) {
  const TemporaryFolder place;
  place.write("wild.ptx",
              traversal_with("  mov.u64 %rd1, 8;\n  mov.u32 %r1, 1;\n  st.global.u32 [%rd1], %r1;\n  ret;\n"));
  const ProgramResult result = run_text(place, text, more);
  INFO(text << result.errors);
  CHECK(result.exit_code == exit_code);
  CHECK(is_one_complaint(result.errors));
  CHECK(result.output.empty());
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
  CHECK(names_in(place.path()) == std::vector<std::string>{"run.yaml", "wild.ptx"});
}

}  // namespace

TEST_CASE("the shipped examples give their expected results on both machines and under both schemes") {
  const TemporaryFolder place;
  const auto* name = GENERATE("saxpy", "collatz");
  const auto* setting =
      GENERATE("machine=timed", "machine=functional", "gpu.sm.scheme=mimd", "gpu.sm.scheme=thread_block_compaction");
  INFO(name << ' ' << setting);
  const fs::path out = place.path() / "out";
  const ProgramResult result =
      run_program({"run", experiments + name + ".yaml", "--set", setting, "--out", out.string()});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("values agree"));
  const json::value report = report_in(out);
  CHECK(report.at("checks").at("expected_agree") == true);
  CHECK(report.at("checks").at("issue_slots_add_up") == true);
  const bool timed = std::string(setting) != "machine=functional";
  for (const json::value& launch : report.at("launches").as_array()) {
    CHECK(launch.at("completed") == true);
    CHECK(launch.at("figures").as_object().contains("cycles") == timed);
    CHECK(launch.at("figures").at("thread_instructions").as_int64() > 1024);
    for (const auto& [figure, value] : launch.at("figures").as_object()) {
      CHECK(report.at("definitions").at("figures").as_object().contains(figure));
    }
  }
}

TEST_CASE("both machines count the same instructions") {
  const TemporaryFolder place;
  std::set<std::int64_t> counts;
  for (const auto* machine : {"timed", "functional"}) {
    const fs::path out = place.path() / machine;
    REQUIRE(run_program({"run", experiments + "collatz.yaml", "--set", std::string("machine=") + machine, "--out",
                         out.string()})
                .exit_code == 0);
    counts.insert(report_in(out).at("total").at("figures").at("thread_instructions").as_int64());
  }
  CHECK(counts.size() == 1);
}

TEST_CASE("outputs are arrays and bytes that others can read") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  REQUIRE(run_program({"run", experiments + "collatz.yaml", "--out", out.string()}).exit_code == 0);
  CHECK(names_in(out) == collatz_report);
  const auto steps = reconverge::launch::read_npy(out / "steps.npy");
  CHECK(steps.shape == std::vector<std::uint64_t>{32, 32});
  const auto expected = reconverge::launch::read_npy(experiments + "data/collatz_steps.npy");
  CHECK(steps.data == expected.data);
  CHECK(read_file(out / "total.bin").size() == 4);
}

TEST_CASE("an output is a picture that others can show") {
  const TemporaryFolder place;
  place.write("run.yaml", small_saxpy("outputs: [{buffer: y, png: y.png, shape: [2, 4]}]\n"));
  const fs::path out = place.path() / "out";
  REQUIRE(run_program({"run", (place.path() / "run.yaml").string(), "--out", out.string()}).exit_code == 0);
  CHECK(read_file(out / "y.png").starts_with("\x89PNG"));
}

TEST_CASE("two runs of launches give the same bytes, and the configuration in a report runs again") {
  const TemporaryFolder place;
  const auto run = [&](const std::string& file, const std::string& out) {
    REQUIRE(run_program({"run", file, "--out", (place.path() / out).string()}).exit_code == 0);
  };
  run(experiments + "collatz.yaml", "first");
  run(experiments + "collatz.yaml", "second");
  run((place.path() / "first" / "effective.yaml").string(), "third");
  for (const std::string& name : collatz_report) {
    INFO(name);
    CHECK(read_file(place.path() / "first" / name) == read_file(place.path() / "second" / name));
    if (name.ends_with(".yaml") || name.ends_with(".json")) continue;  // their paths depend on the file that was run
    CHECK(read_file(place.path() / "first" / name) == read_file(place.path() / "third" / name));
  }
  const fs::path compared = fs::path(experiments) / "data/collatz_steps.npy";
  const auto against = [&](json::value& report) {
    return std::exchange(report.at("expected").at(0).at("against"), {});
  };
  json::value first = report_in(place.path() / "first");
  json::value third = report_in(place.path() / "third");
  CHECK(against(first) == "data/collatz_steps.npy");
  CHECK(fs::canonical(place.path() / "first" / against(third).as_string().c_str()) == fs::canonical(compared));
  CHECK(first == third);
}

TEST_CASE("values that differ are shown and end with exit code 1, with the whole report") {
  const TemporaryFolder place;
  const ProgramResult result = run_text(
      place, small_saxpy("expected:\n- {buffer: y, values: [1, 3, 5, 7.5, 9, 11, 13, nan]}\n- {buffer: x, range: {}}\n"
                         "outputs: [{buffer: y, npy: y.npy}]\n"));
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.output, Contains("y against values: 2 of 8 values DIFFER") && Contains("y[3] is 7, expected 7.5") &&
                                Contains("y[7] is 15, expected nan") && Contains("x against range: 8 values agree"));
  const json::value report = report_in(place.path() / "out");
  CHECK(report.at("checks").at("expected_agree") == false);
  CHECK(report.at("expected").at(0).at("differing") == 2);
  CHECK(report.at("expected").at(0).at("first").at(0).at("index") == 3);
  CHECK(fs::exists(place.path() / "out" / "y.npy"));
}

TEST_CASE("tolerances let values pass") {
  const TemporaryFolder place;
  const ProgramResult result =
      run_text(place, small_saxpy("expected:\n- {buffer: y, values: [1, 3, 5, 7.5, 9, 11, 13, 15], absolute: 0.5}\n"));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("8 values agree within 0.5"));
}

TEST_CASE("a file may change the platform of the one that it extends, and keeps its launches") {
  const TemporaryFolder place;
  place.write("base.yaml", small_saxpy("expected: [{buffer: y, range: {start: 1, step: 2}}]\n"));
  const ProgramResult result = run_text(place, "extends: base.yaml\nmachine: timed\ngpu: {sms: 3}\n");
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("3 SMs"));
}

TEST_CASE("a report of launches replaces an earlier report of any kind") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  REQUIRE(run_program(small_run({"--out", out.string()})).exit_code == 0);
  REQUIRE(run_text(place, small_saxpy("outputs: [{buffer: y, npy: a.npy}]\n")).exit_code == 0);
  CHECK(names_in(out) ==
        std::vector<std::string>{"a.npy", "effective.yaml", "manifest.json", "report.csv", "report.json"});
  REQUIRE(run_text(place, small_saxpy("outputs: [{buffer: y, raw: b.bin}]\n")).exit_code == 0);
  CHECK(names_in(out) ==
        std::vector<std::string>{"b.bin", "effective.yaml", "manifest.json", "report.csv", "report.json"});
  place.write("out/notes.txt", "mine");
  REQUIRE(run_program(small_run({"--out", out.string()})).exit_code == 0);
  CHECK(fs::exists(out / "picture.png"));
  CHECK(fs::exists(out / "notes.txt"));
  CHECK_FALSE(fs::exists(out / "b.bin"));
}

TEST_CASE("an error in a launch file is refused with its place and leaves no files") {
  const std::string simple = small_saxpy();
  expect_refusal(small_saxpy({}, "[2, x, y]"), 2, {"run.yaml:5:", "takes 4 arguments, 3 given", "saxpy_param_0 (.f32"});
  expect_refusal(small_saxpy({}, "[2, x, z, 8]"), 2, {"run.yaml:5:", "no buffer 'z'", "saxpy_param_2 (.u64, 8 bytes)"});
  expect_refusal(small_saxpy({}, "[2, x, y, 4294967296]"), 2, {"out of range", "saxpy_param_3 (.u32, 4 bytes)"});
  expect_refusal(small_saxpy("outputs: [{buffer: z, npy: z.npy}]\n"), 2, {"run.yaml:6:20: ", "unknown buffer 'z'"});
  expect_refusal(small_saxpy("expected: [{buffer: y, npy: none.npy}]\n"), 2, {"run.yaml:6:29: ", "no file 'none.npy'"});
  expect_refusal(small_saxpy("expectd: []\n"), 2, {"run.yaml:6:1: ", "did you mean expected?"});
  expect_refusal(small_saxpy("workload: {width: 8}\n"), 2, {"run.yaml:6:19: ", "workload.width", "launches, too"});
  expect_refusal("outputs: []\n", 2, {"run.yaml:1:1: ", "no launches"});
  expect_refusal("machine: functional\n", 2, {"run.yaml:1:10: ", "ray tracing"});
  expect_refusal(small_saxpy("machine: fast\n"), 2, {"run.yaml:6:10: ", "functional"});
  expect_refusal(small_saxpy("gpu: {sm: {l1: {line: 256 B}}}\n"), 2, {"run.yaml:6:", "gpu.sm.l1.line"});
}

TEST_CASE("a launch that the platform cannot hold is refused with its place") {
  const std::string large = "launches:\n- {program: " + kernels +
                            "saxpy.ptx, grid: 1, block: 1024, arguments: [0, 0, 0, 0], dynamic_shared: 64 KiB}\n";
  expect_refusal(large, 2, {"run.yaml:2:3: ", "does not fit in an SM"});
  const TemporaryFolder place;
  place.write("run.yaml", large);
  const ProgramResult result = run_program({"validate", "run.yaml"}, {place.path()});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("run.yaml:2:3: ") && Contains("does not fit"));
}

TEST_CASE("a failed launch ends with exit code 3 on both machines and leaves no files") {
  const std::string wild = "launches: [{program: wild.ptx, grid: 1, block: 32, arguments: [0, 0, 0, 0, 0, 0]}]\n";
  for (const auto* machine : {"timed", "functional"}) {
    expect_refusal(wild, 3, {"wild.ptx:13", "0x8"}, {"--set", std::string("machine=") + machine});
  }
}

TEST_CASE("validate looks at every launch without running it") {
  for (const auto* setting : {"machine=timed", "machine=functional"}) {
    const ProgramResult result = run_program({"validate", experiments + "collatz.yaml", "--set", setting});
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.output, Contains("4 buffers, 2 launches"));
  }
}

TEST_CASE("inspect entries lists kernels with their parameters") {
  const ProgramResult all = run_program({"inspect", "entries", kernels + "shade.ptx"});
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.output, Contains("shade_hits: 10 parameters, 68 bytes\n") &&
                             Contains("9  shade_hits_param_9  .u32        4 bytes at 64\n") &&
                             Contains("resolve_picture: 4 parameters"));
  const ProgramResult one = run_program({"inspect", "entries", kernels + "shade.ptx", "--entry", "shade_shadow"});
  CHECK(one.output.find("shade_hits") == std::string::npos);
  CHECK(run_program({"inspect", "entries", kernels + "shade.ptx", "--entry", "shade"}).exit_code == 2);
}

TEST_CASE("inspect entries shows the valid kernels of a file and the errors of the others") {
  const TemporaryFolder place;
  const auto kernel = [](const std::string& name, const std::string& body) {
    return ".visible .entry " + name + "(.param .u64 out)\n{\n.reg .b32 %r<3>; .reg .f32 %f<3>;\n" + body +
           "\nret;\n}\n";
  };
  const std::string head = ".version 7.0\n.target sm_75\n.address_size 64\n";
  const std::string good = kernel("good", "mov.u32 %r1, 1;");
  const std::string bad = kernel("bad", "mma.sync %r1;");
  place.write("both.ptx", head + bad + good);
  const ProgramResult both = run_program({"inspect", "entries", (place.path() / "both.ptx").string()});
  CHECK(both.exit_code == 0);
  CHECK_THAT(both.output, Contains("bad: refused: ") && Contains("both.ptx:7:1: instruction 'mma.sync'") &&
                              Contains("good: 1 parameters, 8 bytes\n"));
  place.write("bad.ptx", head + bad);
  CHECK(run_program({"inspect", "entries", (place.path() / "bad.ptx").string()}).exit_code == 2);
  CHECK(run_program({"inspect", "entries", (place.path() / "both.ptx").string(), "--entry", "bad"}).exit_code == 2);
  place.write("none.ptx", head + ".func f() { ret; }\n");
  const ProgramResult none = run_program({"inspect", "entries", (place.path() / "none.ptx").string()});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.errors, Contains("none.ptx: the module has no kernel"));
}

TEST_CASE("a kernel with a directive that is not supported leaves the others of its file usable") {
  const TemporaryFolder place;
  place.write("k.ptx",
              ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry plain(.param .u64 out)\n{\n"
              ".reg .b64 %d<2>;\nld.param.u64 %d1, [out];\nst.global.u32 [%d1], 1;\nret;\n}\n"
              ".visible .entry clustered(.param .u64 out)\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\nret;\n}\n");
  const auto validate = [&](const std::string& kernel) {
    place.write("run.yaml", "buffers:\n  out: {type: u32, count: 1}\nlaunches:\n- {program: k.ptx, kernel: " + kernel +
                                ", grid: 1, block: 1, arguments: [out]}\n");
    return run_program({"validate", (place.path() / "run.yaml").string()});
  };
  CHECK(validate("plain").exit_code == 0);
  const ProgramResult refused = validate("clustered");
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Contains("k.ptx:12:1: directive '.explicitcluster' is not supported here; a block is its "
                                      "own cluster here: compile without clusters"));
  const std::string file = (place.path() / "k.ptx").string();
  CHECK_THAT(run_program({"inspect", "entries", file}).output,
             Contains("plain: 1 parameters") && Contains("clustered: refused: "));
  CHECK(run_program({"inspect", "program", file, "--entry", "plain"}).exit_code == 0);
}

TEST_CASE("a program that lanes may leave too early draws a warning before it runs") {
  const TemporaryFolder place;
  place.write("early.ptx",
              ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\n"
              ".reg .b32 %r<4>; .reg .pred %p<4>;\nmov.u32 %r1, %tid.x;\nLOOP: vote.ballot.b32 %r2, %p1;\n"
              "setp.gt.u32 %p1, %r1, 3;\n@%p1 bra ON;\nsetp.gt.u32 %p2, %r1, 1;\n@%p2 bra OUT;\n"
              "ON: sub.u32 %r1, %r1, 1;\nbra LOOP;\nOUT: bar.sync 0;\nret;\n}\n");
  place.write("run.yaml", "launches:\n- {program: early.ptx, grid: 1, block: 1}\n");
  const std::string file = (place.path() / "run.yaml").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"validate", file},
        std::vector<std::string>{"inspect", "reconvergence", (place.path() / "early.ptx").string()}}) {
    const ProgramResult result = run_program(command);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.errors, Contains("reconverge: warning: ") && Contains("early.ptx:10: lanes that this branch"));
  }
}

TEST_CASE("a kernel that relies on lockstep draws a warning before its threads run independently") {
  const TemporaryFolder place;
  place.write("lockstep.ptx",
              ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\n"
              ".reg .b32 %r<8>; .shared .align 4 .b8 words[256];\nmov.u32 %r1, %tid.x;\nshl.b32 %r1, %r1, 2;\n"
              "mov.u32 %r2, words;\nadd.u32 %r2, %r2, %r1;\nxor.b32 %r3, %r2, 4;\nst.shared.u32 [%r2], %r1;\n"
              "ld.shared.u32 %r4, [%r3];\nst.shared.u32 [%r2], %r4;\nret;\n}\n");
  place.write("run.yaml", "launches:\n- {program: lockstep.ptx, grid: 1, block: 32}\n");
  const std::string file = (place.path() / "run.yaml").string();
  const auto told = [&](const std::string& setting) {
    const ProgramResult result = run_program({"validate", file, "--set", setting});
    CHECK(result.exit_code == 0);
    return result.errors;
  };
  CHECK_THAT(told("gpu.sm.scheme=mimd"), Contains("reconverge: warning: ") &&
                                             Contains("lockstep.ptx:13: 'ld.shared.u32") && Contains("in line 12"));
  CHECK(told("gpu.sm.scheme=reconvergence_stack").empty());
  CHECK(told("machine=functional").empty());
  const std::string persistent = RECONVERGE_SOURCE_DIR "/testbenches/corpus/styles/persistent_shared_nvcc.yaml";
  CHECK_THAT(run_program({"validate", persistent, "--set", "gpu.sm.scheme=mimd"}).errors,
             Contains("persistent_shared_nvcc.ptx:89: 'ld.volatile.shared") && Contains("in line 86"));
}

TEST_CASE("a scene and its rays feed a traversal kernel") {
  const TemporaryFolder place;
  const std::string text =
      "buffers:\n"
      "  nodes: {scene: box, part: nodes}\n"
      "  rows: {scene: box, part: triangles}\n"
      "  triangle_of_row: {scene: box, part: triangle_of_row}\n"
      "  rays: {rays: box.rays, bounce: 1}\n"
      "  hits: {type: f32, count: {count_of: rays, times: 4}}\n"
      "launches:\n"
      "  - program: " +
      kernels +
      "trace_while_while.ptx\n"
      "    threads: {count_of: rays}\n"
      "    block: 64\n"
      "    arguments: [nodes, rows, triangle_of_row, rays, hits, {count_of: rays}]\n"
      "outputs: [{buffer: hits, raw: hits.bin}]\n";
  REQUIRE(run_program({"rays", "--scene", "box", "--width", "16", "--height", "8", "--out", "box.rays"}, {place.path()})
              .exit_code == 0);
  const ProgramResult result = run_text(place, text);
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(read_file(place.path() / "out" / "hits.bin").size() == 16 * 8 * 16);
  // The timed machine has the same result as the functional one.
  const std::string timed = read_file(place.path() / "out" / "hits.bin");
  REQUIRE(run_text(place, text, {"--set", "machine=functional"}).exit_code == 0);
  CHECK(read_file(place.path() / "out" / "hits.bin") == timed);
}

TEST_CASE("each line of kernel output follows the launch's name unless the run is quiet") {
  const TemporaryFolder place;
  place.write("talk.ptx", R"(.version 6.5
.target sm_75
.address_size 64
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);
.global .b8 format[] = {104, 105, 10, 104, 111, 0};
.visible .entry talk() {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  mov.u64 %rd1, format;
  mov.u64 %rd2, 0;
  call (%r1), vprintf, (%rd1, %rd2);
  ret;
}
)");
  const std::string text =
      "machine: functional\nbuffers: {}\nlaunches:\n"
      "  - {name: first, program: talk.ptx, grid: 1, block: 1, arguments: []}\n"
      "  - {name: second, program: talk.ptx, grid: 1, block: 2, arguments: []}\n";
  const ProgramResult loud = run_text(place, text);
  INFO(loud.errors);
  CHECK(loud.exit_code == 0);
  CHECK_THAT(loud.output, Catch::StartsWith("[first] hi\n[first] ho\n[second] hi\n[second] hohi\n[second] ho\n"));
  CHECK(run_text(place, text, {"--quiet", "--force"}).output.empty());
}
