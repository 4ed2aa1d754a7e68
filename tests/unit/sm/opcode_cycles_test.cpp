// SPDX-License-Identifier: Apache-2.0
// The parameter `opcodes` of the lanes: which entry applies to an instruction, and errors in lists.

#include "models/sm/opcode_cycles.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/sm/pipe_table.hpp"
#include "tests/unit/sm/lanes_bench.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge {
namespace {

using kernel::OperationClass;
using tests::one_of_each;
using Counter = LanesInstructions;
using Busy = LanesBusyCycles;

/// Instructions of a kernel, and their pipes and cycles with various lists.
struct Instructions {
  explicit Instructions(std::string_view body) : program(tests::kernel_of(body)), image(program, memory) {}

  PipeService served(const std::string& list, kernel::Pc pc = 0, LanesParameters parameters = one_of_each()) const {
    parameters.opcodes = list;
    return PipeTable(parameters).of(image.decoded(pc));
  }
  /// The latencies of the first `count` instructions.
  std::vector<Cycle> latencies(const std::string& list, kernel::Pc count) const {
    LanesParameters parameters = one_of_each();
    parameters.opcodes = list;
    const PipeTable table(parameters);
    std::vector<Cycle> latencies;
    for (kernel::Pc pc = 0; pc < count; ++pc) latencies.push_back(table.of(image.decoded(pc)).latency);
    return latencies;
  }

  const kernel::Program program;
  DeviceMemory memory;
  ProgramImage image;
};

/// Calls `check` with each permutation of the entries.
template <typename Check>
void in_every_order(std::vector<std::string> entries, Check&& check) {
  std::sort(entries.begin(), entries.end());
  do {
    std::string list;
    for (const std::string& entry : entries) list += (list.empty() ? "" : ", ") + entry;
    check(list);
  } while (std::next_permutation(entries.begin(), entries.end()));
}

bool same(const PipeService& one, const PipeService& other) {
  return one.pipe == other.pipe && one.latency == other.latency && one.interval == other.interval &&
         one.counter == other.counter;
}

}  // namespace

TEST_CASE("opcodes: an entry sets pipe and cycles of its instruction, and no other instruction changes") {
  struct Row {
    std::string instruction;
    PipeService service;
  };
  const std::string list = "popc special 10 8,add multiply 6 2 , mul fp64 5 3,mul.f64 alu 40 17, setp.i64 matrix 7 4";
  const Row row = GENERATE_COPY(values<Row>({
      {"popc.b32 %r1, %r2;", {Busy::special, 10, 8, Counter::special}},
      {"popc.b64 %r1, %rd2;", {Busy::special, 10, 8, Counter::special}},
      {"add.u32 %r1, %r2, %r3;", {Busy::multiply, 6, 2, Counter::multiply}},
      {"add.f64 %rd1, %rd2, %rd3;", {Busy::multiply, 6, 2, Counter::multiply}},
      {"mul.f32 %r1, %r2, %r3;", {Busy::fp64, 5, 3, Counter::fp64}},
      {"mul.f64 %rd1, %rd2, %rd3;", {Busy::alu, 40, 17, Counter::alu}},
      {"setp.ne.s64 %p1, %rd1, 0;", {Busy::matrix, 7, 4, Counter::matrix}},
      {"setp.ne.s32 %p1, %r1, 0;", {Busy::alu, 11, 2, Counter::alu}},
      {"sub.u32 %r1, %r2, %r3;", {Busy::alu, 11, 2, Counter::alu}},
      {"fma.rn.f64 %rd1, %rd2, %rd3, %rd1;", {Busy::fp64, 24, 16, Counter::fp64}},
  }));
  CAPTURE(row.instruction);
  REQUIRE(same(Instructions(row.instruction).served(list), row.service));
}

TEST_CASE("opcodes: the lanes accept a listed instruction every interval, and its result takes the latency") {
  auto parameters = one_of_each();
  parameters.opcodes = "popc special 10 6";
  parameters.writeback = GENERATE(0, 2);
  tests::LanesBench bench(parameters);
  const Instructions kernel("popc.b32 %r1, %r2;");
  DecodedInstruction decoded = kernel.image.decoded(0);
  decoded.operation = nullptr;
  for (Cycle now = 0; now < 24; ++now) {
    const auto answer = bench.issue(decoded, now);
    REQUIRE((answer.refusal == Refusal::none) == (now % 6 == 0));
    if (now % 6 == 0) REQUIRE(answer.result == now + 10 + parameters.writeback);
  }
  REQUIRE(bench.statistics().busy_cycles[Busy::special] == 24);
  REQUIRE(bench.statistics().instructions[Counter::special] == 4);
}

TEST_CASE("opcodes: entries with a type precede entries without one, in every order") {
  const Instructions products(
      "mul.lo.u32 %r1, %r2, %r3; mul.wide.u32 %rd1, %r2, %r3; mul.lo.u64 %rd1, %rd2, %rd3; mul.f16x2 %r1, %r2, %r3;"
      "mul.f32 %r1, %r2, %r3; mul.f64 %rd1, %rd2, %rd3;");
  in_every_order({"mul alu 31 1", "mul.i64 alu 32 1", "mul.f16 alu 33 1", "mul.f32 alu 34 1", "mul.f64 alu 35 1"},
                 [&](const std::string& list) {
                   CAPTURE(list);
                   CHECK(products.latencies(list, 6) == std::vector<Cycle>{31, 31, 32, 33, 34, 35});
                 });
}

TEST_CASE("opcodes: exact reciprocals have separate entries, of which entries with a type precede") {
  const Instructions reciprocals(
      "rcp.approx.ftz.f64 %rd1, %rd2; rcp.rn.f64 %rd1, %rd2; rcp.approx.f32 %r1, %r2; rcp.rn.f32 %r1, %r2;");
  const std::vector<std::string> entries{"rcp alu 31 1", "rcp.rn alu 32 1", "rcp.f32 alu 33 1", "rcp.rn.f32 alu 34 1"};
  in_every_order(entries, [&](const std::string& list) {
    CAPTURE(list);
    CHECK(reciprocals.latencies(list, 4) == std::vector<Cycle>{31, 32, 33, 34});
  });
  // Without a separate entry, the entry of its type applies to an exact reciprocal.
  in_every_order({entries[0], entries[1], entries[2]}, [&](const std::string& list) {
    CAPTURE(list);
    CHECK(reciprocals.latencies(list, 4) == std::vector<Cycle>{31, 32, 33, 33});
  });
  CHECK(reciprocals.latencies(entries[3], 4) == std::vector<Cycle>{20, 24, 20, 34});
}

TEST_CASE("opcodes: the last of two equal entries applies") {
  const Instructions addition("add.u32 %r1, %r2, %r3;");
  CHECK(addition.latencies("add alu 31 1, add alu 32 1", 1) == std::vector<Cycle>{32});
  CHECK(addition.latencies("add alu 32 1, add.f32 alu 5 1, add alu 31 1", 1) == std::vector<Cycle>{31});
}

TEST_CASE("opcodes: the widest floating-point type of a conversion determines its entry") {
  const std::string list = "cvt alu 31 1, cvt.f32 alu 32 1, cvt.f64 alu 33 1";
  const auto latency = [&](const std::string& conversion) {
    return Instructions(".reg .b16 %h<4>;\n" + conversion).served(list).latency;
  };
  for (const char* integer : {"cvt.u16.u32 %h1, %r1;", "cvt.s64.s32 %rd1, %r1;", "cvt.u32.u64 %r1, %rd1;"})
    CHECK(latency(integer) == 31);
  for (const char* narrow : {"cvt.rn.f32.s32 %r1, %r2;", "cvt.rzi.s32.f32 %r1, %r2;", "cvt.f32.f16 %r1, %h1;",
                             "cvt.rn.f16.f32 %h1, %r1;", "cvt.rn.f16.u32 %h1, %r1;"})
    CHECK(latency(narrow) == 32);
  for (const char* wide : {"cvt.f64.f32 %rd1, %r1;", "cvt.rn.f32.f64 %r1, %rd1;", "cvt.rn.f64.s32 %rd1, %r1;",
                           "cvt.rn.f32.s64 %r1, %rd1;", "cvt.rzi.u64.f32 %rd1, %r1;"})
    CHECK(latency(wide) == 33);
}

TEST_CASE("opcodes: entries take precedence over integer pipes and cycles by opcode, for each operand type") {
  auto parameters = one_of_each();
  parameters.integer_units = 1;
  SECTION("integer pipes") {
    const Instructions two("add.u32 %r1, %r2, %r3; sub.u32 %r1, %r2, %r3;");
    CHECK(same(two.served("add alu 4 1", 0, parameters), {Busy::alu, 4, 1, Counter::alu}));
    CHECK(same(two.served("add alu 4 1", 1, parameters), {Busy::integer, 12, 5, Counter::integer}));
  }
  SECTION("cycles by opcode, with multiplications that may use either pipe") {
    parameters.grouping = LanesGrouping::opcodes;
    const Instructions two("mul.f32 %r1, %r2, %r3; mul.f64 %rd1, %rd2, %rd3;");
    const PipeService listed = two.served("mul.f32 alu 4 1", 0, parameters);
    CHECK(same(listed, {Busy::alu, 4, 1, Counter::alu}));
    CHECK_FALSE(listed.either);
    const PipeService other = two.served("mul.f32 alu 4 1", 1, parameters);
    CHECK(same(other, two.served("", 1, parameters)));
    CHECK(other.either);
  }
}

TEST_CASE("opcodes: a shuffle moves to the listed pipe and counts as a shuffle") {
  const Instructions shuffle("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;");
  CHECK(same(shuffle.served(""), {Busy::multiply, 13, 3, Counter::warp}));
  const PipeService listed = shuffle.served("shfl special 23 2");
  CHECK(listed.pipe == Busy::special);
  CHECK(listed.latency == 23);
  CHECK(listed.interval == 2);
  CHECK(listed.counter == Counter::warp);
}

TEST_CASE("opcodes: the error for an invalid list names its first wrong entry") {
  struct Row {
    std::string list;
    std::string message;
  };
  const std::string no_opcode =
      "there is no such opcode; give the first word of a PTX instruction, and .rn, .i64, .f16, .f32 or .f64 for only "
      "these forms";
  const std::string no_pipe = "there is no such pipe; the pipes are alu, integer, multiply, special, fp64 and matrix";
  const std::string no_numbers =
      "not an opcode, a pipe and two numbers of cycles; write OPCODE[.TYPE] PIPE LATENCY INTERVAL";
  const Row row = GENERATE_COPY(values<Row>({
      {"popcount special 10 8", "'popcount special 10 8': " + no_opcode},
      {"mul.lo alu 4 1", "'mul.lo alu 4 1': " + no_opcode},
      {"add alu 4 1,add.s32 alu 4 1", "'add.s32 alu 4 1': " + no_opcode},
      {"popc sfu 10 8", "'popc sfu 10 8': " + no_pipe},
      {"popc", "'popc': " + no_numbers},
      {"popc special", "'popc special': " + no_numbers},
      {"popc special 10", "'popc special 10': " + no_numbers},
      {"popc special ten 8", "'popc special ten 8': " + no_numbers},
      {"popc special 10 8 add alu 4 1", "'popc special 10 8 add alu 4 1': " + no_numbers},
      {"popc special 10 0", "'popc special 10 0': " + no_numbers},
      {"popc special 0 8", "'popc special 0 8': " + no_numbers},
      {"add alu 4 1,,popc special 10 8", "'': " + no_numbers},
  }));
  auto parameters = one_of_each();
  parameters.opcodes = row.list;
  REQUIRE_THROWS_WITH(PipeTable(parameters), "sm.lanes.opcodes: " + row.message);
  REQUIRE_THROWS_AS(PipeTable(parameters), InputError);
}

}  // namespace reconverge
