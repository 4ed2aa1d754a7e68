// SPDX-License-Identifier: Apache-2.0
// Programs that spawn incorrectly.

#include <catch2/catch.hpp>

#include "blocks/dynamic_microkernel.hpp"
#include "models/core/error.hpp"
#include "tests/contract/spawn_cases.hpp"

namespace reconverge::contract {
namespace {

GpuParameters machine(std::string_view scheme = "dynamic_microkernel") {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  return parameters;
}

std::string line_of(const Case& test_case, std::string_view text) {
  const std::size_t place = test_case.ptx.find(text);
  return std::to_string(1 + std::count(test_case.ptx.begin(), test_case.ptx.begin() + static_cast<long>(place), '\n'));
}

template <typename Error>
std::string failure_of(const Case& test_case, const GpuParameters& parameters = machine()) {
  try {
    run_timed(test_case, parameters);
  } catch (const Error& error) {
    return error.what();
  }
  return "no failure";
}

}  // namespace

TEST_CASE("spawn: a thread creates one thread at most", "[spawn]") {
  const Case twice = spawn_case(
      "mov.u32 %r0, %spawnMemAddr;\nspawn K, %r0;\nsetp.eq.u32 %p0, %lane, 7;\n@%p0 spawn K, %r0;\nexit;\nK: exit;",
      {1}, {32});
  const std::string failure = failure_of<ExecutionError>(twice);
  CHECK_THAT(failure, Catch::StartsWith("spawn.ptx:" + line_of(twice, "@%p0 spawn")));
  CHECK_THAT(failure, Catch::Contains("a thread spawns a second time") && Catch::Contains("lane 7"));
}

TEST_CASE("spawn: the pointer is that of the thread's own state", "[spawn]") {
  const Case wrong =
      spawn_case("mov.u32 %r0, %spawnMemAddr;\nadd.u32 %r0, %r0, 48;\nspawn K, %r0;\nexit;\nK: exit;", {1}, {32});
  CHECK_THAT(failure_of<ExecutionError>(wrong), Catch::StartsWith("spawn.ptx:" + line_of(wrong, "spawn K")) &&
                                                    Catch::Contains("a thread spawns with the pointer 0x30"));
}

TEST_CASE("spawn: a micro-kernel belongs to no block", "[spawn]") {
  const Case barrier =
      spawn_case("mov.u32 %r0, %spawnMemAddr;\nspawn K, %r0;\nexit;\nK: bar.sync 0;\nexit;", {1}, {32});
  CHECK_THAT(failure_of<ExecutionError>(barrier), Catch::StartsWith("spawn.ptx:" + line_of(barrier, "K: bar.sync")) &&
                                                      Catch::Contains("a barrier of a block"));
}

TEST_CASE("spawn: an access outside spawn memory ends the run", "[spawn]") {
  const Case outside = spawn_case(
      "mov.u32 %r0, 0x100000;\nld.spawnMem.u32 %r1, [%r0];\nmov.u32 %r0, %spawnMemAddr;\n"
      "spawn K, %r0;\nexit;\nK: exit;",
      {1}, {32});
  CHECK_THAT(failure_of<ExecutionError>(outside), Catch::StartsWith("spawn.ptx:" + line_of(outside, "ld.spawnMem")) &&
                                                      Catch::Contains("access outside spawn memory"));
}

TEST_CASE("spawn: a machine without the block refuses the program at the line of its first spawn", "[spawn]") {
  const Case spawns = spawn_case("mov.u32 %r0, %spawnMemAddr;\nspawn K, %r0;\nexit;\nK: exit;", {1}, {32});
  for (const char* scheme : {"reconvergence_stack", "mimd", "thread_block_compaction", "dynamic_ray_shuffling"}) {
    CHECK_THAT(failure_of<InputError>(spawns, machine(scheme)),
               Catch::StartsWith("spawn.ptx:" + line_of(spawns, "mov.u32 %r0, %spawnMemAddr")) &&
                   Catch::Contains("needs the scheme dynamic_microkernel"));
  }
  CHECK_THROWS_WITH(run_functional(spawns), Catch::Contains("needs its hardware"));
}

TEST_CASE("spawn: a FIFO that stops every warp ends the run with an error", "[spawn]") {
  const Case test_case = collatz_case({24}, {64});
  GpuParameters parameters = machine();
  parameters.sm.warp_slots = 16;
  parameters.sm.launch_unit = SmLaunchUnit::warp;
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().fifo = 1;
  CHECK_THAT(failure_of<ExecutionError>(test_case, parameters), Catch::Contains("warp"));
}

}  // namespace reconverge::contract
