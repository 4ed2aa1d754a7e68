// SPDX-License-Identifier: Apache-2.0
// The registers that an instruction waits for, and the number of rows that it reads and writes.

#include "models/execution/program_image.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/sm/test_warp.hpp"

namespace reconverge {
namespace {

struct Rows {
  const char* text;
  unsigned read;
  unsigned written;
};

// Register widths in PTX determine the rows: a 64-bit register has two rows; predicates and constants have none.
constexpr Rows rows[] = {
    {"add.u32 %r1, %r2, %r3;", 2, 1},
    {"add.u64 %rd1, %rd2, %rd3;", 4, 2},
    {"mul.wide.u32 %rd1, %r2, %r3;", 2, 2},
    {"mad.wide.s32 %rd1, %r2, %r3, %rd4;", 4, 2},
    {"cvt.u64.u32 %rd1, %r2;", 1, 2},
    {"cvt.u32.u64 %r1, %rd2;", 2, 1},
    {"shl.b64 %rd1, %rd2, %r3;", 3, 2},
    {"bfe.u64 %rd1, %rd2, %r3, %r4;", 4, 2},
    {"popc.b64 %r1, %rd2;", 2, 1},
    {"setp.lt.u64 %p1, %rd2, %rd3;", 4, 0},
    {"selp.b64 %rd1, %rd2, 5, %p1;", 2, 2},
    {"set.eq.u32.u64 %r1, %rd2, %rd3;", 4, 1},
    {"ld.global.u32 %r1, [%rd2];", 2, 1},
    {"ld.global.u8 %rd1, [%rd2];", 2, 2},
    {"ld.global.v2.u64 {%rd1, %rd3}, [%rd2];", 2, 4},
    {"st.global.u64 [%rd2], %rd1;", 4, 0},
    {"st.shared.u32 [%r1], %r2;", 2, 0},
    {"atom.global.cas.b64 %rd1, [%rd2], %rd3, %rd4;", 6, 2},
    {"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", 2, 1},
    {"mov.u32 %r1, 7;", 0, 1},
};

}  // namespace

TEST_CASE("a 64-bit operand takes two rows for any operation type") {
  for (const Rows& expected : rows) {
    INFO(expected.text);
    const auto program = tests::kernel_of(expected.text);
    DeviceMemory memory;
    const ProgramImage image(program, memory);
    CHECK(image.decoded(0).rows.read.size() == expected.read);
    CHECK(image.decoded(0).rows.written.size() == expected.written);
  }
}

TEST_CASE("the dependencies of a written pair include both rows") {
  const auto program = tests::kernel_of("@%p1 ld.global.u64 %rd1, [%rd2];");
  const auto& load = program.instructions[0];
  DeviceMemory memory;
  const ProgramImage image(program, memory);
  const auto written = image.decoded(0).dependencies.destinations();
  const unsigned row = load.destination[0].row();
  CHECK(std::vector<unsigned>(written.begin(), written.end()) == std::vector<unsigned>{row, row + 1});
  // The number of the guard follows the numbers of the rows.
  CHECK(image.decoded(0).dependencies.all().back() == program.register_rows + load.guard.row());
}

TEST_CASE("a step has an operation only if lanes execute it independently") {
  const auto program = tests::kernel_of("@!%p1 add.u32 %r1, %r2, %r3; vote.sync.ballot.b32 %r4, %p1, -1;");
  DeviceMemory memory;
  const ProgramImage image(program, memory);
  const Step* steps = image.steps();
  CHECK(steps[0].operation == image.decoded(0).operation);
  CHECK(image.decoded(1).operation != nullptr);  // it reads the active mask
  CHECK(steps[1].operation == nullptr);
  const LaneMask predicates[] = {0x0f};
  CHECK(steps[0].guard.pass(predicates, 0xff) == 0xf0);
  CHECK(steps[1].guard.pass(predicates, 0xff) == 0xff);
}

TEST_CASE("registers that may be read before they are written are cleared") {
  const auto rows_at_start = [](const char* text) {
    const auto program = tests::kernel_of(text);
    return FirstReads(program).rows(0).size();
  };
  CHECK(rows_at_start("mov.u32 %r1, 7; add.u32 %r2, %r1, %r1;") == 0);
  CHECK(rows_at_start("add.u32 %r1, %r1, 1;") == 1);
  CHECK(rows_at_start("add.u64 %rd1, %rd1, 1;") == 2);
  // Lanes that do not execute the guarded write keep their values.
  CHECK(rows_at_start("setp.eq.u32 %p1, 1, 2; @%p1 mov.u32 %r1, 7; add.u32 %r2, %r1, 1;") == 1);
  // The first iteration of the loop reads a register that only earlier iterations write.
  CHECK(rows_at_start("mov.u32 %r2, 9; LOOP: add.u32 %r1, %r1, 1; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; "
                      "@%p1 bra LOOP;") == 1);
}

TEST_CASE("the first instruction of threads determines which registers are cleared") {
  const auto program = tests::kernel_of("mov.u32 %r1, 7; bra LATER; LATER: add.u32 %r2, %r1, 1;");
  const FirstReads reads(program);
  CHECK(reads.rows(0).empty());
  CHECK(reads.rows(2).size() == 1);
  CHECK(reads.rows(1).size() == program.register_rows);  // not the first instruction of a basic block
}

}  // namespace reconverge
