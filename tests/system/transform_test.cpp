/// `transform microkernels`: a file that the front end takes and a table, or a complaint and nothing.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;

namespace {

constexpr const char* collatz = RECONVERGE_SOURCE_DIR "/testbenches/kernels/collatz.ptx";
constexpr const char* reduce = RECONVERGE_SOURCE_DIR "/testbenches/kernels/reduce.ptx";

ProgramResult transform(const std::vector<std::string>& more, const ProgramOptions& options = {}) {
  std::vector<std::string> arguments = {"transform", "microkernels"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, options);
}

/// Collatz of 200 numbers, then their sum, which needs barriers, on a machine with micro-kernels.
std::string two_kernels(const std::string& transform, const std::string& of_sum = "transform: false") {
  return fmt::format(
      "gpu: {{sms: 1, sm: {{scheme: dynamic_microkernel, launch_unit: warp}}}}\ntransform: {{{}}}\n"
      "buffers:\n  start: {{type: u32, count: 200, range: {{start: 1}}}}\n  steps: {{type: u32, count: 200}}\n"
      "  sums: {{type: s32, count: 4}}\n  total: {{type: s32, count: 1}}\nlaunches:\n"
      "- {{program: {}, threads: 200, block: 64, arguments: [start, steps, 200]}}\n"
      "- {{program: {}, kernel: reduce_sum, grid: 4, block: 64, arguments: [steps, sums, total, 200], {}}}\n"
      "expected:\n- {{buffer: total, values: [8418]}}\n",
      transform, collatz, reduce, of_sum);
}

ProgramResult run_text(const TemporaryFolder& place, const std::string& text,
                       const std::vector<std::string>& settings = {}) {
  place.write("run.yaml", text);
  std::vector<std::string> words{"run", "run.yaml", "--out", "out"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return run_program(words, {place.path()});
}

}  // namespace

TEST_CASE("transform microkernels writes a kernel and says what it costs") {
  const TemporaryFolder place;
  const std::string out = place.path() / "out.ptx";
  const ProgramResult result = transform({collatz, "--kernel", "collatz", "--out", out});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.errors.empty());
  CHECK_THAT(result.output, StartsWith("kernel collatz: 24 bytes of state a thread, 2 micro-kernels\n\n") &&
                                Contains("micro-kernel") && Contains("passed  loaded") && Contains("stored"));
  const std::string text = read_file(out);
  CHECK_THAT(text,
             StartsWith("// Micro-kernels of 'collatz', made by: reconverge transform microkernels --split loops\n"
                        "// 24 bytes of state a thread, 2 micro-kernels."));
  CHECK(run_program({"inspect", "program", out}).exit_code == 0);
  CHECK(names_in(place.path()) == std::vector<std::string>{"out.ptx"});

  const ProgramResult again = transform({out, "--out", place.path() / "twice.ptx"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.errors, Contains("spawns threads already"));
}

TEST_CASE("transform microkernels complains in one line and leaves nothing") {
  const TemporaryFolder place;
  const std::string out = place.path() / "out.ptx";
  const auto complaint = [&](const std::vector<std::string>& arguments, int code) {
    const ProgramResult result = transform(arguments);
    CHECK(result.exit_code == code);
    CHECK(is_one_complaint(result.errors));
    CHECK(result.output.empty());
    CHECK(names_in(place.path()).empty());
    return result.errors;
  };
  CHECK_THAT(complaint({reduce, "--out", out}, 2),
             Contains("reduce.ptx:39:2: shared memory: a micro-kernel's threads"));
  CHECK_THAT(complaint({collatz, "--kernel", "colatz", "--out", out}, 2), Contains("did you mean collatz?"));
  CHECK_THAT(complaint({"nobody.ptx", "--out", out}, 2), Contains("nobody.ptx: there is no such file"));
  CHECK_THAT(complaint({collatz, "--out", collatz}, 2), Contains("this is the kernel that is to be read"));
  CHECK_THAT(complaint({collatz, "--split", "lines", "--out", out}, 2), Contains("--split"));
  CHECK_THAT(complaint({collatz, "--split", "branches", "--depth", "1", "--out", out}, 2),
             Contains("a depth is about loops"));
  CHECK_THAT(complaint({collatz}, 2), Contains("--out is required"));
  complaint({collatz, "--out", place.path() / "nowhere" / "out.ptx"}, 4);
}

TEST_CASE("an experiment runs what transform microkernels writes, and keeps it") {
  const TemporaryFolder place;
  const std::string adaptive = GENERATE("nowhere", "rounds", "anywhere");
  const ProgramResult run =
      run_text(place, two_kernels("kind: microkernels"), {fmt::format("transform.adaptive={}", adaptive)});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("1 value agrees"));
  REQUIRE(transform({collatz, "--local", "global", "--adaptive", adaptive, "--out", place.path() / "by_hand.ptx"})
              .exit_code == 0);
  CHECK(read_file(place.path() / "out/collatz.microkernels.ptx") == read_file(place.path() / "by_hand.ptx"));
  CHECK_THAT(read_file(place.path() / "out/manifest.json"), Contains("collatz.microkernels.ptx"));
  // What it was set to runs again.
  const ProgramResult plain = run_text(place, two_kernels("kind: microkernels"), {"transform.kind=none"});
  CHECK(plain.exit_code == 0);
  CHECK_THAT(read_file(place.path() / "out/manifest.json"), !Contains("microkernels.ptx"));
}

TEST_CASE("an experiment whose kernels cannot be micro-kernels is refused before it runs") {
  const TemporaryFolder place;
  const auto refusal = [&](const std::string& text, const std::vector<std::string>& settings = {}) {
    const ProgramResult result = run_text(place, text, settings);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    CHECK(names_in(place.path()) == std::vector<std::string>{"run.yaml"});
    return result.errors;
  };
  const std::string made = two_kernels("kind: microkernels");
  CHECK_THAT(refusal(two_kernels("kind: microkernels", "transform: true")),
             Contains("reduce.ptx:39:2: shared memory: a micro-kernel's threads"));
  CHECK_THAT(refusal(two_kernels("kind: microkernels", "transform: perhaps")), Contains("launches[1].transform"));
  CHECK_THAT(refusal(made, {"gpu.sm.scheme=reconvergence_stack"}),
             Contains("set gpu.sm.scheme to dynamic_microkernel"));
  CHECK_THAT(refusal(made, {"machine=functional"}), Contains("transform.kind: the machine is functional"));
  CHECK_THAT(refusal(made, {"transform.depth=7", "transform.from_depth=7"}), Contains("has no loop of that depth"));
  CHECK_THAT(
      refusal(made, {"transform.state=given", "gpu.sm.dynamic_microkernel.state_bytes=16B"}),
      Contains("transform.state: a thread leaves up to 24 bytes") && Contains("state_bytes is 16; set that to 24"));
}

TEST_CASE("a kernel with variables is converted where no other uses them") {
  const TemporaryFolder place;
  place.write("count.ptx",
              ".version 7.0\n.target sm_60\n.address_size 64\n.global .u32 misses = 7;\n"
              ".visible .entry count(.param .u64 out)\n{\n  .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>;\n"
              "  ld.param.u64 %rd1, [out];\n  mov.u32 %r1, 4;\nLOOP:\n  atom.global.add.u32 %r2, [misses], 1;\n"
              "  sub.u32 %r1, %r1, 1;\n  setp.gt.s32 %p1, %r1, 0;\n  @%p1 bra LOOP;\n"
              "  atom.global.max.u32 %r3, [%rd1], %r2;\n  ret;\n}\n"
              ".visible .entry other(.param .u64 out)\n{\n  .reg .b32 %r<5>;\n"
              "  ld.global.u32 %r1, [misses];\n  st.global.u32 [misses], %r1;\n  ret;\n}\n");
  const auto text = [](const std::string& buffer, const std::string& launch) {
    return "gpu: {sms: 1, sm: {scheme: dynamic_microkernel, launch_unit: warp}}\ntransform: {kind: microkernels}\n"
           "buffers:\n  x: {type: u32, count: 1}\n" +
           buffer + "launches:\n- {program: count.ptx, kernel: count, grid: 1, block: 32, arguments: [x]}\n" + launch +
           "expected:\n- {buffer: x, values: [134]}\n";
  };
  const ProgramResult alone = run_text(place, text("", ""));
  INFO(alone.errors);
  CHECK(alone.exit_code == 0);
  const std::string uses = "reads the variable 'misses' of its module, which others here use, too";
  const ProgramResult as_buffer = run_text(place, text("  m: {variable: misses, program: count.ptx, type: u32}\n", ""));
  CHECK(as_buffer.exit_code == 2);
  CHECK_THAT(as_buffer.errors, Contains(uses));
  const ProgramResult with_other = run_text(
      place, text("", "- {program: count.ptx, kernel: other, grid: 1, block: 32, arguments: [x], transform: false}\n"));
  CHECK(with_other.exit_code == 2);
  CHECK_THAT(with_other.errors, Contains(uses));
}

TEST_CASE("the kd-tree tracer as an experiment makes it finds Embree's hits, and its PTX is kept") {
  const TemporaryFolder place;
  const auto* experiment = GENERATE("dmk_automatic", "dmk_automatic_inner", "dmk_rounds", "dmk_adaptive");
  std::vector<std::string> words{"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/" + std::string(experiment) + ".yaml",
                                 "--out", place.path() / "out"};
  for (const char* setting : {"gpu.sms=1", "workload.scene=conference_small", "workload.width=32", "workload.height=24",
                              "workload.bounces=2"}) {
    words.insert(words.end(), {"--set", setting});
  }
  const ProgramResult result = run_program(words);
  INFO(experiment << result.errors);
  REQUIRE(result.exit_code == 0);  // hits and picture among the checks
  CHECK_THAT(read_file(place.path() / "out/microkernels.ptx"),
             StartsWith("// Micro-kernels of 'trace_kd_tree'") && Contains("384 bytes of global memory"));
}
