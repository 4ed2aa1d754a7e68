// SPDX-License-Identifier: Apache-2.0
/// `transform microkernels`: a file that the front end accepts and a table, or an error and no output.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <cstdint>
#include <sstream>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;

namespace {

constexpr const char* collatz = RECONVERGE_SOURCE_DIR "/platforms/kernels/collatz.ptx";
constexpr const char* reduce = RECONVERGE_SOURCE_DIR "/platforms/kernels/reduce.ptx";

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

/// Rounds of a Mandelbrot set's pixels, in the loop as clang compiles it: neighbouring pixels leave it in different
/// rounds.
constexpr const char* mandelbrot = R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry mandelbrot(.param .u32 width, .param .u32 height, .param .u32 limit, .param .u64 rounds)
{
  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .f32 %f<16>; .reg .b64 %rd<4>;
  ld.param.u32 %r1, [width];
  ld.param.u32 %r2, [height];
  ld.param.u32 %r3, [limit];
  ld.param.u64 %rd1, [rounds];
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mov.u32 %r6, %tid.x; mad.lo.u32 %r4, %r4, %r5, %r6;
  mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ntid.y; mov.u32 %r7, %tid.y; mad.lo.u32 %r5, %r5, %r6, %r7;
  cvt.rn.f32.u32 %f1, %r4; cvt.rn.f32.u32 %f2, %r1; div.rn.f32 %f1, %f1, %f2;
  fma.rn.f32 %f1, %f1, 0f40400000, 0fC0000000;
  cvt.rn.f32.u32 %f2, %r5; cvt.rn.f32.u32 %f3, %r2; div.rn.f32 %f2, %f2, %f3;
  fma.rn.f32 %f2, %f2, 0f40000000, 0fBF800000;
  mov.f32 %f4, 0f00000000;
  mov.f32 %f5, 0f00000000;
  mov.u32 %r8, 0;
LOOP:
  mul.f32 %f6, %f5, %f5;
  fma.rn.f32 %f7, %f4, %f4, %f6;
  setp.gtu.f32 %p1, %f7, 0f40800000;
  @%p1 bra DONE;
  mul.f32 %f8, %f4, %f4;
  sub.f32 %f8, %f8, %f6;
  add.f32 %f9, %f4, %f4;
  fma.rn.f32 %f5, %f9, %f5, %f2;
  add.f32 %f4, %f8, %f1;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p2, %r8, %r3;
  @%p2 bra LOOP;
DONE:
  mad.lo.u32 %r9, %r5, %r1, %r4;
  mul.wide.u32 %rd2, %r9, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r8;
  ret;
}
)";

/// The cycles, the output and the memory contents of a run.
struct MandelbrotRun {
  std::uint64_t cycles = 0;
  std::string printed, rounds;
};

MandelbrotRun run_mandelbrot(const std::vector<std::string>& settings) {
  const TemporaryFolder place;
  place.write("mandelbrot.ptx", mandelbrot);
  const ProgramResult run = run_text(place,
                                     "gpu: {sms: 1}\nbuffers:\n  rounds: {type: u32, count: 3072}\nlaunches:\n"
                                     "- {program: mandelbrot.ptx, grid: [4, 3], block: [16, 16],\n"
                                     "   arguments: [64, 48, 256, rounds]}\n"
                                     "outputs:\n- {buffer: rounds, raw: rounds.bin}\n",
                                     settings);
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const auto report = boost::json::parse(read_file(place.path() / "out/report.json"));
  return {report.at("total").at("counters").at("gpu").at("cycles").to_number<std::uint64_t>(), run.output,
          read_file(place.path() / "out/rounds.bin")};
}

}  // namespace

TEST_CASE("micro-kernels of a Mandelbrot set are cheap on chip and the table shows expensive places") {
  const std::string scheme = "gpu.sm.scheme=dynamic_microkernel",
                    on_chip = "gpu.sm.dynamic_microkernel.on_chip=256 KiB";
  const MandelbrotRun stack = run_mandelbrot({});
  const MandelbrotRun made = run_mandelbrot({scheme, "transform.kind=microkernels"});
  const MandelbrotRun naive = run_mandelbrot({scheme, "transform.kind=microkernels", "transform.adaptive=nowhere"});
  const MandelbrotRun near = run_mandelbrot({scheme, "transform.kind=microkernels", on_chip});
  CHECK(made.rounds == stack.rounds);
  CHECK(naive.rounds == stack.rounds);
  CHECK(near.rounds == stack.rounds);
  INFO(stack.cycles << " on the stack, " << made.cycles << ", " << naive.cycles << " naively, " << near.cycles
                    << " with states on chip");
  CHECK(made.cycles < 3 * stack.cycles);
  CHECK(naive.cycles > 8 * made.cycles);
  CHECK(5 * near.cycles < 6 * stack.cycles);

  for (std::string printed : {naive.printed, made.printed}) {
    std::ranges::replace(printed, '\n', ' ');
    CHECK_THAT(printed, Contains("Creating threads costs much here: ") && Contains(" % of the memory instructions ("));
  }
  CHECK_THAT(naive.printed, Contains("(transform.adaptive: rounds)"));
  CHECK_THAT(made.printed, !Contains("transform.adaptive"));
  CHECK_THAT(near.printed, !Contains("Creating threads"));
  CHECK_THAT(stack.printed, !Contains("Creating threads") && !Contains("Under mimd"));
  const std::string mimd = run_mandelbrot({"gpu.sm.scheme=mimd"}).printed;
  CHECK_THAT(mimd, Contains("Under mimd each lane issues by itself") && !Contains("Creating threads"));
  std::istringstream lines(mimd);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
}

TEST_CASE("transform microkernels writes a kernel and reports its cost") {
  const TemporaryFolder place;
  const std::string out = place.path() / "out.ptx";
  const ProgramResult result = transform({collatz, "--kernel", "collatz", "--out", out});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.errors.empty());
  CHECK_THAT(result.output, StartsWith("kernel collatz: 24 bytes of state a thread, 2 micro-kernels\n\n") &&
                                Contains("micro-kernel") && Contains("passed  loaded") && Contains("stored"));
  const std::string text = read_file(out);
  CHECK_THAT(text, StartsWith("// Micro-kernels of 'collatz', made by: reconverge transform microkernels --split loops "
                              "--adaptive rounds\n"
                              "// 24 bytes of state a thread, 2 micro-kernels."));
  CHECK(run_program({"inspect", "program", out}).exit_code == 0);
  CHECK(names_in(place.path()) == std::vector<std::string>{"out.ptx"});

  const ProgramResult again = transform({out, "--out", place.path() / "twice.ptx"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.errors, Contains("spawns threads already"));
}

TEST_CASE("transform microkernels reports an error in one line and leaves no file") {
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
  CHECK_THAT(complaint({"missing.ptx", "--out", out}, 2), Contains("missing.ptx: there is no such file"));
  CHECK_THAT(complaint({collatz, "--out", collatz}, 2), Contains("this is the kernel that is to be read"));
  CHECK_THAT(complaint({collatz, "--split", "lines", "--out", out}, 2), Contains("--split"));
  CHECK_THAT(complaint({collatz, "--split", "branches", "--depth", "1", "--out", out}, 2),
             Contains("a depth is about loops"));
  CHECK_THAT(complaint({collatz}, 2), Contains("--out is required"));
  complaint({collatz, "--out", place.path() / "nowhere" / "out.ptx"}, 4);
}

TEST_CASE("an experiment runs the output of transform microkernels and keeps it") {
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
  // Run again with a setting that overrides the file's transformation.
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

TEST_CASE("a kernel with variables is converted if no other kernel uses them") {
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
  const ProgramResult original = run_text(place, text("", ""));
  INFO(original.errors);
  CHECK(original.exit_code == 0);
  const std::string uses = "reads the variable 'misses' of its module, which buffers or other launches use, too";
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
  REQUIRE(result.exit_code == 0);  // hits and picture are among the checks
  CHECK_THAT(read_file(place.path() / "out/microkernels.ptx"),
             StartsWith("// Micro-kernels of 'trace_kd_tree'") && Contains("384 bytes of global memory"));
}
