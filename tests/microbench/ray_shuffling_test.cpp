// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling in an SM: errors, the number of warps that fit, and whether small launches end.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/dynamic_ray_shuffling/twin.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "tests/microbench/narrow_machine.hpp"
#include "tests/microbench/ray_kernel.hpp"

namespace reconverge::tests {
namespace {

constexpr const char* scheme = "sm.scheme=dynamic_ray_shuffling";

Measurement run_text(const std::string& text, std::uint32_t blocks, std::uint32_t threads,
                     const GpuParameters& parameters, std::uint32_t rays = 500) {
  Microbench bench{"rays", "rays", blocks, threads};
  bench.text = text;
  return run(bench, rays, parameters);
}

std::string line_of_rdctrl(const std::string& text) {
  return std::to_string(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("rdctrl")), '\n'));
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

void check_results(const Measurement& measurement, std::uint32_t rays, std::size_t registers) {
  for (std::uint32_t i = 0; i < rays; ++i) {
    INFO(i);
    REQUIRE(measurement.words[first_ray_word + i] == result_of_ray(i, registers));
  }
}

}  // namespace

TEST_CASE("rdctrl is refused at its line without shuffling or with another ray size") {
  const std::string text = ray_kernel(17);
  const std::string place = "rays:" + line_of_rdctrl(text) + ": ";
  for (const char* other : {"reconvergence_stack", "mimd", "thread_block_compaction"}) {
    CHECK_THROWS_WITH(run_text(text, 1, 32, narrow_machine({std::string("sm.scheme=") + other})),
                      Catch::StartsWith(place + "'rdctrl.b32' needs the scheme dynamic_ray_shuffling"));
  }
  CHECK_THROWS_WITH(run_text(text, 1, 32, narrow_machine({scheme, "sm.dynamic_ray_shuffling.ray_registers=16"})),
                    Catch::StartsWith(place + "rdctrl lists 17 ray registers, and the platform moves 16; "));
}

TEST_CASE("rows of rays that do not fit the register file are refused at rdctrl") {
  const std::string text = ray_kernel(17);
  Overrides few{scheme, "sm.register_file.registers=4096", "sm.dynamic_ray_shuffling.backup_rows=6"};
  CHECK_THROWS_WITH(
      run_text(text, 1, 32, narrow_machine(few)),
      Catch::StartsWith("rays:" + line_of_rdctrl(text) +
                        ": 8 rows of rays beyond those of warps take 4352 registers, and an SM has 4096; "));
  few.emplace_back("sm.dynamic_ray_shuffling.extra_bank=true");
  check_results(run_text(text, 1, 32, narrow_machine(few)), 500, 17);
}

TEST_CASE("rdctrl in a warp without all lanes is refused before the launch and during it") {
  const std::string text = ray_kernel(17);
  CHECK_THROWS_WITH(
      run_text(text, 1, 40, narrow_machine({scheme})),
      Catch::StartsWith("rays:" + line_of_rdctrl(text) + ": rdctrl needs warps of 32 threads, and a block has 40; "));
  const std::string with_exit =
      replaced(text, "ROUND: ", "mov.u32 %r1, %laneid;\nsetp.eq.u32 %p0, %r1, 5;\n@%p0 exit;\nROUND: ");
  CHECK_THROWS_WITH(run_text(with_exit, 1, 32, narrow_machine({scheme})),
                    Catch::StartsWith("rays:" + line_of_rdctrl(with_exit) +
                                      ": rdctrl without lane 5, which has ended or is elsewhere, in kernel 'rays'"));
}

TEST_CASE("the error for too many rows of rays names the parameter to change") {
  const auto refusal = [](const Overrides& overrides) {
    const SimulationContext context;
    try {
      const Gpu gpu("gpu", narrow_machine(overrides));
    } catch (const ParameterError& error) {
      return error.key() + ": " + error.what();
    }
    return std::string("none");
  };
  CHECK(refusal({scheme}) == "none");
  CHECK_THAT(refusal({scheme, "sm.warp_slots=118", "sm.scheduler.count=4", "sm.dynamic_ray_shuffling.backup_rows=8"}),
             Catch::Equals("none"));
  CHECK_THAT(refusal({scheme, "sm.warp_slots=119", "sm.scheduler.count=4", "sm.dynamic_ray_shuffling.backup_rows=8"}),
             Catch::StartsWith("gpu.sm.warp_slots: ") &&
                 Catch::Contains("129 rows of rays for 119 warps, of 128; lower it to 118 at most"));
  // Without the scheme the parameters have no effect.
  CHECK(refusal({"sm.warp_slots=119", "sm.scheduler.count=4", "sm.dynamic_ray_shuffling.backup_rows=8"}) == "none");
}

TEST_CASE("without an extra bank, rows of rays take the registers of warps") {
  const kernel::Program program = kernel::load_program_text(ray_kernel(17), "rays", "rays", ray_instructions());
  const std::array<Argument, 3> arguments{std::uint64_t{0}, 1U, 0U};
  const Launch launch = make_launch(program, {1}, {32}, arguments);
  const auto warps = [&](const Overrides& more) {
    Overrides overrides{scheme, "sms=1", "sm.block_slots=64",
                        "sm.register_file.registers=" + std::to_string(60 * program.registers * warp_size)};
    overrides.insert(overrides.end(), more.begin(), more.end());
    GpuParameters parameters;
    configuration::load_defaults(with_schemes(gpu_block), &parameters, overrides);
    const SimulationContext context;
    const Gpu gpu("gpu", parameters);
    return gpu.blocks_at_once(launch);
  };
  const std::uint64_t lost = (3 * 17 + program.registers - 1) / program.registers;
  CHECK(lost >= 2);
  CHECK(warps({}) == 60 - lost);
  CHECK(warps({"sm.dynamic_ray_shuffling.extra_bank=true"}) == 60);
  CHECK(warps({"sm.dynamic_ray_shuffling.backup_rows=8"}) ==
        60 - (10 * 17 + program.registers - 1) / program.registers);
}

TEST_CASE("launches of few warps and launches of many successive blocks end") {
  for (const std::uint32_t blocks : {1U, 2U, 3U, 5U, 100U}) {
    for (const std::uint32_t threads : {32U, 64U}) {
      for (const char* unit : {"sm.launch_unit=block", "sm.launch_unit=warp"}) {
        CAPTURE(blocks, threads, unit);
        const Measurement measurement = run_text(
            ray_kernel(5), blocks, threads, narrow_machine({scheme, unit, "sm.dynamic_ray_shuffling.ray_registers=5"}));
        check_results(measurement, 500, 5);
        CHECK(measurement.totals.of<SmStatistics>().threads_launched == std::uint64_t{blocks} * threads);
      }
    }
  }
}

TEST_CASE("issue slots count warps that wait for rows") {
  const Statistics totals = run_rays(narrow_machine({scheme})).totals;
  CHECK(totals.of<WarpSchedulerStatistics>().slots[first_cause_of(dynamic_ray_shuffling_scheme(), built_in_schemes())] >
        0);
  CHECK(totals.of<DynamicRayShufflingStatistics>().stalls > 0);
  // A warp asks again only when a row may be available.
  CHECK(totals.of<DynamicRayShufflingStatistics>().waiting_cycles > totals.of<DynamicRayShufflingStatistics>().stalls);
  // Lanes are idle only at the end of the launch, when no rays remain to be fetched.
  const Statistics many = run_text(ray_kernel(17), 4, 96, narrow_machine({scheme, "sms=1"}), 900).totals;
  std::uint64_t lanes = 0;
  std::uint64_t instructions = 0;
  for (std::size_t i = 0; i < many.of<WarpSchedulerStatistics>().active_lanes.size(); ++i) {
    lanes += i * many.of<WarpSchedulerStatistics>().active_lanes[i];
    instructions += many.of<WarpSchedulerStatistics>().active_lanes[i];
  }
  CHECK(lanes > instructions * 32 * 8 / 10);
}

}  // namespace reconverge::tests
