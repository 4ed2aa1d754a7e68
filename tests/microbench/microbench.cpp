// SPDX-License-Identifier: Apache-2.0
#include "tests/microbench/microbench.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::tests {

namespace {

kernel::Program program_of(const Microbench& bench) {
  if (!bench.text.empty()) return kernel::load_program_text(bench.text, bench.file, bench.entry, extensions_of());
  const auto folder = std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels/microbench";
  return kernel::load_program(folder / (bench.file + ".ptx"), bench.entry, extensions_of());
}

}  // namespace

Measurement run(const Microbench& bench, std::uint32_t iterations, const GpuParameters& parameters) {
  const auto program = program_of(bench);
  const SimulationContext context;
  Gpu gpu("gpu", parameters);
  const DeviceAddress buffer = gpu.memory().allocate("buffer", bench.buffer_bytes);
  if (bench.fill) bench.fill(gpu.memory().view(buffer), buffer);
  const std::array<Argument, 3> arguments{buffer, iterations, bench.size};
  Launch launch = make_launch(program, {bench.blocks}, {bench.threads}, arguments, bench.dynamic_shared_bytes);
  if (bench.stack_bytes != 0) launch.ray_stacks = {buffer + 128, bench.buffer_bytes - 128, bench.stack_bytes};
  const bool ended = gpu.run(launch);
  REQUIRE(ended);
  Measurement measurement;
  measurement.totals = gpu.totals();
  measurement.cycles = measurement.totals.of<GpuStatistics>().cycles;
  const auto bytes = gpu.memory().view(buffer);
  measurement.words.resize(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(measurement.words.data(), bytes.data(), measurement.words.size() * sizeof(std::uint32_t));
  return measurement;
}

Growth growth(const Microbench& bench, std::uint32_t from, std::uint32_t to, const GpuParameters& parameters) {
  const Measurement fewer = run(bench, from, parameters);
  const Measurement more = run(bench, to, parameters);
  return {to - from, more.cycles - fewer.cycles, more.totals.since(fewer.totals)};
}

GpuParameters plain_machine() {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.clock = 1'000'000'000;
  parameters.crossbar.clock = parameters.clock;
  parameters.dram.clock = parameters.clock;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  return parameters;
}

GpuParameters fixed_latency_machine(Cycle latency) {
  GpuParameters parameters = plain_machine();
  parameters.memory = GpuMemory::fixed_latency;
  parameters.fixed_latency.latency = latency;
  return parameters;
}

bool within(double measured, double expected, double percent) {
  UNSCOPED_INFO("measured " << measured << ", closed form " << expected);
  return std::abs(measured - expected) <= expected * percent / 100;
}

}  // namespace reconverge::tests
