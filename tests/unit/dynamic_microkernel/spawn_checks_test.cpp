// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/spawn_checks.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"

using namespace reconverge;

namespace {

constexpr std::string_view head = R"(.version 3.0
.target sm_20
.address_size 64
.entry kernel(.param .u64 out)
{
.reg .b32 %r<8>;
.reg .f32 %f<8>;
.reg .pred %p<2>;
)";
constexpr unsigned head_lines = 8;

kernel::Program load(std::string_view body) {
  return kernel::load_program_text(std::string(head) + std::string(body) + "\n}\n", "t.ptx", "kernel",
                                   spawn_instructions());
}

std::string refusal(std::string_view body, const DynamicMicrokernelParameters& parameters = {}) {
  try {
    check_spawns(load(body), parameters);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string at(unsigned line) { return "t.ptx:" + std::to_string(head_lines + line) + ": "; }

// Example 2 of the paper, with the additions that PTX requires.
constexpr std::string_view example_2 = R"(  mov.u32 %r1, %spawnMemAddr;
  spawn $first, %r1;
  exit;
$first:
  mov.u32 %r1, %spawnMemAddr;
  ld.spawnMem %r2, [%r1+0];
  mov.u32 %r1, %r2;
  ld.spawnMem.f32 %f1, [%r1+0];
  ld.spawnMem.f32 %f2, [%r1+4];
  setp.lt.f32 %p0, %f1, %f2;
  st.spawnMem.f32 [%r1+0], %f1;
  st.spawnMem.f32 [%r1+4], %f2;
  @%p0 spawn $first, %r1;
  @%p0 exit;
  spawn $second, %r1;
  exit;
$second:
  exit;)";

}  // namespace

TEST_CASE("Example 2 of the paper decodes, and its micro-kernels are found") {
  const kernel::Program program = load(example_2);
  CHECK(refusal(example_2) == "accepted");
  const std::vector<kernel::Pc> locations = spawn_locations(program);
  REQUIRE(locations.size() == 2);
  CHECK(program.text[locations[0]] == "mov.u32 %r1, %spawnMemAddr");
  CHECK(program.text[locations[1]] == "exit");
  CHECK(spawn_locations(load("exit;")).empty());
}

TEST_CASE("spawn memory is as large as the paper's formulas say") {
  // The paper's kernel has 800 threads, 48 bytes of state and two spawn points. DRS section 4.5: 54 warps, 17 words.
  const SpawnMemorySize size = spawn_memory_of(800, 2, 48);
  CHECK(size.state_bytes == 38'400);
  CHECK(size.formation_entries == 2 * (800 + 32));
  CHECK(size.bytes() == 38'400 + 4 * 1664);
  CHECK(spawn_memory_of(54 * 32, 3, 17 * 4).state_bytes == 117'504);
  CHECK(spawn_memory_of(0, 0, 48).bytes() == 0);
}

TEST_CASE("instructions that a block cannot run are refused at their PTX line") {
  DynamicMicrokernelParameters parameters;
  parameters.lut_lines = 1;
  CHECK(
      refusal(example_2, parameters).find(at(15) + "kernel 'kernel' has 2 micro-kernels, and the spawn LUT 1 lines") ==
      0);
  parameters = {};
  parameters.state_bytes = 4;
  CHECK(refusal(example_2, parameters).find(at(9) + "bytes 4 to 7 of a thread's state, which has 4") == 0);
  CHECK(refusal("mov.u32 %r1, %spawnMemAddr;\nst.spawnMem.v4.f32 [%r1+36], {%f0, %f0, %f0, %f0};\nexit;")
            .find(at(2) + "bytes 36 to 51") == 0);
  CHECK(refusal("mov.u32 %r1, %spawnMemAddr;\nst.spawnMem.u32 [%r1-4], %r1;\nexit;").find(at(2) + "bytes -4 to -1") ==
        0);
}

TEST_CASE("a micro-kernel has no register of its parent's") {
  CHECK(refusal("mov.u32 %r1, %spawnMemAddr;\nmov.u32 %r3, 5;\nspawn K, %r1;\nexit;\nK:\nadd.u32 %r2, %r3, 1;\n"
                "st.spawnMem.u32 [%r2], %r2;\nexit;")
            .find(at(6) + "the micro-kernel 'K' reads a register here that it may not have written") == 0);
  CHECK(refusal("mov.u32 %r1, %spawnMemAddr;\nsetp.eq.u32 %p0, %r1, 0;\nspawn K, %r1;\nexit;\nK:\nmov.u32 %r2, 1;\n"
                "@%p0 bra K;\nexit;")
            .find(at(7) + "the micro-kernel 'K'") == 0);
}

TEST_CASE("a missing label is refused") {
  CHECK_THROWS_WITH(load("mov.u32 %r1, %spawnMemAddr;\nspawn $nowhere, %r1;\nexit;"),
                    Catch::StartsWith("t.ptx:10:7: '$nowhere' is not declared"));
}
