// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/gpu_kind.hpp"

#include <fmt/format.h>

#include "models/core/quantity.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/gpu_figures.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

// Measured on the shipped experiments: of an SM, in addition to its registers.
constexpr std::uint64_t bytes_of_sm = std::uint64_t{1} << 20U;

std::unique_ptr<Machine> make(const Platform& platform, SchemeList schemes) {
  return std::make_unique<Gpu>("gpu", platform.gpu, schemes);
}

std::string describe(const Platform& platform) {
  return fmt::format("{} SMs at {}, {}", platform.gpu.sms, format_frequency(platform.gpu.clock),
                     scheme_names(platform.gpu.sm));
}

std::vector<MachineFact> facts(const Platform& platform) {
  return {{"scheme", scheme_names(platform.gpu.sm)}, {"sms", platform.gpu.sms}, {"clock_hz", platform.gpu.clock}};
}

std::uint64_t host_bytes(const Platform& platform) {
  const GpuParameters& gpu = platform.gpu;
  return gpu.sms * (bytes_of_sm + 2 * gpu.sm.register_file.registers * sizeof(std::uint32_t));
}

std::vector<std::string> warnings(const kernel::Program& program, const Platform& platform, SchemeList schemes) {
  return scheme_warnings(schemes_of(platform.gpu.sm, schemes), program, platform.gpu.sm);
}

MachineRate rate(const Platform& platform) {
  const GpuParameters& gpu = platform.gpu;
  return {gpu.clock, gpu.sms * gpu.sm.scheduler.count * gpu.sm.scheduler.dispatch};
}

std::uint64_t cycles_of(const Statistics& totals) { return totals.of<GpuStatistics>().cycles; }

}  // namespace

const MachineKind& gpu_machine() {
  static const MachineKind kind{.name = "timed",
                                .traits = {.warps = true, .sms = true},
                                .make = make,
                                .describe = describe,
                                .facts = facts,
                                .host_bytes = host_bytes,
                                .warnings = warnings,
                                .zeros = gpu_statistics,
                                .rate = rate,
                                .cycles = cycles_of,
                                .executed = executed_by_warps,
                                .add_figures = add_gpu_figures,
                                .details = gpu_details,
                                .hit_rates = gpu_hit_rates,
                                .unaccounted_slots = unaccounted_gpu_slots};
  return kind;
}

}  // namespace reconverge
